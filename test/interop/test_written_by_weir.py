"""What Weir writes is read with equal rows by Spark + Iceberg, pyiceberg and, file by file, spark.read.parquet."""
from conftest import MERGE_ON_READ, sort_rows

ORDERS = ("(order_id BIGINT, customer_id BIGINT, order_ts TIMESTAMP, channel STRING, amount DECIMAL(12,2), status STRING) "
          "USING iceberg PARTITIONED BY (bucket(4, order_id), channel)")


def make_orders(lake, name, rows):
    lake.weir.run(f"CREATE TABLE cat.db.{name} {ORDERS} {MERGE_ON_READ}",
                  f"""INSERT INTO cat.db.{name} SELECT id, id % 7, TIMESTAMP '2025-01-03 10:00:00',
                      CASE id % 3 WHEN 0 THEN 'WEB' WHEN 1 THEN 'APP' ELSE 'STORE' END,
                      CAST(id * 1.15 AS DECIMAL(12,2)), 'ACTIVE' FROM range(1, {rows + 1})""")


def pyiceberg_rows(lake, name, columns):
    table = lake.pyiceberg(name).scan(selected_fields=tuple(columns)).to_arrow()
    return sort_rows([tuple(None if row[c] is None else str(row[c]) for c in columns) for row in table.to_pylist()])


def assert_same_everywhere(lake, name, columns=("order_id", "customer_id", "channel", "amount", "status")):
    query = f"SELECT {', '.join(columns)} FROM cat.db.{name}"
    spark = lake.spark_rows(query)
    assert sort_rows([tuple(None if v is None else str(v) for v in row) for row in lake.weir.rows(query)]) == spark
    assert pyiceberg_rows(lake, name, columns) == spark
    return spark


def test_create_and_insert(lake):
    make_orders(lake, "t", 300)
    assert len(assert_same_everywhere(lake, "t")) == 300
    assert lake.spark_rows("SELECT min(order_ts), max(order_ts) FROM cat.db.t") == [
        ("2025-01-03 10:00:00", "2025-01-03 10:00:00")]


def test_merge_update_delete(lake):
    make_orders(lake, "t", 300)
    lake.weir.run(f"CREATE TABLE cat.db.s {ORDERS}",
                  """INSERT INTO cat.db.s SELECT id, id, TIMESTAMP '2025-01-04 09:00:00', 'WEB',
                     CAST(id * 2 AS DECIMAL(12,2)), 'NEW' FROM range(291, 311)""",
                  """MERGE INTO cat.db.t AS tgt USING cat.db.s AS src ON tgt.order_id = src.order_id
                     WHEN MATCHED THEN UPDATE SET tgt.channel = src.channel, tgt.status = src.status
                     WHEN NOT MATCHED THEN INSERT *""")
    rows = assert_same_everywhere(lake, "t")
    assert len(rows) == 310 and sum(row[4] == "NEW" for row in rows) == 20
    lake.weir.run("UPDATE cat.db.t SET amount = amount + 1 WHERE order_id <= 5")
    assert_same_everywhere(lake, "t")
    lake.weir.run("DELETE FROM cat.db.t WHERE channel = 'APP' AND order_id % 2 = 0")
    rows = assert_same_everywhere(lake, "t")
    assert all(row[2] != "APP" or int(row[0]) % 2 for row in rows)


def test_evolved_partition_spec(lake):
    make_orders(lake, "t", 60)
    lake.weir.run("ALTER TABLE cat.db.t ADD PARTITION FIELD days(order_ts)",
                  "ALTER TABLE cat.db.t DROP PARTITION FIELD channel",
                  "INSERT INTO cat.db.t VALUES (1000, 1, TIMESTAMP '1969-12-31 23:30:00', 'WEB', 1.5, 'OLD')",
                  "DELETE FROM cat.db.t WHERE order_id IN (3, 1000)",
                  "UPDATE cat.db.t SET status = 'LATE' WHERE order_id = 4")
    assert len(assert_same_everywhere(lake, "t")) == 59
    # Deletes of old files carry the old spec, or no reader would apply them.
    assert ("1", "0") in {(row[0], row[1]) for row in lake.spark_rows("SELECT content, spec_id FROM cat.db.t.files")}


def test_spark_merges_what_weir_merged(lake):
    make_orders(lake, "t", 100)
    lake.weir.run("DELETE FROM cat.db.t WHERE order_id = 7")
    lake.spark("DELETE FROM cat.db.t WHERE order_id = 8")
    lake.weir.run("UPDATE cat.db.t SET status = 'W' WHERE order_id = 9")
    lake.spark("UPDATE cat.db.t SET status = 'S' WHERE order_id = 10")
    rows = {row[0]: row[4] for row in assert_same_everywhere(lake, "t")}
    assert len(rows) == 98 and rows["9"] == "W" and rows["10"] == "S"


ALL_TYPES = {
    "b": ("BOOLEAN", ["true", "false"]), "i": ("INT", ["-2147483648", "7"]), "l": ("BIGINT", ["9007199254740993", "-1"]),
    "f": ("FLOAT", ["1.5", "-0.0"]), "d": ("DOUBLE", ["1.0E300", "NaN"]),
    "dec9": ("DECIMAL(9,2)", ["1234567.89", "-0.01"]), "dec18": ("DECIMAL(18,4)", ["12345678901234.5678", "0.0001"]),
    "dec38": ("DECIMAL(38,10)", ["1234567890123456789012345678.0123456789", "-5.0000000000"]),
    "s": ("STRING", ["", "h\u00e9\u4e16\U0001f600"]), "bin": ("BINARY", ["abc", ""]),
    "dt": ("DATE", ["0001-01-01", "9999-12-31"]), "ts": ("TIMESTAMP", ["1969-12-31 23:59:59.999999", "2024-02-29 12:00:00"]),
    "ntz": ("TIMESTAMP_NTZ", ["1969-12-31 23:59:59.999999", "2024-02-29 12:00:00"]),
}


def test_one_file_per_type_for_every_reader(lake):
    import pyarrow.parquet

    for name, (kind, values) in ALL_TYPES.items():
        lake.weir.run(f"CREATE TABLE cat.db.{name} (k INT, v {kind}) USING iceberg",
                      f"INSERT INTO cat.db.{name} VALUES (1, CAST('{values[0]}' AS {kind})), "
                      f"(2, CAST('{values[1]}' AS {kind})), (3, NULL)")
        expected = [("1", values[0]), ("2", values[1]), ("3", None)]
        assert lake.spark_rows(f"SELECT k, v FROM cat.db.{name}") == expected, kind
        files = [str(file) for file in lake.table_folder(name).rglob("data/**/*.parquet")]
        direct = lake.session.read.parquet(*files)
        assert sorted(tuple(row) for row in direct.select(direct.k.cast("string"), direct.v.cast("string")).collect()) == (
            sorted(expected, key=lambda row: row[0])), kind
        assert lake.pyiceberg(name).scan().to_arrow().num_rows == 3
        assert sum(pyarrow.parquet.ParquetFile(file).metadata.num_rows for file in files) == 3


def test_nested_types(lake):
    lake.weir.run("""CREATE TABLE cat.db.n (id INT, s STRUCT<x: INT, y: STRING>, l ARRAY<INT>, m MAP<STRING, INT>,
                     ls ARRAY<STRUCT<p: INT>>) USING iceberg""",
                  """INSERT INTO cat.db.n VALUES (1, named_struct('x', 1, 'y', 'a'), array(1, NULL), map('k', 1),
                     array(named_struct('p', 1))), (2, NULL, NULL, NULL, NULL)""")
    assert lake.spark_rows("SELECT id, s, l, m, ls FROM cat.db.n") == [
        ("1", "{1, a}", "[1, null]", "{k -> 1}", "[{1}]"), ("2", None, None, None, None)]
    assert lake.pyiceberg("n").scan().to_arrow().num_rows == 2
