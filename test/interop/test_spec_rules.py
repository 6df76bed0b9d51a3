"""Rules of the Iceberg spec that only other writers' tables can show; Spark is asked the same questions."""
import datetime
import decimal
import json
import shutil
import uuid

import pytest
from conftest import MERGE_ON_READ
from test_written_by_others import add_equality_delete, same_rows


def test_files_without_field_ids(lake, tmp_path):
    """Columns by name mapping, a partition value for a column that the file lacks, timestamps in INT96."""
    folder = tmp_path / "plain"
    lake.spark("""SELECT id, concat('v', id) AS v, named_struct('a', int(id), 'b', 'x') AS s,
                         timestamp '1969-12-31 23:59:59.5' + make_interval(0, 0, 0, int(id)) AS ts, id % 2 AS p FROM range(10)
                  """).write.partitionBy("p").parquet(str(folder))
    lake.spark(f"""CREATE TABLE cat.db.t (id BIGINT, v STRING, s STRUCT<a: INT, b: STRING>, ts TIMESTAMP, p BIGINT)
                   USING iceberg PARTITIONED BY (p) {MERGE_ON_READ}""")
    lake.spark(f"CALL cat.system.add_files(table => 'db.t', source_table => '`parquet`.`{folder}`')")
    assert len(same_rows(lake, "SELECT id, v, s.a, s.b, ts, p FROM cat.db.t")) == 10
    same_rows(lake, "SELECT id FROM cat.db.t WHERE p = 1 AND ts < TIMESTAMP '1970-01-05 00:00:00'")
    # The mapping gives a name to the column that has it last: v is the new column now, and w finds nothing.
    lake.spark("ALTER TABLE cat.db.t RENAME COLUMN v TO w")
    lake.spark("ALTER TABLE cat.db.t ADD COLUMN v STRING")
    lake.weir.run("UPDATE cat.db.t SET v = 'set' WHERE id = 3",
                  "MERGE INTO cat.db.t USING (SELECT 4L AS id UNION ALL SELECT 99L) s ON t.id = s.id "
                  "WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id, p) VALUES (s.id, 1)")
    rows = same_rows(lake, "SELECT id, w, v, s.b, ts, p FROM cat.db.t")
    assert len(rows) == 10 and ("3", None, "set", "x", "1970-01-03 23:59:59.5", "1") in rows


def test_names_of_a_mapping_are_taken_at_their_level(lake, tmp_path):
    """Columns and members that are called as the inner levels of lists and maps are in Parquet."""
    folder = tmp_path / "plain"
    query = """SELECT id, id + 1 AS list, id + 2 AS key_value, named_struct('list', id, 'element', -id, 'key_value', 7) AS s,
                      array(named_struct('list', id, 'key', 'k')) AS l, map('a', array(id), 'b', array()) AS m FROM range(3)"""
    lake.spark(query).write.parquet(str(folder))
    lake.spark(f"""CREATE TABLE cat.db.t (id BIGINT, list BIGINT, key_value BIGINT, s STRUCT<list: BIGINT, element: BIGINT,
                   key_value: INT>, l ARRAY<STRUCT<list: BIGINT, key: STRING>>, m MAP<STRING, ARRAY<BIGINT>>) USING iceberg
                   {MERGE_ON_READ}""")
    lake.spark(f"CALL cat.system.add_files(table => 'db.t', source_table => '`parquet`.`{folder}`')")
    rows = same_rows(lake, "SELECT id, list, key_value, s.list AS a, s.element, s.key_value AS b, l[0].list AS c, l[0].key, m['a'][0] AS d, "
                           "size(m['b']) AS e FROM cat.db.t")
    assert rows[2] == ("2", "3", "4", "2", "-2", "7", "2", "k", "2", "0")


def test_a_mapping_deeper_than_any_schema_is_refused(lake):
    lake.spark("CREATE TABLE cat.db.t (id INT) USING iceberg")
    lake.spark("INSERT INTO cat.db.t VALUES (1)")
    for levels, answer in ((100, 0), (40_000, 1)):
        deep = '[{"field-id": 1, "names": ["id"], "fields": ' * levels + "[]" + "}]" * levels
        metadata = sorted(lake.table_folder("t").glob("metadata/v*.metadata.json"), key=lambda path: path.stat().st_mtime)[-1]
        table = json.loads(metadata.read_text())
        table["properties"]["schema.name-mapping.default"] = deep
        metadata.write_text(json.dumps(table))
        done = lake.weir.attempt("SELECT * FROM cat.db.t")
        assert done.returncode == answer and ("name-mapping" in done.stderr) == bool(answer), done.stderr


@pytest.mark.parametrize("kind, new, reads", [
    ("ARRAY<STRUCT<a: INT>>", "c.element.z INT", "sum(c[0].a), sum(c[2].a), count(c[1]), count(c[2].z)"),
    ("ARRAY<STRUCT<a: INT>>", "c.element.z STRUCT<b: ARRAY<INT>>", "sum(c[0].a), sum(c[2].a), count(c[1]), count(c[2].z.b)"),
    ("MAP<STRING, STRUCT<a: INT>>", "c.value.z INT", "sum(c['k'].a), count(c['l']), count(c['k'].z)"),
    ("ARRAY<ARRAY<STRUCT<a: INT>>>", "c.element.element.z INT", "sum(c[0][0].a), sum(c[0][2].a), count(c[0][1]), count(c[0][0].z)")])
def test_members_added_and_dropped_inside_lists_and_maps(lake, kind, new, reads):
    """More elements than one vector of the executor holds."""
    value = "named_struct('a', int(id))"
    wrapped = {"A": f"array({value}, NULL, {value})", "M": f"map('k', {value}, 'l', NULL)"}[kind[0]]
    wrapped = f"array({wrapped})" if kind.startswith("ARRAY<ARRAY") else wrapped
    lake.spark(f"CREATE TABLE cat.db.t (id INT, c {kind}) USING iceberg {MERGE_ON_READ}")
    lake.spark(f"INSERT INTO cat.db.t SELECT int(id), {wrapped} FROM range(3000) UNION ALL SELECT -1, NULL")
    lake.spark(f"ALTER TABLE cat.db.t ADD COLUMN {new}")
    same_rows(lake, f"SELECT count(*), count(c), sum(size(c)) FROM cat.db.t")
    same_rows(lake, f"SELECT {reads} FROM cat.db.t".replace("count(c[1]),", "count(c[1]) AS x,"))
    same_rows(lake, "SELECT id, c FROM cat.db.t WHERE id IN (-1, 0, 7, 2999)")
    lake.weir.run("UPDATE cat.db.t SET id = id + 10000 WHERE id IN (5, 6)")
    same_rows(lake, "SELECT id, c FROM cat.db.t WHERE id IN (5, 10005, 10006)")
    lake.spark(f"ALTER TABLE cat.db.t DROP COLUMN {new.split(' ')[0].rsplit('.', 1)[0]}.a")
    same_rows(lake, "SELECT id, c FROM cat.db.t WHERE id IN (-1, 0, 7, 2999, 10005)")
    same_rows(lake, "SELECT count(*) FROM cat.db.t WHERE c IS NOT NULL AND size(c) > 0")


def test_nested_evolution_of_random_rows(lake):
    """NULLs at every level, over several vectors of the executor."""
    member = "if(pmod(hash(id, {0}), 5) = 0, NULL, named_struct('a', if(pmod(hash(id, {0} + 1), 4) = 0, NULL, int(id)), 'b', concat('b', id)))"
    array = f"if(pmod(hash(id, 77), 6) = 0, NULL, slice(array({', '.join(member.format(10 * i) for i in range(5))}), 1, pmod(hash(id, 78), 6)))"
    lake.spark(f"CREATE TABLE cat.db.t (id INT, l ARRAY<STRUCT<a: INT, b: STRING>>, m MAP<STRING, ARRAY<STRUCT<a: INT, b: STRING>>>, "
               f"s STRUCT<n: STRUCT<a: INT, b: STRING>, k: INT>) USING iceberg {MERGE_ON_READ}")
    lake.spark(f"""INSERT INTO cat.db.t SELECT int(id), {array}, if(id % 7 = 0, NULL, map('x', {array}, 'y', NULL)),
                   if(id % 11 = 0, NULL, named_struct('n', {member.format(500)}, 'k', int(id))) FROM range(7000)""")
    for change in ("ADD COLUMN l.element.z STRUCT<q: INT>", "ADD COLUMN m.value.element.z INT", "ADD COLUMN s.n.z INT", "DROP COLUMN l.element.a",
                   "ALTER COLUMN m.value.element.a TYPE BIGINT", "DROP COLUMN m.value.element.b", "DROP COLUMN s.n.a", "DROP COLUMN s.n.b",
                   "ALTER COLUMN l.element.z FIRST", "DROP COLUMN l.element.b"):
        lake.spark(f"ALTER TABLE cat.db.t {change}")
    lake.spark("INSERT INTO cat.db.t SELECT 7000, array(named_struct('z', named_struct('q', 1))), map(), named_struct('n', named_struct('z', 2), 'k', 3)")
    assert len(same_rows(lake, "SELECT * FROM cat.db.t")) == 7001
    same_rows(lake, "SELECT id, l FROM cat.db.t WHERE if(size(l) > 0, l[0], NULL) IS NULL AND s.n IS NOT NULL")


def test_structs_that_gain_and_lose_members(lake):
    lake.spark(f"CREATE TABLE cat.db.t (id INT, s STRUCT<x: INT, n: STRUCT<a: INT, b: INT>>, g STRUCT<x: INT>) USING iceberg {MERGE_ON_READ}")
    lake.spark("INSERT INTO cat.db.t VALUES (1, named_struct('x', 1, 'n', named_struct('a', 1, 'b', 2)), named_struct('x', 1)), "
               "(2, named_struct('x', 2, 'n', NULL), NULL), (3, NULL, named_struct('x', NULL))")
    for change in ("ADD COLUMN s.y INT", "DROP COLUMN s.x", "ADD COLUMN s.n.c INT", "DROP COLUMN s.n.a", "ADD COLUMN g.y INT", "DROP COLUMN g.x",
                   "DROP COLUMN s.n.b"):
        lake.spark(f"ALTER TABLE cat.db.t {change}")
        same_rows(lake, "SELECT id, s, s.n IS NULL AS a, g, g IS NULL AS b FROM cat.db.t")
        same_rows(lake, "SELECT id FROM cat.db.t WHERE s.n IS NULL")
        same_rows(lake, "SELECT id FROM cat.db.t WHERE s.n IS NOT NULL")
    lake.weir.run("UPDATE cat.db.t SET id = 20 WHERE id = 2")
    same_rows(lake, "SELECT id, s, s.n IS NULL AS a FROM cat.db.t")


def test_time_travel_follows_the_log(lake):
    """After a rollback the log, not the parents, says what was current when."""
    lake.spark("CREATE TABLE cat.db.t (id INT) USING iceberg")
    for value in (1, 2):
        lake.spark(f"INSERT INTO cat.db.t VALUES ({value})")
    first, second = [row[0] for row in lake.spark("SELECT snapshot_id FROM cat.db.t.snapshots ORDER BY committed_at").collect()]
    lake.spark(f"CALL cat.system.rollback_to_snapshot('db.t', {first})")
    lake.spark("INSERT INTO cat.db.t VALUES (3)")
    times = [row[0] for row in lake.spark("SELECT made_current_at FROM cat.db.t.history ORDER BY made_current_at").collect()]
    assert len(times) == 4
    expected = [[("1",)], [("1",), ("2",)], [("1",)], [("1",), ("3",)]]
    for time, rows in zip(times, expected):
        text = time.strftime("%Y-%m-%d %H:%M:%S.%f")
        assert same_rows(lake, f"SELECT * FROM cat.db.t TIMESTAMP AS OF '{text}'") == rows
    assert same_rows(lake, f"SELECT * FROM cat.db.t VERSION AS OF {second}") == [("1",), ("2",)]
    before = (times[0] - datetime.timedelta(seconds=1)).strftime("%Y-%m-%d %H:%M:%S.%f")
    assert lake.weir.attempt(f"SELECT * FROM cat.db.t TIMESTAMP AS OF '{before}'").returncode != 0
    same_rows(lake, "SELECT snapshot_id, parent_id, is_current_ancestor FROM cat.db.t.history")
    # A write goes on from the state that the rollback left.
    lake.weir.run("INSERT INTO cat.db.t VALUES (4)")
    assert same_rows(lake, "SELECT * FROM cat.db.t") == [("1",), ("3",), ("4",)]


def test_equality_deletes_and_types(lake):
    """A delete of a narrower column, of NaN and of a decimal; a delete without partition applies to all."""
    import pyarrow

    lake.spark(f"CREATE TABLE cat.db.t (id INT, d DOUBLE, n DECIMAL(9,2), p STRING) USING iceberg {MERGE_ON_READ}")
    lake.spark("INSERT INTO cat.db.t VALUES (1, double('NaN'), 1.5, 'a'), (2, 0.0D, 2.5, 'b'), (3, -0.0D, 3.5, 'c'), "
               "(4, 4.0D, NULL, 'd'), (5, 5.0D, 5.5, 'e')")
    add_equality_delete(lake, "t", [("id", 1, pyarrow.int32())], [(5,)])
    add_equality_delete(lake, "t", [("d", 2, pyarrow.float64())], [(float("nan"),)])
    add_equality_delete(lake, "t", [("n", 3, pyarrow.decimal128(9, 2))], [(decimal.Decimal("2.50"),)])
    lake.spark("ALTER TABLE cat.db.t ALTER COLUMN id TYPE BIGINT")
    lake.spark("ALTER TABLE cat.db.t ADD PARTITION FIELD p")
    lake.spark("INSERT INTO cat.db.t VALUES (5, 5.0D, 5.5, 'e'), (6, double('NaN'), 2.5, 'a')")
    assert same_rows(lake, "SELECT id FROM cat.db.t") == [("3",), ("4",), ("5",), ("6",)]
    lake.weir.run("DELETE FROM cat.db.t WHERE id = 4")
    assert same_rows(lake, "SELECT id, p FROM cat.db.t WHERE id > 2") == [("3", "c"), ("5", "e"), ("6", "a")]


def test_types_of_other_writers(lake, tmp_path):
    """uuid is read as text, fixed as bytes; both are compared and pruned as what they are."""
    import pyarrow
    from pyiceberg.catalog.sql import SqlCatalog
    from pyiceberg.schema import Schema
    from pyiceberg.types import FixedType, IntegerType, NestedField, UUIDType

    folder = lake.table_folder("t")
    catalog = SqlCatalog("p", uri=f"sqlite:///{tmp_path}/p.db", warehouse=f"file://{lake.warehouse}")
    catalog.create_namespace_if_not_exists("db")
    schema = Schema(NestedField(1, "id", IntegerType()), NestedField(2, "u", UUIDType()), NestedField(3, "f", FixedType(3)))
    table = catalog.create_table("db.t", schema, location=f"file://{folder}", properties={"format-version": "2"})
    values = [uuid.UUID("f79c3e09-677c-4bbd-a479-3f349cb785e7").bytes, uuid.UUID(int=0).bytes, None]
    table.append(pyarrow.table({"id": pyarrow.array([1, 2, 3], pyarrow.int32()),
                                "u": pyarrow.array(values, pyarrow.uuid()),
                                "f": pyarrow.array([b"abc", b"\0\xff\x01", None], pyarrow.binary(3))}))
    shutil.copy(str(table.metadata_location).removeprefix("file://"), folder / "metadata/v1.metadata.json")
    (folder / "metadata/version-hint.text").write_text("1")
    assert len(same_rows(lake, "SELECT id, u, hex(f) FROM cat.db.t")) == 3
    # Iceberg on Spark compares the bounds of uuids as signed numbers and finds no row here.
    assert lake.weir.rows("SELECT id FROM cat.db.t WHERE u = 'f79c3e09-677c-4bbd-a479-3f349cb785e7'") == [("1",)]
    assert lake.weir.rows("SELECT id FROM cat.db.t WHERE u > 'a' OR u IS NULL") == [("1",), ("3",)]
    assert same_rows(lake, "SELECT id FROM cat.db.t WHERE f = X'616263'") == [("1",)]
    lake.spark("ALTER TABLE cat.db.t ADD PARTITION FIELD u")
    lake.spark(f"INSERT INTO cat.db.t VALUES (4, '{uuid.UUID(int=7)}', NULL)")
    assert same_rows(lake, "SELECT id, t.u, _partition.u AS p FROM cat.db.t t WHERE id > 2") == [
        ("3", None, None), ("4", str(uuid.UUID(int=7)), str(uuid.UUID(int=7)))]


def test_a_property_that_another_engine_set_wrongly_is_named(lake):
    lake.spark(f"CREATE TABLE cat.db.t (id INT) USING iceberg {MERGE_ON_READ}")
    lake.spark("INSERT INTO cat.db.t VALUES (1), (2)")
    lake.spark("ALTER TABLE cat.db.t SET TBLPROPERTIES ('write.merge.isolation-level'='foo')")
    done = lake.weir.attempt("DELETE FROM cat.db.t WHERE id % 2 = 0")
    assert done.returncode == 1 and "write.merge.isolation-level" in done.stderr and "copy-on-write" not in done.stderr, done.stderr
    assert len(same_rows(lake, "SELECT * FROM cat.db.t")) == 2


@pytest.mark.parametrize("version", [1, 3])
def test_other_format_versions_are_refused_by_name(lake, version):
    lake.spark(f"CREATE TABLE cat.db.t (id INT) USING iceberg TBLPROPERTIES ('format-version'='{version}')")
    lake.spark("INSERT INTO cat.db.t VALUES (1)")
    for statement in ("SELECT * FROM cat.db.t", "INSERT INTO cat.db.t VALUES (2)"):
        done = lake.weir.attempt(statement)
        assert done.returncode != 0 and f"format version {version}" in done.stderr, done.stderr
    assert lake.spark_rows("SELECT * FROM cat.db.t") == [("1",)]
