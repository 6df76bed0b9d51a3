#!/usr/bin/env python3
"""Writes Parquet files of every layout that key pages can have, from a seed, for pages_against_plain.

  make_files.py OUT_DIR SEED [ICEBERG_SPARK_RUNTIME_JAR]

OUT_DIR/tables.tsv has one line per table: name, key columns ("name:field id:type" joined by ";"), files joined by ";".
OUT_DIR/<table>.keys.parquet holds candidate keys: values of the table, near misses, extremes.
"""
import datetime
import glob
import math
import pathlib
import random
import shutil
import sys
import tempfile
from decimal import Decimal

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

OUT = pathlib.Path(sys.argv[1])
RANDOM = random.Random(int(sys.argv[2]))
START = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
PREFIX = "a-prefix-that-is-longer-than-the-sixty-four-bytes-that-writers-keep-of-it-"


def number(i):
    return i * 7 - 5000


# Type name -> (Arrow type of the table, value of the i-th key, other Arrow types that files may use).
KINDS = {
    "bigint": (pa.int64(), number, [pa.int32()]),
    "int": (pa.int32(), lambda i: i % 97, [pa.int16()]),
    "string": (pa.string(), lambda i: PREFIX + f"{i:05}" if i % 3 else f"{i:05}" if i % 5 else "", []),
    "binary": (pa.binary(), lambda i: bytes([i % 256, 255, i // 256 % 256]), []),
    "decimal(12,2)": (pa.decimal128(12, 2), lambda i: Decimal(number(i)) / 100, [pa.decimal128(9, 2)]),
    "decimal(30,3)": (pa.decimal128(30, 3), lambda i: Decimal(number(i)) * 10**20, []),
    "date": (pa.date32(), lambda i: (START + datetime.timedelta(days=i % 4000)).date(), []),
    "timestamp": (pa.timestamp("us", "UTC"), lambda i: START + datetime.timedelta(seconds=number(i)),
                  [pa.timestamp("ms", "UTC"), pa.timestamp("ns", "UTC")]),
    "timestamp_ntz": (pa.timestamp("us"), lambda i: (START + datetime.timedelta(seconds=number(i))).replace(tzinfo=None),
                      [pa.timestamp("ms")]),
    "double": (pa.float64(), lambda i: (math.nan, 0.0, -0.0, math.inf, -math.inf)[i % 1000] if i % 1000 < 5
               else number(i) / 8, [pa.float32()]),
    "boolean": (pa.bool_(), lambda i: i % 5000 < 4000, []),
}
TABLES = [("k_bigint", ["bigint"]), ("k_string", ["string"]), ("k_binary", ["binary"]), ("k_dec12", ["decimal(12,2)"]),
          ("k_dec30", ["decimal(30,3)"]), ("k_date", ["date"]), ("k_ts", ["timestamp"]), ("k_ntz", ["timestamp_ntz"]),
          ("k_double", ["double"]), ("k_boolean", ["boolean"]), ("k_long_string", ["bigint", "string"]),
          ("k_date_int", ["date", "int"]), ("k_three", ["int", "decimal(12,2)", "string"])]


def key_order(count):
    """Which key each row has: sorted, in clusters, at random, or repeated."""
    style = RANDOM.choice(["sorted", "clusters", "random", "repeated"])
    offset = RANDOM.randrange(20000)
    rows = [offset + i for i in range(count)]
    if style == "repeated":
        rows = [offset + i // 20 for i in range(count)]
    if style == "random":
        RANDOM.shuffle(rows)
    if style == "clusters":
        blocks = [rows[i:i + 300] for i in range(0, count, 300)]
        RANDOM.shuffle(blocks)
        rows = [i for block in blocks for i in block]
    return rows


def column(kind, rows, nulls):
    arrow, value, narrower = KINDS[kind]
    values = [value(i) for i in rows]
    if nulls:
        first = RANDOM.randrange(len(rows))
        for i in range(first, min(len(rows), first + RANDOM.randrange(1500))):
            values[i] = None
        for i in range(0, len(rows), RANDOM.randrange(3, 50)):
            values[i] = None
    if narrower and RANDOM.random() < 0.3:
        arrow = RANDOM.choice(narrower)
    return pa.array(values, arrow)


def pyarrow_file(path, kinds):
    count = RANDOM.randrange(1, 9000)
    rows = key_order(count)
    arrays, fields = [], []
    for i, kind in enumerate(kinds):
        nulls = RANDOM.random() < 0.5
        arrays.append(column(kind, rows, nulls))
        fields.append(pa.field(f"c{i}", arrays[-1].type, nulls or RANDOM.random() < 0.5,
                               metadata={b"PARQUET:field_id": str(i + 1).encode()}))
    # Columns that are no key stand before and behind.
    arrays += [pa.array([f"payload{i}" * (1 + i % 5) for i in range(count)]), pa.array(range(count))]
    fields += [pa.field("p", pa.string(), metadata={b"PARQUET:field_id": b"90"}),
               pa.field("q", pa.int64(), False, metadata={b"PARQUET:field_id": b"91"})]
    order = RANDOM.sample(range(len(arrays)), len(arrays))
    table = pa.table([arrays[i] for i in order], pa.schema([fields[i] for i in order]))
    dictionary = RANDOM.choice([True, False, True])
    encodings = {}
    if not dictionary and RANDOM.random() < 0.5:
        encodings = {"column_encoding": {f"c{i}": "DELTA_BINARY_PACKED" for i, a in enumerate(arrays[:len(kinds)])
                                         if pa.types.is_integer(a.type)}}
    pq.write_table(
        table, path, write_page_index=RANDOM.random() < 0.8, row_group_size=RANDOM.randrange(500, 9000),
        compression=RANDOM.choice(["none", "snappy", "gzip", "zstd", "lz4"]),
        data_page_version=RANDOM.choice(["1.0", "2.0"]), use_dictionary=dictionary,
        dictionary_pagesize_limit=RANDOM.choice([1000, 1 << 20]), store_decimal_as_integer=RANDOM.random() < 0.5,
        data_page_size=RANDOM.choice([2000, 1 << 20]), write_batch_size=RANDOM.choice([10, 64, 1024]),
        max_rows_per_page=RANDOM.choice([37, 100, 700, 20000]), **encodings)


def large_dictionary_file(path):
    """A dictionary of more than 64 KiB that the writer gives up half-way: later pages do not need it."""
    rows = list(range(20000))
    table = pa.table([column("string", rows, False)], pa.schema([
        pa.field("c0", pa.string(), RANDOM.random() < 0.5, metadata={b"PARQUET:field_id": b"1"})]))
    pq.write_table(table, path, write_page_index=True, compression="none", dictionary_pagesize_limit=300000,
                   max_rows_per_page=700)


def duckdb_file(path, kinds):
    count = RANDOM.randrange(1, 9000)
    rows = key_order(count)
    rows_table = pa.table([column(kind, rows, RANDOM.random() < 0.5).cast(KINDS[kind][0]) for kind in kinds],
                     [f"c{i}" for i in range(len(kinds))])
    ids = ", ".join(f"c{i}: {i + 1}" for i in range(len(kinds)))
    duckdb.execute(f"COPY (FROM rows_table) TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 2048, FIELD_IDS {{{ids}}}, "
                   f"COMPRESSION {RANDOM.choice(['zstd', 'snappy', 'gzip', 'uncompressed', 'lz4_raw'])}, "
                   f"PARQUET_VERSION {RANDOM.choice(['v1', 'v2'])})")


def spark_files(jar):
    """One Iceberg file per table and codec, copied out of a scratch warehouse."""
    from pyspark.sql import SparkSession
    with tempfile.TemporaryDirectory() as scratch:
        spark = (SparkSession.builder.master("local[2]").config("spark.jars", jar)
                 .config("spark.sql.catalog.cat", "org.apache.iceberg.spark.SparkCatalog")
                 .config("spark.sql.catalog.cat.type", "hadoop").config("spark.sql.catalog.cat.warehouse", scratch)
                 .config("spark.ui.enabled", "false").config("spark.sql.session.timeZone", "UTC").getOrCreate())
        for name, kinds in TABLES:
            for codec in RANDOM.sample(["zstd", "snappy", "gzip", "uncompressed"], 2):
                rows = key_order(RANDOM.randrange(1000, 9000))
                source = f"{scratch}/{name}_{codec}.source.parquet"
                pq.write_table(pa.table([column(k, rows, True).cast(KINDS[k][0]) for k in kinds],
                                        [f"c{i}" for i in range(len(kinds))]), source)
                columns = ", ".join(f"c{i} {kind}" for i, kind in enumerate(kinds))
                spark.sql(f"""
                    CREATE TABLE cat.db.{name}_{codec} ({columns}) USING iceberg
                    TBLPROPERTIES ('write.parquet.page-row-limit' = '{RANDOM.choice([50, 333, 20000])}',
                                   'write.parquet.row-group-size-bytes' = '{RANDOM.choice([20000, 100000000])}',
                                   'write.parquet.dict-size-bytes' = '{RANDOM.choice([1000, 2000000])}',
                                   'write.parquet.compression-codec' = '{codec}')""")
                spark.read.parquet(source).coalesce(1).writeTo(f"cat.db.{name}_{codec}").append()
                for i, file in enumerate(sorted(glob.glob(f"{scratch}/db/{name}_{codec}/data/*.parquet"))):
                    shutil.copy(file, OUT / f"{name}.spark_{codec}{i}.parquet")


def keys_file(name, kinds):
    """Values of rows, and tuples mixed from several rows, which are near misses."""
    tuples = []
    for _ in range(400):
        rows = [RANDOM.randrange(-100, 32000)] * len(kinds)
        if RANDOM.random() < 0.3:
            rows = [i + RANDOM.randrange(-50, 50) for i in rows]
        tuples.append([KINDS[kind][1](abs(i)) for kind, i in zip(kinds, rows)])
    if kinds == ["double"]:
        tuples += [[math.nan], [0.0], [-0.0], [math.inf], [-math.inf]]
    if kinds == ["bigint"]:
        tuples += [[2**63 - 1], [-2**63], [0], [-1]]
    if kinds == ["string"]:
        tuples += [[""], [PREFIX], [PREFIX[:64]], [PREFIX + "zzzz"], ["\U0010ffff" * 20]]
    arrays = [pa.array([t[i] for t in tuples], KINDS[kind][0]) for i, kind in enumerate(kinds)]
    pq.write_table(pa.table(arrays, [f"c{i}" for i in range(len(kinds))]), OUT / f"{name}.keys.parquet")


for name, kinds in TABLES:
    for i in range(8):
        pyarrow_file(OUT / f"{name}.pyarrow{i}.parquet", kinds)
    for i in range(2):
        duckdb_file(OUT / f"{name}.duckdb{i}.parquet", kinds)
    keys_file(name, kinds)
large_dictionary_file(OUT / "k_string.pyarrow_dictionary.parquet")
if len(sys.argv) > 3:
    spark_files(sys.argv[3])
with open(OUT / "tables.tsv", "w") as tables:
    for name, kinds in TABLES:
        key = ";".join(f"c{i}:{i + 1}:{kind}" for i, kind in enumerate(kinds))
        files = [f for f in sorted(glob.glob(f"{OUT}/{name}.*.parquet")) if not f.endswith(".keys.parquet")]
        tables.write(f"{name}\t{key}\t{';'.join(files)}\n")
