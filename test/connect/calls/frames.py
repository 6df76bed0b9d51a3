"""Frames out of rows, ranges and pandas."""
import datetime
import decimal

from calls.asking import call
from calls.data import people


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
