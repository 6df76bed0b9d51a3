"""Groups, windows and generators."""
from calls.asking import call
from calls.data import people


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
