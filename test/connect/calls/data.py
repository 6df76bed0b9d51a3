"""Frames and tables that the calls use."""


def people(spark):
    return spark.createDataFrame(
        [(1, "Ann", 31, 1.5), (2, "Bob", None, 2.5), (3, None, 45, float("nan")), (4, "Dan", 31, None)],
        "id int, name string, age int, score double")


def orders(spark):
    return spark.createDataFrame([(1, 10), (1, 20), (3, 30), (9, 90)], "person int, amount int")


def fresh(spark, table, columns="id int, name string", properties=""):
    """An empty Iceberg table in place of one of that name."""
    spark.sql("CREATE NAMESPACE IF NOT EXISTS cat.wr")
    spark.sql(f"DROP TABLE IF EXISTS cat.wr.{table}")
    if columns:
        spark.sql(f"CREATE TABLE cat.wr.{table} ({columns}) USING iceberg TBLPROPERTIES ('format-version'='2', "
                  f"'write.merge.mode'='merge-on-read') {properties}")
    return f"cat.wr.{table}"
