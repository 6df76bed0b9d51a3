"""Arrow streams, read and written again by Weir, read equal in pyarrow and in Spark, with the schema that Spark writes."""
import datetime
import decimal
import io
import random
import subprocess

import pyarrow as pa
import pytest

from conftest import ROOT

COPY = ROOT / "build/test/interop/arrow_copy"
ZONE = "America/New_York"
UTC = datetime.timezone.utc


def stream_of(batches, schema, **options):
    out = io.BytesIO()
    with pa.ipc.new_stream(out, schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        for batch in batches:
            writer.write_batch(batch)
    return out.getvalue()


def attempt(stream, zone=ZONE):
    return subprocess.run([COPY, zone], input=stream, capture_output=True, timeout=60)


def copy(stream, zone=ZONE):
    done = attempt(stream, zone)
    assert done.returncode == 0, done.stderr.decode()
    reader = pa.ipc.open_stream(done.stdout)
    batches = list(reader)
    for batch in batches:
        batch.validate(full=True)
    return reader.schema, batches


def spark_schema(kind):
    """The type as Spark names its parts."""
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return pa.list_(pa.field("element", spark_schema(kind.value_type), kind.value_field.nullable))
    if pa.types.is_map(kind):
        return pa.map_(pa.field("key", spark_schema(kind.key_type), nullable=False),
                       pa.field("value", spark_schema(kind.item_type), kind.item_field.nullable))
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(f.name, spark_schema(f.type), f.nullable) for f in kind])
    if pa.types.is_timestamp(kind) and kind.tz:
        return pa.timestamp("us", ZONE)
    return {pa.large_string(): pa.string(), pa.large_binary(): pa.binary()}.get(kind, kind)


def check(batches, schema, **options):
    copied_schema, copied = copy(stream_of(batches, schema, **options))
    expected = pa.schema([pa.field(f.name, spark_schema(f.type), f.nullable) for f in schema])
    assert copied_schema.equals(expected, check_metadata=True), f"{copied_schema}\n{expected}"
    assert [batch.num_rows for batch in copied] == [batch.num_rows for batch in batches]
    for ours, theirs in zip(copied, batches):
        for number, field in enumerate(expected):
            assert ours.column(number).equals(theirs.column(number).cast(field.type)), field


PLAIN = {
    pa.null(): lambda r: None,
    pa.bool_(): lambda r: r.random() < 0.5,
    pa.int8(): lambda r: r.randrange(-128, 128),
    pa.int16(): lambda r: r.randrange(-2**15, 2**15),
    pa.int32(): lambda r: r.randrange(-2**31, 2**31),
    pa.int64(): lambda r: r.randrange(-2**63, 2**63),
    pa.float32(): lambda r: float(r.randrange(1000)),
    pa.float64(): lambda r: r.choice([float("inf"), -0.0, r.random()]),
    pa.decimal128(5, 2): lambda r: decimal.Decimal(r.randrange(-99999, 100000)).scaleb(-2),
    pa.decimal128(38, 0): lambda r: decimal.Decimal(r.randrange(10**38)),
    pa.date32(): lambda r: datetime.date(1, 1, 1) + datetime.timedelta(days=r.randrange(3000000)),
    pa.time64("ns"): lambda r: datetime.time(r.randrange(24), r.randrange(60), r.randrange(60), r.randrange(10**6)),
    pa.timestamp("us", "Asia/Tokyo"): lambda r: datetime.datetime.fromtimestamp(r.randrange(2**31), UTC),
    pa.timestamp("us"): lambda r: datetime.datetime(1900, 1, 1) + datetime.timedelta(microseconds=r.randrange(2**57)),
    pa.duration("us"): lambda r: datetime.timedelta(microseconds=r.randrange(-2**50, 2**50)),
    pa.string(): lambda r: r.choice(["", "x", "é😀" * r.randrange(20)]),
    pa.binary(): lambda r: r.randbytes(r.randrange(20)),
    pa.large_string(): lambda r: "é" * r.randrange(20),
    pa.large_binary(): lambda r: r.randbytes(r.randrange(20)),
}


def random_type(r, depth):
    if depth == 0 or r.random() < 0.5:
        return r.choice(list(PLAIN))
    kind = r.choice(["list", "large_list", "struct", "map"])
    if kind == "list":
        return pa.list_(pa.field("item", random_type(r, depth - 1), nullable=r.random() < 0.9))
    if kind == "large_list":
        return pa.large_list(random_type(r, depth - 1))
    if kind == "struct":
        return pa.struct([pa.field(f"f{i}", random_type(r, depth - 1)) for i in range(r.randrange(1, 4))])
    return pa.map_(r.choice([pa.int32(), pa.string()]), random_type(r, depth - 1))


def random_value(r, kind, nullable=True):
    if nullable and (r.random() < 0.2 or pa.types.is_null(kind)):
        return None
    if kind in PLAIN:
        return PLAIN[kind](r)
    if pa.types.is_struct(kind):
        return {f.name: random_value(r, f.type) for f in kind}
    count = r.randrange(4)
    if pa.types.is_map(kind):
        return [(i if pa.types.is_integer(kind.key_type) else str(i), random_value(r, kind.item_type)) for i in range(count)]
    return [random_value(r, kind.value_type, kind.value_field.nullable) for _ in range(count)]


def has_required_void(kind):
    if pa.types.is_list(kind) and pa.types.is_null(kind.value_type) and not kind.value_field.nullable:
        return True
    return any(has_required_void(kind.field(i).type) for i in range(kind.num_fields))


@pytest.mark.parametrize("seed", range(40))
def test_random_streams_of_pyarrow(seed):
    r = random.Random(seed)
    kinds = [k for k in (random_type(r, 3) for _ in range(r.randrange(1, 8))) if not has_required_void(k)]
    rows = r.choice([0, 1, 7, 200])
    arrays = [pa.array([random_value(r, kind) for _ in range(rows)], kind) for kind in kinds]
    schema = pa.schema([pa.field(r.choice(["a", "b"]), kind) for kind in kinds])
    whole = pa.record_batch(arrays, schema=schema) if kinds else pa.record_batch([], schema=schema)
    cut = r.randrange(rows + 1)
    batches = r.choice([[], [whole], [whole.slice(0, cut), whole.slice(cut)], [whole.slice(cut), whole, whole.slice(0, 0)]])
    check(batches, schema, **r.choice([{}, {"compression": "zstd"}, {"metadata_version": pa.ipc.MetadataVersion.V4},
                                       {"use_legacy_format": True}]))


def test_every_plain_type():
    r = random.Random(1)
    for kind in PLAIN:
        array = pa.array([random_value(r, kind) for _ in range(100)] + [None], kind)
        check([pa.record_batch([array], names=["c"])], pa.schema([("c", kind)]))


@pytest.mark.parametrize("kind,value,name", [
    (pa.uint8(), 1, "Int(8, false)"), (pa.uint64(), 1, "Int(64, false)"), (pa.float16(), 1.0, "FloatingPoint(HALF)"),
    (pa.timestamp("ns"), 1, "Timestamp(NANOSECOND, null)"), (pa.timestamp("ms", "UTC"), 1, "Timestamp(MILLISECOND, UTC)"),
    (pa.duration("s"), 1, "Duration(SECOND)"), (pa.time64("us"), 1, "Time(MICROSECOND, 64)"),
    (pa.time32("s"), 1, "Time(SECOND, 32)"), (pa.date64(), 1, "Date(MILLISECOND)"),
    (pa.list_(pa.int32(), 1), [1], "FixedSizeList(1)"), (pa.binary(2), b"ab", "FixedSizeBinary(2)"),
    (pa.string_view(), "a", "Utf8View"), (pa.binary_view(), b"a", "BinaryView"), (pa.list_view(pa.int32()), [1], "ListView"),
])
def test_types_that_spark_refuses_are_refused_as_spark_does(spark, kind, value, name):
    batch = pa.record_batch([pa.array([value], kind)], names=["c"])
    stream = stream_of([batch], batch.schema)
    done = attempt(stream)
    assert done.returncode == 1
    message = done.stderr.decode()
    assert "[UNSUPPORTED_ARROWTYPE]" in message and message.count(name) == 1 and "SQLSTATE: 0A000" in message
    with pytest.raises(Exception, match="UNSUPPORTED_ARROWTYPE") as error:
        converters(spark).fromIPCStream(stream)
    assert f"Unsupported arrow type {name}." in str(error.value)


@pytest.mark.parametrize("array,options,message", [
    (pa.array(["a", "b", "a"]).dictionary_encode(), {}, "column 'c': an Arrow dictionary"),
    (pa.array(["a"]), {"compression": "lz4"}, "LZ4_FRAME"),
    (pa.array([(1, 2, 3)], pa.month_day_nano_interval()), {}, "Interval(MONTH_DAY_NANO)"),
    (pa.array([decimal.Decimal(1)], pa.decimal256(50, 2)), {}, "Decimal(50, 2, 256)"),
    (pa.array([decimal.Decimal(1)], pa.decimal64(5, 2)), {}, "Decimal(5, 2, 64)"),
    (pa.array([1001], pa.time64("ns")), {}, "finer than microseconds"),
])
def test_other_features_are_refused_by_name(array, options, message):
    batch = pa.record_batch([array], names=["c"])
    done = attempt(stream_of([batch], batch.schema, **options))
    assert done.returncode == 1
    assert message in done.stderr.decode()


def converters(spark):
    name = "org.apache.spark.sql.execution.arrow.ArrowConverters$"
    return spark._jvm.java.lang.Class.forName(name).getField("MODULE$").get(None)


def spark_writes(spark, rows, schema):
    """What Spark Connect sends for rows of one batch."""
    streams = converters(spark).toBatchWithSchemaIterator(rows, schema, 10000, 1 << 22, ZONE, False, False)
    return bytes(streams.next() if streams.hasNext() else converters(spark).createEmptyArrowBatch(schema, ZONE, False, False))


def assert_same(stream, expected):
    ours, theirs = pa.ipc.open_stream(stream), pa.ipc.open_stream(expected)
    assert ours.schema.equals(theirs.schema, check_metadata=True), f"{ours.schema}\n{theirs.schema}"
    ours, theirs = list(ours), list(theirs)
    assert len(ours) == len(theirs)
    for batch, other in zip(ours, theirs):
        batch.validate(full=True)
        assert batch.equals(other)


QUERIES = [
    """SELECT NULL v, true b, 1Y i8, 1S i16, id, id * 2 i64, 1F f, 1D d, CAST(id AS DECIMAL(20, 3)) dec, DATE '2020-01-01' dt,
       TIMESTAMP '2020-01-01 00:00:00' ts, TIMESTAMP_NTZ '2020-01-01 00:00:00' tn, concat('é', id) s, X'00' bin,
       INTERVAL '1-2' YEAR TO MONTH ym, INTERVAL '3' HOUR dts, TIME '12:00:00.123456' tm FROM range(100)""",
    "SELECT if(id % 3 = 0, NULL, id) a, if(id % 2 = 0, NULL, string(id)) a, if(id > 5, NULL, id > 2) b FROM range(70)",
    """SELECT array(1, NULL) a, array(array('x'), array()) aa, map('k', 1, 'l', NULL) m, map(1, map('x', 2)) mm,
       named_struct('a', 1, 'a', NULL, 'b', named_struct('c', 'x', 'c', array(named_struct('d', 1, 'd', 2)))) st FROM range(9)""",
    "SELECT array(if(id % 2 = 0, NULL, named_struct('x', id))) a, if(id % 3 = 0, NULL, map(id, NULL)) m FROM range(9)",
    "SELECT id, 'x' s, array(id) a, map(id, id) m FROM range(5) WHERE id < 0",
    "SELECT CAST('x' AS CHAR(3)) ch, CAST('x' AS VARCHAR(3)) vc, 'x' COLLATE UTF8_LCASE co",
]


@pytest.mark.parametrize("query", QUERIES)
def test_streams_of_spark(spark, query):
    frame = spark.sql(query)
    stream = spark_writes(spark, frame._jdf.queryExecution().executedPlan().executeToIterator(), frame._jdf.schema())
    copied = attempt(stream).stdout
    assert_same(copied, stream)
    read = converters(spark).fromIPCStream(copied)
    assert_same(spark_writes(spark, read._1(), read._2()), stream)


def test_rows_without_columns():
    schema, batches = copy(stream_of([pa.record_batch([pa.array([1, 2])], names=["c"]).select([])], pa.schema([])))
    assert len(schema) == 0 and [batch.num_rows for batch in batches] == [2]


def test_rows_of_the_client_of_spark_connect():
    """What createDataFrame makes of Python's values comes back to Python as the client's collect makes it of results."""
    from pyspark.sql import types as t
    from pyspark.sql.conversion import ArrowTableToRowsConversion, LocalDataToArrowConversion

    inner = t.StructType([t.StructField("x", t.LongType(), False), t.StructField("y", t.StringType())])
    schema = t.StructType([
        t.StructField("b", t.BooleanType()), t.StructField("i", t.ByteType(), False), t.StructField("f", t.FloatType()),
        t.StructField("dec", t.DecimalType(10, 2)), t.StructField("d", t.DateType()), t.StructField("ts", t.TimestampType()),
        t.StructField("tn", t.TimestampNTZType()), t.StructField("dt", t.DayTimeIntervalType()), t.StructField("s", t.StringType()),
        t.StructField("bin", t.BinaryType()), t.StructField("a", t.ArrayType(t.IntegerType())), t.StructField("st", inner),
        t.StructField("m", t.MapType(t.StringType(), inner)), t.StructField("v", t.NullType())])
    full = (True, 1, 1.5, decimal.Decimal("-1.25"), datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1, 12),
            datetime.datetime(1, 1, 1), datetime.timedelta(days=1, microseconds=1), "é", b"\0", [1, None], (1, None),
            {"k": (2, "y"), "n": None}, None)
    empty = (None, 2) + (None,) * 12
    for large in (False, True):
        table = LocalDataToArrowConversion.convert([full, empty, full], schema, large)
        copied_schema, batches = copy(stream_of(table.to_batches(), table.schema))
        rows = ArrowTableToRowsConversion.convert(pa.Table.from_batches(batches, copied_schema), schema)
        assert rows == ArrowTableToRowsConversion.convert(table, schema)
        assert [field.nullable for field in copied_schema] == [field.nullable for field in schema]
