"""The movement ledger of whole statements equals what the operating system counted, byte by byte."""
import json
import os
import sys
from collections import Counter

import pytest
from conftest import MERGE_ON_READ
from system_calls import Moved, moved_by, run_traced

KIND_OF_PURPOSE = {"data": "data", "footer": "data", "deletes": "deletes", "listing": "metadata", "metadata": "metadata",
                   "commit": "metadata"}


def kind_of(path):
    if not path.endswith(".parquet"):
        return "metadata"
    return "deletes" if path.endswith("-deletes.parquet") else "data"


def moved_in_ledgers(stderr):
    """The sum of the ledgers of all statements. Spill is apart: it goes to a folder outside the tables."""
    moved = Moved()
    for line in stderr.splitlines():
        if not line.startswith('{"seconds"'):
            continue
        for purpose, traffic in json.loads(line)["total"].get("traffic", {}).items():
            if purpose == "spill":
                continue
            moved.requests += traffic.get("requests", 0)
            moved.read[KIND_OF_PURPOSE[purpose]] += traffic.get("bytes_read", 0)
            moved.written[KIND_OF_PURPOSE[purpose]] += traffic.get("bytes_written", 0)
    return moved


class Traced:
    """Runs statements and compares both counts."""

    def __init__(self, lake, folder):
        self.lake, self.folder, self.runs = lake, folder, 0

    def run(self, *statements, source=None):
        """Returns what moved; `source` is a folder to be watched besides the warehouse."""
        self.runs += 1
        command = self.lake.weir.command("--movement=json", "-e", ";\n".join(statements))
        folders = [self.lake.warehouse] + ([source] if source else [])
        done, threads = run_traced(command, folders, self.folder / str(self.runs))
        assert done.returncode == 0, done.stderr
        counted = moved_by(threads, kind_of)
        assert moved_in_ledgers(done.stderr) == counted, statements
        return counted


@pytest.fixture
def traced(lake, tmp_path):
    return Traced(lake, tmp_path / "traces")


def test_the_count_itself(tmp_path):
    """A program whose traffic is known; without this, two zeros would be equal."""
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "a.parquet").write_bytes(b"x" * 1000)
    program = """import os, sys, threading
fd = os.open(sys.argv[1] + "/a.parquet", os.O_RDWR)
def move():
    os.pread(fd, 700, 500); os.readv(fd, [bytearray(10), bytearray(20)]); os.pwrite(fd, b"y" * 40, 0)
threads = [threading.Thread(target=move) for _ in range(3)]
[t.start() for t in threads]; [t.join() for t in threads]
os.path.exists(sys.argv[1] + "/b")
"""
    done, threads = run_traced([sys.executable, "-c", program, str(tmp_path / "f")], [tmp_path / "f"], tmp_path / "t1")
    assert done.returncode == 0, done.stderr
    assert moved_by(threads, kind_of) == Moved(7, Counter(data=3 * 530), Counter(data=3 * 40))
    for unseen in ("import mmap; mmap.mmap(os.open(p, os.O_RDONLY), 0, prot=mmap.PROT_READ)",
                   "os.sendfile(os.open('/dev/null', os.O_WRONLY), os.open(p, os.O_RDONLY), 0, 10)"):
        with pytest.raises(RuntimeError, match="bytes may move unseen"):
            run_traced([sys.executable, "-c", f"import os\np = {str(tmp_path / 'f/a.parquet')!r}\n{unseen}"],
                       [tmp_path / "f"], tmp_path / f"t{len(unseen)}")


def test_statements_on_tables_of_weir(traced):
    traced.run(f"CREATE TABLE cat.db.t (id BIGINT, v STRING, p STRING) USING iceberg PARTITIONED BY (bucket(4, id), p) "
               f"{MERGE_ON_READ}")
    made = traced.run("INSERT INTO cat.db.t SELECT id, concat('v', id), concat('p', id % 3) FROM range(300000)")
    assert made.written["data"] > 900_000
    filtered = traced.run("SELECT count(*), sum(id), max(v) FROM cat.db.t WHERE id BETWEEN 1000 AND 1999 AND p = 'p1'")
    assert 0 < filtered.read["data"] < made.written["data"]
    deleted = traced.run("DELETE FROM cat.db.t WHERE id % 1000 = 3")
    assert deleted.written["deletes"] > 0
    merged = traced.run("MERGE INTO cat.db.t USING (SELECT id, 'w' AS v, 'p1' AS p FROM range(299000, 301000)) s "
                        "ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *")
    assert merged.read["deletes"] > 0
    traced.run("UPDATE cat.db.t SET v = concat(v, '!') WHERE id BETWEEN 5000 AND 5999")
    traced.run("SELECT p, count(*), max(v) FROM cat.db.t GROUP BY p ORDER BY p")
    traced.run("SELECT count(*), max(v) FROM cat.db.t VERSION AS OF "
               + traced.lake.weir.rows("SELECT min_by(snapshot_id, committed_at) FROM cat.db.t.snapshots")[0][0])
    traced.run("SELECT count(*) FROM cat.db.t.files", "DESCRIBE cat.db.t", "SHOW TABLES IN cat.db",
               "EXPLAIN SELECT * FROM cat.db.t WHERE id = 7")
    traced.run("INSERT OVERWRITE cat.db.t SELECT id, 'z', 'p0' FROM cat.db.t WHERE id < 1000")
    traced.run("CREATE NAMESPACE cat.more", "CREATE TABLE cat.more.u USING iceberg AS SELECT * FROM cat.db.t",
               "ALTER TABLE cat.more.u ADD PARTITION FIELD p", "INSERT INTO cat.more.u VALUES (1, 'a', 'b')")
    traced.run("DROP TABLE cat.more.u PURGE")


def test_statements_on_tables_of_spark(traced):
    lake = traced.lake
    lake.spark(f"CREATE TABLE cat.db.t (id BIGINT, ts TIMESTAMP, channel STRING, amount DECIMAL(12,2)) USING iceberg "
               f"PARTITIONED BY (bucket(4, id), channel) {MERGE_ON_READ}")
    lake.spark("INSERT INTO cat.db.t SELECT id, timestamp'2025-01-01' + make_interval(0, 0, 0, 0, 0, 0, id), "
               "CASE id % 3 WHEN 0 THEN 'WEB' WHEN 1 THEN 'APP' ELSE 'STORE' END, id * 1.15 FROM range(400000)")
    lake.spark("DELETE FROM cat.db.t WHERE id % 100 = 3")
    assert len(list(lake.table_folder("t").rglob("*.parquet"))) >= 24
    read = traced.run("SELECT channel, sum(amount), max(ts) FROM cat.db.t GROUP BY channel")
    assert read.read["deletes"] > 0
    merged = traced.run("MERGE INTO cat.db.t USING (SELECT id, timestamp'2025-06-01' AS ts, 'WEB' AS channel, 1.00 AS "
                        "amount FROM range(399500, 400500)) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * "
                        "WHEN NOT MATCHED THEN INSERT *")
    # Pages are picked, or the key column would be read whole.
    assert merged.read["data"] < read.read["data"] / 4
    traced.run("UPDATE cat.db.t SET amount = amount + 1 WHERE id = 77")
    traced.run("DELETE FROM cat.db.t WHERE channel = 'APP'")
    assert lake.spark_rows("SELECT count(*) FROM cat.db.t") == lake.spark_rows("SELECT count(id) FROM cat.db.t")


def test_parquet_files_as_a_source(traced, tmp_path):
    folder = tmp_path / "files"
    traced.lake.session.range(0, 200000, 1, 3).selectExpr("id", "concat('v', id) AS v").write.parquet(str(folder))
    os.remove(folder / "_SUCCESS")
    traced.run(f"SELECT count(*), max(v) FROM parquet.`{folder}` WHERE id > 150000", source=folder)
    traced.run(f"CREATE TABLE cat.db.t USING iceberg AS SELECT * FROM parquet.`{folder}`", source=folder)


def test_spill(lake, tmp_path):
    spill = tmp_path / "spill"
    spill.mkdir()
    command = lake.weir.command("--conf", "spark.driver.memory=64m", "--conf", f"spark.local.dir={spill}",
                                "--movement=json", "-e", "SELECT count(*), max(v) FROM (SELECT id, concat('a longer text ', id)"
                                " AS v FROM range(2000000) GROUP BY id, concat('a longer text ', id))")
    done, threads = run_traced(command, [spill], tmp_path / "trace")
    assert done.returncode == 0, done.stderr
    spilled = json.loads(done.stderr.splitlines()[-1])["total"]["traffic"]["spill"]
    counted = moved_by(threads, lambda path: "spill")
    assert counted.written["spill"] > 1_000_000
    assert (spilled["bytes_read"], spilled["bytes_written"]) == (counted.read["spill"], counted.written["spill"])
