"""One script of PySpark, as users write it: every call runs on Weir and on real Spark, and must answer the same."""
import contextlib
import datetime
import decimal
import io
import json

CALLS = {}


def call(function):
    """Registers a call under the function's name. It takes a session and `F`, `T` of PySpark; see `answer`."""
    CALLS[function.__name__] = function
    return function


# Calls whose rows come in an order of their own.
ORDERED = {"order_by", "order_by_nulls", "order_by_not_selected", "limit_offset"}


def rows_of(frame, ordered):
    rows = [repr(row) for row in frame.collect()]
    return rows if ordered else sorted(rows)


def answer(function, spark, functions, types):
    """What a call gave: rows and schema of a frame, a value, or the error."""
    from pyspark.sql.connect.dataframe import DataFrame

    try:
        value = function(spark, functions, types)
        if isinstance(value, DataFrame):
            return {"schema": json.loads(value.schema.json()), "rows": rows_of(value, function.__name__ in ORDERED)}
        return {"value": repr(value)}
    except Exception as error:
        name = type(error).__name__
        if not hasattr(error, "getCondition"):
            return {"error": name, "text": str(error)[:200]}
        return {"error": name, "condition": error.getCondition(), "sqlState": error.getSqlState()}


def printed(function, *arguments):
    """What a call prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        function(*arguments)
    return out.getvalue()


def people(spark):
    return spark.createDataFrame(
        [(1, "Ann", 31, 1.5), (2, "Bob", None, 2.5), (3, None, 45, float("nan")), (4, "Dan", 31, None)],
        "id int, name string, age int, score double")


def orders(spark):
    return spark.createDataFrame([(1, 10), (1, 20), (3, 30), (9, 90)], "person int, amount int")


# ---- session and configuration

@call
def version(s, F, T):
    return s.version.split(".")[:2]


@call
def conf_default(s, F, T):
    return s.conf.get("spark.sql.ansi.enabled"), s.conf.get("spark.sql.timestampType")


@call
def conf_client_keys(s, F, T):
    return [s.conf.get(key) for key in (
        "spark.sql.execution.arrow.useLargeVarTypes", "spark.sql.session.localRelationCacheThreshold",
        "spark.sql.session.localRelationSizeLimit", "spark.sql.session.localRelationChunkSizeRows")]


@call
def conf_set_and_get(s, F, T):
    s.conf.set("my.own.key", "7")
    return s.conf.get("my.own.key")


@call
def conf_unset(s, F, T):
    s.conf.set("my.own.key", "7")
    s.conf.unset("my.own.key")
    return s.conf.get("my.own.key", "none")


@call
def conf_unknown(s, F, T):
    return s.conf.get("no.such.key")


@call
def conf_with_default(s, F, T):
    return s.conf.get("no.such.key", "x")


@call
def conf_static_is_not_modifiable(s, F, T):
    return s.conf.isModifiable("spark.sql.warehouse.dir"), s.conf.isModifiable("spark.sql.ansi.enabled")


@call
def conf_set_static(s, F, T):
    s.conf.set("spark.sql.warehouse.dir", "/tmp/x")


@call
def conf_bad_value(s, F, T):
    s.conf.set("spark.sql.ansi.enabled", "perhaps")


# ---- making frames

@call
def range_one(s, F, T):
    return s.range(3)


@call
def range_all(s, F, T):
    return s.range(10, 0, -3)


@call
def range_empty(s, F, T):
    return s.range(5, 5)


@call
def create_from_tuples(s, F, T):
    return s.createDataFrame([(1, "a"), (2, None)], ["id", "name"])


@call
def create_with_ddl(s, F, T):
    return people(s)


@call
def create_with_struct_type(s, F, T):
    schema = T.StructType([T.StructField("k", T.StringType(), False), T.StructField("v", T.ArrayType(T.LongType()))])
    return s.createDataFrame([("a", [1, None]), ("b", None)], schema)


@call
def create_from_dicts(s, F, T):
    return s.createDataFrame([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}])


@call
def create_from_rows(s, F, T):
    from pyspark.sql import Row
    return s.createDataFrame([Row(a=1, b=Row(c="x")), Row(a=2, b=Row(c="y"))])


@call
def create_empty(s, F, T):
    return s.createDataFrame([], "a int, b string")


@call
def create_all_types(s, F, T):
    return s.createDataFrame(
        [(True, 1, 2, 3, 4, 1.5, 2.5, decimal.Decimal("1.20"), "x", bytearray(b"ab"), datetime.date(2024, 2, 29),
          datetime.datetime(2024, 2, 29, 12, 0, 0, 123456), {"k": 1}, [1, 2], (5, "z"))],
        "b boolean, y tinyint, h smallint, i int, l bigint, f float, d double, e decimal(10,2), s string, x binary, "
        "a date, t timestamp, m map<string,int>, r array<int>, u struct<p:int,q:string>")


@call
def create_intervals(s, F, T):
    return s.createDataFrame([(datetime.timedelta(days=1, microseconds=5),)], "i interval day to second")


@call
def create_ntz(s, F, T):
    return s.createDataFrame([(datetime.datetime(2024, 1, 1, 1, 2, 3),)], "t timestamp_ntz")


@call
def create_from_pandas(s, F, T):
    import pandas
    return s.createDataFrame(pandas.DataFrame({"a": [1, 2], "b": ["x", "y"], "c": [0.5, 1.5]}))


@call
def create_wrong_type(s, F, T):
    return s.createDataFrame([("x",)], "a int")


@call
def create_large(s, F, T):
    return s.createDataFrame([(i, "row %d" % i) for i in range(60000)], "a int, b string").agg(F.sum("a"), F.max("b"))


@call
def create_duplicate_names(s, F, T):
    return s.createDataFrame([(1, 2)], ["a", "a"])


# ---- choosing columns

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


# ---- rows

@call
def filter_column(s, F, T):
    p = people(s)
    return p.filter(p.age == 31)


@call
def filter_text(s, F, T):
    return people(s).where("age > 31 or name is null")


@call
def filter_not_boolean(s, F, T):
    return people(s).filter("id")


@call
def filter_isin(s, F, T):
    p = people(s)
    return p.filter(p.id.isin(1, 4)).select("id")


@call
def filter_between_like(s, F, T):
    p = people(s)
    return p.filter(p.id.between(1, 3) & p.name.like("%n%"))


@call
def filter_string_methods(s, F, T):
    p = people(s)
    return p.select(p.name.startswith("A"), p.name.endswith("b"), p.name.contains("a"), p.name.rlike("^[AB]"),
                    p.name.substr(1, 2), p.name.ilike("ann"))


@call
def order_by(s, F, T):
    return people(s).orderBy("age", F.desc("id"))


@call
def order_by_nulls(s, F, T):
    return people(s).orderBy(F.col("age").desc_nulls_last(), F.col("id").asc()).select("id", "age")


@call
def order_by_not_selected(s, F, T):
    p = people(s)
    return p.select("id").orderBy(p.score.desc())


@call
def limit_offset(s, F, T):
    return s.range(10).orderBy("id").offset(2).limit(3)


@call
def head_take_first_tail(s, F, T):
    f = s.range(5)
    return f.head(), f.head(2), f.take(1), f.first(), f.tail(2)


@call
def count_rows(s, F, T):
    return people(s).count(), s.range(0).isEmpty(), people(s).filter("false").first()


@call
def distinct_rows(s, F, T):
    return people(s).select("age").distinct()


@call
def drop_duplicates(s, F, T):
    return people(s).dropDuplicates(["age"]).select("age")


@call
def drop_duplicates_unknown(s, F, T):
    return people(s).dropDuplicates(["nope"])


# ---- aggregation

@call
def group_count(s, F, T):
    return people(s).groupBy("age").count()


@call
def group_agg(s, F, T):
    return people(s).groupBy("age").agg(F.sum("id"), F.max("name").alias("m"), F.avg("score"), F.count("*"), F.min("id"))


@call
def group_agg_dict(s, F, T):
    return people(s).groupBy("age").agg({"id": "max"})


@call
def group_methods(s, F, T):
    return people(s).select("age", "id").groupBy("age").sum("id")


@call
def agg_without_keys(s, F, T):
    return people(s).agg(F.count("name"), F.countDistinct("age"), F.sum("id"), F.avg("age"), F.max("score"))


@call
def select_aggregate(s, F, T):
    return people(s).select(F.sum("id"), F.collect_list("name"))


@call
def agg_and_column(s, F, T):
    return people(s).select("name", F.sum("id"))


@call
def group_by_expression(s, F, T):
    return people(s).groupBy((F.col("id") % 2).alias("odd")).agg(F.count(F.lit(1)).alias("n"))


@call
def having(s, F, T):
    return people(s).groupBy("age").count().filter("count > 1")


@call
def nested_aggregate(s, F, T):
    return people(s).agg(F.sum(F.max("id")))


@call
def group_rollup_cube(s, F, T):
    p = people(s).withColumn("odd", F.col("id") % 2)
    return p.rollup("odd", "age").count().union(p.cube("odd", "age").agg(F.sum("id")))


@call
def group_grouping_sets(s, F, T):
    p = people(s).withColumn("odd", F.col("id") % 2)
    return p.groupingSets([("odd", "age"), ("odd",), ()], "odd", "age").agg(F.count("id"), F.grouping_id())


# ---- windows and generators

@call
def window_rank(s, F, T):
    from pyspark.sql import Window
    p = people(s)
    w = Window.partitionBy("age").orderBy(F.desc("id"))
    return p.select("id", F.row_number().over(w), F.rank().over(w).alias("r"), F.lag("id").over(w), F.ntile(2).over(w))


@call
def window_frames(s, F, T):
    from pyspark.sql import Window
    p = people(s)
    rows = Window.orderBy("id").rowsBetween(-1, Window.currentRow)
    between = Window.orderBy("id").rangeBetween(Window.unboundedPreceding, 1)
    return p.select("id", F.sum("id").over(rows).alias("a"), F.count("*").over(between).alias("b"),
                    F.max("id").over(Window.partitionBy()).alias("c"))


@call
def window_without_order(s, F, T):
    from pyspark.sql import Window
    return people(s).select(F.row_number().over(Window.partitionBy("age")))


@call
def generators(s, F, T):
    f = s.createDataFrame([([1, 2], {"k": 3}), ([], None)], "r array<int>, m map<string,int>")
    return (f.select(F.explode("r").alias("x")).union(f.select(F.explode_outer("r")))
            .union(f.select(F.posexplode("r").alias("p", "c")).select("p")))


# ---- joins and sets

@call
def join_condition(s, F, T):
    p, o = people(s), orders(s)
    return p.join(o, p.id == o.person).select("name", "amount")


@call
def join_left(s, F, T):
    p, o = people(s), orders(s)
    return p.join(o, p.id == o.person, "left").select(p.id, o.amount)


@call
def join_right_full(s, F, T):
    p, o = people(s), orders(s)
    return p.join(o, p.id == o.person, "full").select(p.id, o.person)


@call
def join_semi_anti(s, F, T):
    p, o = people(s), orders(s)
    semi = p.join(o, p.id == o.person, "left_semi").select("id")
    return semi.union(p.join(o, p.id == o.person, "left_anti").select(p.id * 100))


@call
def join_using(s, F, T):
    return people(s).join(orders(s).withColumnRenamed("person", "id"), "id")


@call
def join_using_outer(s, F, T):
    return people(s).join(orders(s).withColumnRenamed("person", "id"), ["id"], "outer").select("id", "amount")


@call
def join_cross(s, F, T):
    return s.range(2).crossJoin(s.range(2).withColumnRenamed("id", "k"))


@call
def join_aliases(s, F, T):
    p = people(s)
    return p.alias("a").join(p.alias("b"), F.col("a.age") == F.col("b.age")).select("a.id", "b.name")


@call
def join_self_is_ambiguous(s, F, T):
    p = people(s)
    return p.join(p, p.id == p.id).select(p.name)


@call
def join_self_renamed(s, F, T):
    p = people(s)
    older = p.select(p.id.alias("other"), p.age.alias("other_age"))
    return p.join(older, p.age < older.other_age).select(p.id, older.other)


@call
def join_after_select(s, F, T):
    p = people(s)
    q = p.filter(p.id > 1).select("id", "age")
    return q.filter(p.age == 31)


@call
def column_of_another_frame(s, F, T):
    return people(s).select(orders(s).amount)


@call
def union_rows(s, F, T):
    return s.range(2).union(s.range(2))


@call
def union_widens(s, F, T):
    return s.range(1).union(s.createDataFrame([(1.5,)], "x double"))


@call
def union_by_name(s, F, T):
    a = s.createDataFrame([(1, "x")], "a int, b string")
    return a.unionByName(s.createDataFrame([("y", 2)], "b string, a int"))


@call
def union_by_name_missing(s, F, T):
    a = s.createDataFrame([(1, "x")], "a int, b string")
    return a.unionByName(s.createDataFrame([(2, True)], "a int, c boolean"), allowMissingColumns=True)


@call
def union_by_name_refuses(s, F, T):
    a = s.createDataFrame([(1, "x")], "a int, b string")
    return a.unionByName(s.createDataFrame([(2, True)], "a int, c boolean"))


@call
def union_of_unlike_widths(s, F, T):
    return s.range(1).union(s.createDataFrame([(1, 2)], "a int, b int"))


@call
def intersect_except(s, F, T):
    a, b = s.range(4), s.range(2, 6)
    return a.intersect(b).union(a.subtract(b)).union(a.union(a).exceptAll(b)).union(a.intersectAll(b))


# ---- missing values

@call
def fill_number(s, F, T):
    return people(s).na.fill(0)


@call
def fill_text_in_columns(s, F, T):
    return people(s).fillna("?", ["name", "age"])


@call
def fill_each(s, F, T):
    return people(s).fillna({"age": 7, "name": "nobody", "score": 0.25})


@call
def drop_missing(s, F, T):
    return people(s).na.drop().select("id")


@call
def drop_missing_all(s, F, T):
    return people(s).na.drop("all", subset=["name", "score"]).select("id")


@call
def drop_missing_threshold(s, F, T):
    return people(s).dropna(thresh=3).select("id")


@call
def replace_values(s, F, T):
    return people(s).replace({"Ann": "ANN"}).replace(31, 32, ["age"])


@call
def replace_with_null(s, F, T):
    return people(s).na.replace(["Bob"], None, "name")


# ---- text forms

@call
def show_rows(s, F, T):
    return people(s)._show_string()


@call
def show_vertical(s, F, T):
    return people(s)._show_string(2, 20, True)


@call
def show_truncated(s, F, T):
    f = s.createDataFrame([("a long text of more than twenty", 1), (None, 22)], "t string, i int")
    return f._show_string(1), f._show_string(5, False), f._show_string(5, 3)


@call
def show_types(s, F, T):
    return s.sql("SELECT array(1, null) a, map('k', null) m, struct(1 x, null y) s, X'00FF' b, 1e10D d, "
                 "timestamp'2024-01-01 00:00:00' t, date'2024-01-01' da, 'a\\tb' x, '中文' w")._show_string(20, False)


@call
def show_intervals(s, F, T):
    return s.sql("SELECT interval '1 02:03:04' day to second i, interval '1-2' year to month j")._show_string(20, False)


@call
def show_interval_of_days(s, F, T):
    return s.sql("SELECT interval '1' day i")._show_string(20, False)


@call
def show_empty(s, F, T):
    return s.range(0)._show_string(), s.range(0)._show_string(20, 20, True)


@call
def html(s, F, T):
    s.conf.set("spark.sql.repl.eagerEval.enabled", "true")
    try:
        return s.createDataFrame([("<a>", 1)], "t string, i int")._repr_html_()
    finally:
        s.conf.unset("spark.sql.repl.eagerEval.enabled")


@call
def print_schema(s, F, T):
    f = s.createDataFrame([], "a int, b array<struct<c:int,d:map<string,decimal(10,2)>>>, e timestamp_ntz, f binary, "
                              "g interval day to second, h interval year to month")
    return printed(f.printSchema), printed(f.printSchema, 2)


@call
def dtypes_and_columns(s, F, T):
    p = people(s)
    return p.dtypes, p.columns, p.schema.simpleString()


@call
def to_pandas(s, F, T):
    return people(s).orderBy("id").toPandas().to_dict()


@call
def to_arrow(s, F, T):
    table = people(s).orderBy("id").toArrow()
    return str(table.schema), table.to_pylist()


@call
def to_local_iterator(s, F, T):
    return [row.id for row in s.range(5).orderBy("id").toLocalIterator()]


@call
def is_local_streaming(s, F, T):
    return s.range(1).isStreaming


@call
def repartition_and_hint(s, F, T):
    return s.range(3).repartition(2).coalesce(1).hint("broadcast").sortWithinPartitions("id")


@call
def repartition_by_nothing(s, F, T):
    return s.range(3).repartition(0).count()


# ---- SQL

@call
def sql_rows(s, F, T):
    return s.sql("SELECT id, id * 2 AS d FROM range(3)")


@call
def sql_error_in_analysis(s, F, T):
    s.sql("SELECT nope FROM range(3)")


@call
def sql_error_in_syntax(s, F, T):
    s.sql("SELEC 1")


@call
def sql_error_context(s, F, T):
    try:
        s.sql("SELECT id,\n  nope FROM range(3)")
    except Exception as error:
        context = error.getQueryContext()[0]
        return context.fragment(), context.startIndex(), context.stopIndex(), sorted(error.getMessageParameters().items())


@call
def sql_error_at_run_time(s, F, T):
    return s.sql("SELECT 1 / (id - 1) FROM range(3)")


@call
def sql_overflow(s, F, T):
    return s.sql("SELECT 9223372036854775807 + id FROM range(3)")


@call
def sql_bad_cast(s, F, T):
    return s.sql("SELECT CAST(concat('x', id) AS INT) FROM range(3)")


@call
def sql_bad_date(s, F, T):
    return s.sql("SELECT CAST(concat('x', id) AS DATE) FROM range(3)")


@call
def sql_over_a_frame(s, F, T):
    return s.sql("SELECT max(id) FROM {frame}", frame=s.range(7))


@call
def sql_types(s, F, T):
    return s.sql("SELECT 1Y a, 2S b, 3 c, 4L d, 1.5 e, 1.5D f, 'x' g, X'01' h, true i, null j, date'2024-01-01' k, "
                 "timestamp'2024-01-01 10:00:00' l, timestamp_ntz'2024-01-01 10:00:00' m, interval '1 02:03:04' day to second n, "
                 "array(1) o, map(1, 'a') p, named_struct('q', 1) r")


@call
def sql_set(s, F, T):
    s.sql("SET spark.sql.shuffle.partitions = 7")
    return s.conf.get("spark.sql.shuffle.partitions"), s.sql("SET spark.sql.shuffle.partitions").collect()


@call
def temp_view(s, F, T):
    people(s).createOrReplaceTempView("people_view")
    return s.sql("SELECT name FROM people_view WHERE id < 3")


@call
def temp_view_twice(s, F, T):
    s.range(1).createOrReplaceTempView("twice")
    s.range(1).createTempView("twice")


@call
def temp_view_over_itself(s, F, T):
    s.range(3).createOrReplaceTempView("itself")
    s.table("itself").filter("id > 0").createOrReplaceTempView("itself")
    return s.table("itself")


@call
def temp_view_keeps_what_it_was(s, F, T):
    s.range(3).createOrReplaceTempView("base_view")
    frame = s.sql("SELECT * FROM base_view WHERE id < 2")
    frame.createOrReplaceTempView("on_base")
    s.range(100, 101).createOrReplaceTempView("base_view")
    return s.table("on_base")


@call
def table_unknown(s, F, T):
    return s.table("no_such_table").collect()


@call
def merge_of_job_1(s, F, T):
    s.sql("CREATE NAMESPACE IF NOT EXISTS cat.shop")
    for table in ("target", "source"):
        s.sql(f"DROP TABLE IF EXISTS cat.shop.{table}")
        s.sql(f"CREATE TABLE cat.shop.{table} (order_id BIGINT, customer_id BIGINT, order_ts TIMESTAMP, channel STRING, "
              "product_type STRING, amount DECIMAL(12,2), status STRING) USING iceberg "
              "PARTITIONED BY (bucket(10, order_id), channel) TBLPROPERTIES ('format-version'='2', "
              "'write.delete.mode'='merge-on-read', 'write.update.mode'='merge-on-read', "
              "'write.merge.mode'='merge-on-read')")
    s.sql("INSERT INTO cat.shop.target SELECT id, id % 50, timestamp'2025-01-01 10:00:00', "
          "CASE id % 3 WHEN 0 THEN 'WEB' WHEN 1 THEN 'APP' ELSE 'STORE' END, 'BOOK', "
          "CAST(id * 1.15 AS DECIMAL(12,2)), 'ACTIVE' FROM range(1, 101)")
    s.sql("INSERT INTO cat.shop.source SELECT id, id % 50, timestamp'2025-01-03 12:00:00', "
          "CASE id % 2 WHEN 0 THEN 'WEB' ELSE 'STORE' END, 'NEW', CAST(id * 2.00 AS DECIMAL(12,2)), 'NEW' "
          "FROM range(96, 106)")
    s.sql("""MERGE INTO cat.shop.target AS tgt USING cat.shop.source AS src ON tgt.order_id = src.order_id
             WHEN MATCHED THEN UPDATE SET tgt.customer_id = src.customer_id, tgt.order_ts = src.order_ts,
               tgt.channel = src.channel, tgt.product_type = src.product_type, tgt.amount = src.amount,
               tgt.status = src.status
             WHEN NOT MATCHED THEN INSERT (order_id, customer_id, order_ts, channel, product_type, amount, status)
               VALUES (src.order_id, src.customer_id, src.order_ts, src.channel, src.product_type, src.amount,
                       src.status)""")
    return s.table("cat.shop.target").filter("order_id > 90")


@call
def merge_cardinality(s, F, T):
    s.sql("DROP TABLE IF EXISTS cat.shop.twice")
    s.sql("CREATE TABLE cat.shop.twice (k INT, v INT) USING iceberg TBLPROPERTIES ('format-version'='2', "
          "'write.merge.mode'='merge-on-read')")
    s.sql("INSERT INTO cat.shop.twice VALUES (1, 1)")
    s.sql("MERGE INTO cat.shop.twice t USING (VALUES (1, 2), (1, 3) AS s(k, v)) s ON t.k = s.k "
          "WHEN MATCHED THEN UPDATE SET v = s.v")


@call
def iceberg_snapshots(s, F, T):
    return s.table("cat.shop.target.snapshots").select("operation")


@call
def read_iceberg(s, F, T):
    return s.read.format("iceberg").load("cat.shop.target").groupBy("channel").count()


@call
def explain_has_a_physical_plan(s, F, T):
    return "== Physical Plan ==" in s.range(3).filter("id > 1")._explain_string()


# ---- writing

def fresh(spark, table, columns="id int, name string", properties=""):
    """An empty Iceberg table in place of one of that name."""
    spark.sql("CREATE NAMESPACE IF NOT EXISTS cat.wr")
    spark.sql(f"DROP TABLE IF EXISTS cat.wr.{table}")
    if columns:
        spark.sql(f"CREATE TABLE cat.wr.{table} ({columns}) USING iceberg TBLPROPERTIES ('format-version'='2', "
                  f"'write.merge.mode'='merge-on-read') {properties}")
    return f"cat.wr.{table}"


@call
def write_to_append(s, F, T):
    table = fresh(s, "appended")
    s.createDataFrame([("a", 1)], "name string, id int").writeTo(table).append()
    return s.table(table)


@call
def write_to_append_lacks_a_column(s, F, T):
    table = fresh(s, "lacking")
    s.createDataFrame([(1,)], "id int").writeTo(table).append()
    return s.table(table)


@call
def write_to_append_unlike_type(s, F, T):
    table = fresh(s, "unlike")
    s.createDataFrame([("x", "a")], "id string, name string").writeTo(table).append()


@call
def write_to_create(s, F, T):
    table = fresh(s, "created", columns="")
    s.range(3).withColumn("day", F.lit("x")).writeTo(table).using("iceberg").partitionedBy("day").create()
    return s.table(table)


@call
def write_to_create_with_transforms(s, F, T):
    table = fresh(s, "transformed", columns="")
    frame = s.createDataFrame([(1, datetime.datetime(2024, 1, 2, 3))], "id int, ts timestamp")
    frame.writeTo(table).using("iceberg").tableProperty("format-version", "2").partitionedBy(
        F.partitioning.days("ts"), F.partitioning.bucket(4, "id")).create()
    return s.table(table + ".partitions").select("partition", "record_count")


@call
def write_to_create_twice(s, F, T):
    table = fresh(s, "created_twice")
    s.range(3).writeTo(table).using("iceberg").create()


@call
def write_to_overwrite_partitions(s, F, T):
    table = fresh(s, "by_partition", "id int, p string", "PARTITIONED BY (p)")
    s.createDataFrame([(1, "a"), (2, "b")], "id int, p string").writeTo(table).append()
    s.createDataFrame([(3, "b")], "id int, p string").writeTo(table).overwritePartitions()
    return s.table(table)


@call
def write_to_overwrite_condition(s, F, T):
    table = fresh(s, "by_condition", "id int, p string", "PARTITIONED BY (p)")
    s.createDataFrame([(1, "a"), (2, "b")], "id int, p string").writeTo(table).append()
    s.createDataFrame([(4, "a")], "id int, p string").writeTo(table).overwrite(F.col("p") == "a")
    return s.table(table)


@call
def write_save_as_table(s, F, T):
    table = fresh(s, "saved", columns="")
    people(s).write.format("iceberg").saveAsTable(table)
    people(s).select("name", "id", "age", "score").write.format("iceberg").mode("append").saveAsTable(table)
    return s.table(table)


@call
def write_save_as_table_twice(s, F, T):
    table = fresh(s, "saved_twice")
    people(s).write.format("iceberg").saveAsTable(table)


@call
def write_save_as_table_ignore(s, F, T):
    table = fresh(s, "saved_ignored")
    people(s).write.format("iceberg").mode("ignore").saveAsTable(table)
    return s.table(table)


@call
def write_insert_into(s, F, T):
    table = fresh(s, "inserted")
    s.createDataFrame([(1, "a")], "x int, y string").write.insertInto(table)
    s.createDataFrame([(2, "b")], "x int, y string").write.insertInto(table, overwrite=True)
    return s.table(table)


@call
def write_format_save(s, F, T):
    table = fresh(s, "saved_by_format")
    s.createDataFrame([("a", 1)], "name string, id int").write.format("iceberg").mode("append").save(table)
    return s.table(table)


@call
def merge_into(s, F, T):
    table = fresh(s, "merged")
    s.createDataFrame([(1, "a"), (2, "b"), (3, "c")], "id int, name string").writeTo(table).append()
    source = s.createDataFrame([(2, "B"), (3, None), (4, "D")], "id int, name string")
    (source.alias("src").mergeInto(table, F.expr(f"{table}.id = src.id"))
     .whenMatched(F.col("src.name").isNull()).delete()
     .whenMatched().update({"name": F.concat(F.col("src.name"), F.lit("!"))})
     .whenNotMatched().insert({"id": F.col("src.id"), "name": F.col("src.name")})
     .whenNotMatchedBySource().update({"name": F.lit("gone")}).merge())
    return s.table(table)


@call
def merge_into_all(s, F, T):
    table = fresh(s, "merged_all")
    s.createDataFrame([(1, "a")], "id int, name string").writeTo(table).append()
    source = s.createDataFrame([(1, "A"), (2, "B")], "id int, name string")
    (source.alias("src").mergeInto(table, F.expr(f"{table}.id = src.id"))
     .whenMatched().updateAll().whenNotMatched().insertAll().merge())
    return s.table(table)


# ---- catalogs

@call
def catalog_current(s, F, T):
    return s.catalog.currentCatalog(), s.catalog.currentDatabase()


@call
def catalog_exists(s, F, T):
    table = fresh(s, "there")
    c = s.catalog
    return (c.tableExists(table), c.tableExists("cat.wr.not_there"), c.databaseExists("cat.wr"),
            c.databaseExists("cat.not_there"), c.functionExists("upper"), c.functionExists("not_there"))


@call
def catalog_columns(s, F, T):
    table = fresh(s, "columns", "a bigint not null, b array<string>, c decimal(10,2)")
    return s.catalog.listColumns(table)


@call
def catalog_temp_view(s, F, T):
    s.range(1).createOrReplaceTempView("short_lived")
    c = s.catalog
    return (c.tableExists("short_lived"), c.dropTempView("short_lived"), c.dropTempView("short_lived"),
            c.tableExists("short_lived"))


@call
def catalog_use(s, F, T):
    table = fresh(s, "used")
    try:
        s.catalog.setCurrentCatalog("cat")
        s.catalog.setCurrentDatabase("wr")
        return s.catalog.currentCatalog(), s.catalog.currentDatabase(), s.table("used").columns
    finally:
        s.catalog.setCurrentCatalog("spark_catalog")
