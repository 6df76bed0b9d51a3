"""Namespaces of a hadoop catalog are folders: each side sees, fills and drops those of the other."""
import pytest
from conftest import MERGE_ON_READ


def weir_names(lake, where):
    return sorted(row[0] for row in lake.weir.rows(f"SHOW NAMESPACES IN {where}"))


def spark_names(lake, where):
    return sorted(row[0] for row in lake.spark(f"SHOW NAMESPACES IN {where.replace('cat', lake.catalog, 1)}").collect())


def test_spark_drops_what_weir_made(lake):
    lake.weir.run("CREATE NAMESPACE cat.made.inside")
    assert spark_names(lake, "cat.made") == weir_names(lake, "cat.made") == ["made.inside"]
    with pytest.raises(Exception, match="not empty"):
        lake.spark("DROP NAMESPACE cat.made")
    lake.spark("DROP NAMESPACE cat.made.inside")
    lake.spark("DROP NAMESPACE cat.made")
    assert not (lake.warehouse / "made").exists()
    assert spark_names(lake, "cat.db") == weir_names(lake, "cat.db") == []


def test_weir_drops_what_spark_made(lake):
    lake.spark("CREATE NAMESPACE cat.made.inside")
    assert weir_names(lake, "cat.made") == ["made.inside"]
    refused = lake.weir.attempt("DROP NAMESPACE cat.made")
    assert refused.returncode == 1 and "SCHEMA_NOT_EMPTY" in refused.stderr
    lake.weir.run("DROP NAMESPACE cat.made.inside", "DROP NAMESPACE cat.made")
    assert not (lake.warehouse / "made").exists()


def test_tables_keep_their_namespace_from_being_dropped(lake):
    lake.weir.run(f"CREATE TABLE cat.one.t (id INT) {MERGE_ON_READ}")
    lake.spark(f"CREATE TABLE cat.two.t (id INT) USING iceberg {MERGE_ON_READ}")
    everything = ["db", "one", "two"]
    assert spark_names(lake, "cat") == weir_names(lake, "cat") == everything
    assert spark_names(lake, "cat.one") == weir_names(lake, "cat.two") == []
    for cascade in ("", " CASCADE"):
        with pytest.raises(Exception, match="not empty"):
            lake.spark(f"DROP NAMESPACE cat.one{cascade}")
        assert lake.weir.attempt(f"DROP NAMESPACE cat.two{cascade}").returncode == 1
    lake.spark("DROP TABLE cat.one.t")
    lake.weir.run("DROP TABLE cat.two.t")
    # An empty namespace stays, and can be dropped by the other side.
    assert spark_names(lake, "cat") == weir_names(lake, "cat") == everything
    lake.weir.run("DROP NAMESPACE cat.one")
    lake.spark("DROP NAMESPACE cat.two")
    assert spark_names(lake, "cat") == weir_names(lake, "cat") == ["db"]


def test_other_folders_and_files(lake):
    (lake.warehouse / "by_hand" / "deep").mkdir(parents=True)
    (lake.warehouse / "by_hand" / "notes.txt").write_text("x")
    (lake.warehouse / "a_file").write_text("x")
    assert spark_names(lake, "cat") == weir_names(lake, "cat") == ["by_hand", "db"]
    assert spark_names(lake, "cat.by_hand") == weir_names(lake, "cat.by_hand") == ["by_hand.deep"]
    lake.weir.run("DROP NAMESPACE cat.by_hand.deep")
    # A file that no catalog knows of is not deleted.
    assert lake.weir.attempt("DROP NAMESPACE cat.by_hand CASCADE").returncode == 1
    assert (lake.warehouse / "by_hand" / "notes.txt").exists()


def test_a_table_called_metadata(lake):
    lake.weir.run("CREATE TABLE cat.db.t (id INT) USING iceberg",
                  "CREATE TABLE cat.db.metadata (id INT) USING iceberg", "INSERT INTO cat.db.metadata VALUES (7)")
    assert lake.weir.rows("SHOW NAMESPACES IN cat") == [("db",)]
    assert [row[1] for row in lake.weir.rows("SHOW TABLES IN cat.db")] == ["metadata", "t"]
    assert lake.weir.rows("SELECT id FROM cat.db.metadata") == [("7",)]
