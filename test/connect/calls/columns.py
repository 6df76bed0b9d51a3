"""Columns: chosen, computed, renamed, left out."""
import datetime
import decimal

from calls.asking import call
from calls.data import people


@call
def select_names(s, F, T):
    return people(s).select("name", "id")


@call
def select_star(s, F, T):
    return people(s).select("*", F.lit(1))


@call
def select_expressions(s, F, T):
    p = people(s)
    return p.select(p.id + 1, p["age"] * 2.5, (p.id % 2).alias("odd"), -p.id, F.col("score") / 2)


@call
def select_column_names(s, F, T):
    p = people(s)
    return p.select(p.id == 1, p.id != 1, p.id < 2, (p.id > 1) & (p.age > 30), ~(p.id >= 2), p.name.isNull(),
                    p.name.isNotNull(), p.id.eqNullSafe(1)).columns


@call
def select_expr(s, F, T):
    return people(s).selectExpr("id * 2", "upper(name) as n", "age")


@call
def select_unknown(s, F, T):
    return people(s).select("nope")


@call
def select_by_attribute(s, F, T):
    return people(s).nope


@call
def select_struct_members(s, F, T):
    f = s.createDataFrame([((1, ("x",)),)], "a struct<b:int,c:struct<d:string>>")
    return f.select("a.b", "a.c.d", F.col("a")["b"], f.a.c.d, F.col("a.*"))


@call
def select_array_and_map_items(s, F, T):
    f = s.createDataFrame([([1, 2], {"k": 3})], "r array<int>, m map<string,int>")
    return f.select(f.r[0], f.r.getItem(1), f.m["k"], f.m.getItem("none"))


@call
def select_array_out_of_range(s, F, T):
    return s.createDataFrame([([1, 2],)], "r array<int>").select(F.col("r")[5])


@call
def with_column(s, F, T):
    return people(s).withColumn("double_age", F.col("age") * 2)


@call
def with_column_replaces(s, F, T):
    return people(s).withColumn("AGE", F.lit(0))


@call
def with_columns(s, F, T):
    return people(s).withColumns({"a": F.lit("x"), "b": F.col("id") + 1})


@call
def with_column_renamed(s, F, T):
    return people(s).withColumnRenamed("name", "who").withColumnRenamed("none", "some")


@call
def with_columns_renamed(s, F, T):
    return people(s).withColumnsRenamed({"id": "k", "age": "years"})


@call
def drop_names(s, F, T):
    return people(s).drop("age", "nothing", "score")


@call
def drop_column(s, F, T):
    p = people(s)
    return p.drop(p.age)


@call
def to_df(s, F, T):
    return people(s).toDF("a", "b", "c", "d")


@call
def to_df_wrong_number(s, F, T):
    return people(s).toDF("a")


@call
def to_schema(s, F, T):
    return people(s).to(T.StructType([T.StructField("score", T.DoubleType()), T.StructField("id", T.LongType())]))


@call
def cast_columns(s, F, T):
    p = people(s)
    return p.select(p.id.cast("string"), p.id.cast(T.DoubleType()), p.age.cast("decimal(5,1)"), p.id.try_cast("boolean"))


@call
def cast_overflow(s, F, T):
    p = people(s)
    return p.select(p.score.cast("int"))


@call
def literals(s, F, T):
    return s.range(1).select(
        F.lit(1), F.lit(2 ** 40), F.lit(1.5), F.lit("a"), F.lit(True), F.lit(None), F.lit(decimal.Decimal("1.50")),
        F.lit(datetime.date(2024, 1, 2)), F.lit(datetime.datetime(2024, 1, 2, 3, 4, 5)), F.lit(datetime.timedelta(1)),
        F.lit(bytes(b"ab")), F.lit([1, 2]))


@call
def when_otherwise(s, F, T):
    p = people(s)
    return p.select(p.id, F.when(p.age > 40, "old").when(p.age > 30, "mid").otherwise("?").alias("w"), F.when(p.id == 1, 1))


@call
def expr_function(s, F, T):
    return people(s).select(F.expr("id + 1"), F.expr("case when id = 1 then 'one' end as c"))


@call
def alias_keeps_type(s, F, T):
    return people(s).select(F.col("id").alias("x").alias("y"))
