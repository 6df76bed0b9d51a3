#!/usr/bin/env python3
"""Job 1 beside DuckDB's iceberg extension: the plain MERGE of 2,000 rows, the same data, one run, pairs interleaved.

  job1.py [--rows N] [--pairs P] [--writer spark|weir] [--keys clustered|clusters|random] [--form plain|range|channel]
          [--no-peer] [--no-pages] [--json]

Data is made once under .cache/bench. Before each run the target is put back to its first snapshot. Bytes and rows of
Weir come from its ledger, bytes of the peer from /proc/self/io of its process; both with the data in the page cache.
"""
import argparse
import json
import multiprocessing
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache/bench"
COLUMNS = ["order_id", "customer_id", "order_ts", "channel", "product_type", "amount", "status"]
BETWEEN = "tgt.order_id BETWEEN {low} AND {high}"
CHANNEL = "(tgt.channel = 'WEB' OR tgt.channel = 'STORE') AND tgt.channel = src.channel"


def merge_text(target, source, rows, form, prefix="tgt."):
    on = ["tgt.order_id = src.order_id"]
    if form in ("range", "channel"):
        on.insert(0, BETWEEN.format(low=rows - 999, high=rows + 1000))
    if form == "channel":
        on.append(CHANNEL)
    sets = ", ".join(f"{prefix}{c} = src.{c}" for c in COLUMNS[1:])
    values = ", ".join(f"src.{c}" for c in COLUMNS)
    return (f"MERGE INTO {target} AS tgt USING {source} AS src ON {' AND '.join(on)} WHEN MATCHED THEN UPDATE SET {sets} "
            f"WHEN NOT MATCHED THEN INSERT ({', '.join(COLUMNS)}) VALUES ({values})")


class Warehouse:
    """The tables of one size and writer, with a way back to the first state."""

    def __init__(self, rows, writer):
        self.rows = rows
        self.folder = CACHE / f"job1_{rows}{'' if writer == 'spark' else '_weir'}"
        if writer == "spark":
            subprocess.run([sys.executable, ROOT / "bench/job1_data.py", str(rows), self.folder], check=True)
        elif not (self.folder / "complete").exists():
            subprocess.run([ROOT / "build/weir", "demo", "merge", "--rows", str(rows), "--dir", self.folder,
                            "--only-tables"], check=True)
            (self.folder / "complete").touch()
        self.warehouse = self.folder / "warehouse"
        self.target = self.warehouse / "db/target"
        self.saved = self.folder / "target-metadata"
        if not self.saved.exists():
            shutil.copytree(self.target / "metadata", self.saved)
        self.files = self.folder / "target-files.txt"
        if not self.files.exists():
            self.files.write_text("\n".join(str(f) for f in self.target.rglob("data/**/*") if f.is_file()))
        self.reset()

    def reset(self):
        keep = set(self.files.read_text().split("\n"))
        for file in self.target.rglob("data/**/*"):
            if file.is_file() and str(file) not in keep:
                file.unlink()
        shutil.rmtree(self.target / "metadata")
        shutil.copytree(self.saved, self.target / "metadata")

    def table_bytes(self):
        return sum(pathlib.Path(f).stat().st_size for f in self.files.read_text().split("\n") if f.endswith(".parquet"))

    def metadata(self, name):
        folder = self.warehouse / "db" / name / "metadata"
        return str(folder / f"v{(folder / 'version-hint.text').read_text().strip()}.metadata.json")

    def conf(self):
        return {"spark.sql.catalog.cat": "org.apache.iceberg.spark.SparkCatalog", "spark.sql.catalog.cat.type": "hadoop",
                "spark.sql.catalog.cat.warehouse": str(self.warehouse), "spark.sql.session.timeZone": "UTC"}


def source_of(warehouse, keys):
    """The source table, or 2,000 of its rows with keys spread over the target."""
    if keys == "clustered":
        return "cat.db.source"
    rows = warehouse.rows
    key = (f"(id div 100) * {rows // 20} + id % 100 + 1" if keys == "clusters"
           else f"pmod(id * 7919 * 104729, {rows}) + 1")
    return (f"(SELECT {key} AS order_id, 100000L AS customer_id, TIMESTAMP '2025-01-03 12:00:00' AS order_ts, "
            f"CASE id % 2 WHEN 0 THEN 'WEB' ELSE 'STORE' END AS channel, 'UPDATED_ITEM' AS product_type, "
            f"CAST(2.00 AS DECIMAL(12,2)) AS amount, 'UPDATED' AS status FROM range(2000))")


def run_weir(warehouse, statement, more=()):
    flags = [flag for key, value in [*warehouse.conf().items(), *more] for flag in ("--conf", f"{key}={value}")]
    done = subprocess.run(["/usr/bin/time", "-f", "%M", str(ROOT / "build/weir"), "sql", *flags, "--movement=json", "-e",
                           statement], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"weir failed: {done.stderr}")
    lines = done.stderr.strip().split("\n")
    ledger, peak_kb = json.loads(lines[-2]), int(lines[-1])
    total = ledger["total"]
    traffic = total["traffic"].values()
    # The source is read whole, and its bytes count; rows are those of the target.
    scan = next(o for o in ledger["operators"] if o["name"] == "scan cat.db.target")["rows"]
    return {"wall": ledger["seconds"], "cpu": ledger["cpu_seconds"], "peak_mb": peak_kb // 1024,
            "read": sum(t.get("bytes_read", 0) for t in traffic), "requests": sum(t.get("requests", 0) for t in traffic),
            "footers": total["traffic"].get("footer", {}).get("bytes_read", 0),
            "written": sum(t.get("bytes_written", 0) for t in traffic),
            "into_join": scan.get("into_join", 0), "decoded": scan.get("decoded", 0),
            "ledger": ledger}


def peer_process(connection, warehouse):
    """A process of its own, so that its I/O and memory can be counted."""
    import glob
    import os
    import resource

    import duckdb

    base = os.path.dirname(os.path.dirname(duckdb.__file__))
    engine = duckdb.connect(config={"allow_unsigned_extensions": "true", "autoinstall_known_extensions": "false"})
    for name in ("avro", "httpfs", "iceberg"):
        path = glob.glob(f"{base}/duckdb_extension_{name}/extensions/v*/{name}.duckdb_extension")[0]
        engine.execute(f"LOAD '{path}'")
    engine.execute("SET TimeZone = 'UTC'; SET threads = 2")
    url = connection.recv()
    engine.execute(f"ATTACH 'bench' AS ic (TYPE iceberg, ENDPOINT '{url}', AUTHORIZATION_TYPE 'none')")
    engine.execute("SELECT count(*) FROM ic.db.source").fetchall()

    def read_bytes():
        return int(next(line.split()[1] for line in open("/proc/self/io") if line.startswith("rchar")))

    while (statement := connection.recv()) is not None:
        before, wall, cpu = read_bytes(), time.perf_counter(), time.process_time()
        engine.execute(statement).fetchall()
        connection.send({"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu,
                         "read": read_bytes() - before,
                         "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024})


def median(runs, key):
    return statistics.median(run[key] for run in runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--writer", choices=["spark", "weir"], default="spark")
    parser.add_argument("--keys", choices=["clustered", "clusters", "random"], default="clustered")
    parser.add_argument("--form", choices=["plain", "range", "channel"], default="plain")
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--no-pages", action="store_true",
                        help="also run each statement without the pruning of pages and row groups: the plain read")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.keys != "clustered" and not options.no_peer:
        parser.error("the peer merges the clustered keys: --keys clusters and random need --no-peer")
    warehouse = Warehouse(options.rows, options.writer)
    source = source_of(warehouse, options.keys)
    ours = merge_text("cat.db.target", source, options.rows, options.form)
    weir, plain, peer = [], [], []
    connection = child = None
    if not options.no_peer:
        from rest_catalog import RestCatalog

        catalog = RestCatalog()
        catalog.register("source", warehouse.metadata("source"))
        context = multiprocessing.get_context("spawn")
        connection, other = context.Pipe()
        child = context.Process(target=peer_process, args=(other, warehouse), daemon=True)
        child.start()
        connection.send(catalog.url)
    for pair in range(options.pairs):
        weir.append(run_weir(warehouse, ours))
        warehouse.reset()
        if options.no_pages:
            plain.append(run_weir(warehouse, ours, [(f"spark.weir.pruning.{what}", "false") for what in ("pages", "rowGroups")]))
            warehouse.reset()
        if connection:
            name = f"target{pair}"
            catalog.register(name, warehouse.metadata("target"))
            # DuckDB takes no table alias on the left of SET, and its own spelling for generated sources.
            connection.send(merge_text(f"ic.db.{name}", "ic.db.source", options.rows, options.form, prefix=""))
            peer.append(connection.recv())
            warehouse.reset()
    if connection:
        connection.send(None)
        catalog.stop()

    table = warehouse.table_bytes()
    result = {"rows": options.rows, "writer": options.writer, "keys": options.keys, "form": options.form,
              "table_bytes": table, "weir": {k: median(weir, k) for k in weir[0] if k != "ledger"}}
    result["weir"]["share_read"] = result["weir"]["read"] / table
    if plain:
        result["plain"] = {k: median(plain, k) for k in plain[0] if k != "ledger"}
        result["plain"]["share_read"] = result["plain"]["read"] / table
    if peer:
        result["peer"] = {k: median(peer, k) for k in peer[0]}
        result["peer"]["share_read"] = result["peer"]["read"] / table
        result["ratio"] = {k: statistics.median(p[k] / max(w[k], 1e-9) for w, p in zip(weir, peer))
                           for k in ("wall", "cpu", "read")}
    if options.json:
        print(json.dumps(result))
        return
    print(f"MERGE of 2,000 rows ({options.keys}) into {options.rows:,} rows written by {options.writer}, "
          f"{table / 1e6:.0f} MB, {options.form} statement; median of {options.pairs}")
    for name in ("weir", "plain", "peer"):
        if name in result:
            r = result[name]
            print(f"{name:>5}: {r['wall']:.3f} s wall, {r['cpu']:.3f} s CPU, {r['peak_mb']} MB peak, read "
                  f"{r['read'] / 1e6:.2f} MB = {100 * r['share_read']:.3f} %"
                  + (f" (footers {r['footers'] / 1e6:.2f} MB), decoded {r['decoded']:,} rows, into join {r['into_join']:,}, "
                     f"wrote {r['written'] / 1e6:.2f} MB, {r['requests']} requests" if name != "peer" else ""))
    if peer:
        print("peer / weir: " + ", ".join(f"{k} {v:.1f}x" for k, v in result["ratio"].items()))


if __name__ == "__main__":
    main()
