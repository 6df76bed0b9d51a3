#!/usr/bin/env python3
"""Holds what the statements of job 1 move, at 1,000,000 rows, to the figures in ratchet.json.

  ratchet.py --check        fails if any figure is worse, or better, than the file says
  ratchet.py --write WHY    takes what is measured as the new figures, and WHY as the reason

Times are never looked at. Rows, files, requests and the bytes of data files are the same in any folder, with any number
of threads, and are compared exactly. Metadata and delete files hold names and ids drawn at random, in compressed blocks,
so that their bytes differ by a few from run to run: those are compared within 2 %, with paths of one fixed length.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from types import SimpleNamespace

import job1

ROOT = pathlib.Path(__file__).resolve().parent.parent
WEIR = os.environ.get("WEIR_PROGRAM", ROOT / "build/weir")
FIGURES = ROOT / "bench/ratchet.json"
ROWS = 1_000_000
WRITERS = ("weir", "spark")
# Name: keys of the source, form of the statement.
STATEMENTS = {"plain": ("clustered", "plain"), "range by hand": ("clustered", "range"),
              "channel in the key": ("clustered", "channel"), "keys in 20 clusters": ("clusters", "plain"),
              "random keys": ("random", "plain")}
HOLD_NAMES = ("metadata", "commit", "deletes", "cache")
NEAR = 0.02
PATH_LENGTH = 64


class Tables:
    """The target and the source as one writer made them; each statement starts from the same state."""

    def __init__(self, folder):
        self.warehouse = folder / "warehouse"
        self.files = {file: file.read_bytes() if file.name == "version-hint.text" else None
                      for file in self.warehouse.rglob("*") if file.is_file()}

    def reset(self):
        for file in self.warehouse.rglob("*"):
            if file.is_file() and file not in self.files:
                file.unlink()
        for file, content in self.files.items():
            if content is not None:
                file.write_bytes(content)

    def run(self, statement):
        """The ledger of one statement."""
        conf = {"spark.sql.catalog.cat": "org.apache.iceberg.spark.SparkCatalog", "spark.sql.catalog.cat.type": "hadoop",
                "spark.sql.catalog.cat.warehouse": str(self.warehouse), "spark.sql.session.timeZone": "UTC"}
        flags = [flag for key, value in conf.items() for flag in ("--conf", f"{key}={value}")]
        done = subprocess.run([WEIR, "sql", *flags, "--movement=json", "-e", statement], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"ratchet: {statement}\n{done.stderr}")
        self.reset()
        return json.loads(done.stderr.splitlines()[-1])

    def size(self):
        sizes = [file.stat().st_size for file in self.files if "/db/target/data/" in str(file) and file.suffix == ".parquet"]
        return {"table.files": len(sizes), "table.bytes": sum(sizes)}


def figures_of(ledger):
    """Flat names and numbers; rows are those of the target and of the MERGE, traffic is everybody's."""
    figures = {}
    for operator in ledger["operators"]:
        if operator["name"] in ("scan cat.db.target", "merge cat.db.target"):
            figures |= {f"rows.{name}": count for name, count in operator.get("rows", {}).items()}
    for purpose, traffic in ledger["total"]["traffic"].items():
        figures |= {f"{purpose}.{name}": count for name, count in traffic.items() if name != "bytes_asked"}
    for reason, avoided in ledger["total"].get("avoided", {}).items():
        figures |= {f"avoided.{reason}.{name}": count for name, count in avoided.items()}
    return figures


def measure():
    """Figures by statement and writer."""
    figures = {}
    with tempfile.TemporaryDirectory(prefix="weir-ratchet-") as root:
        folders = {writer: padded(f"{root}/{writer}") for writer in WRITERS}
        log = pathlib.Path(root) / "spark.log"
        with log.open("w") as output, subprocess.Popen(
                [sys.executable, ROOT / "bench/job1_data.py", str(ROWS), folders["spark"]], stdout=output, stderr=output,
                cwd=root) as spark:
            figures |= measure_weir(folders["weir"])
        if spark.returncode != 0:
            raise SystemExit(f"ratchet: Spark could not make the tables\n{log.read_text()}")
        return figures | figures_of_tables("spark", Tables(folders["spark"]))


def measure_weir(folder):
    subprocess.run([WEIR, "demo", "merge", "--rows", str(ROWS), "--dir", folder, "--only-tables"], check=True,
                   stdout=subprocess.DEVNULL)
    return figures_of_tables("weir", Tables(folder))


def figures_of_tables(writer, tables):
    figures = {f"table written by {writer}": tables.size()}
    for name, (keys, form) in STATEMENTS.items():
        statement = job1.merge_text("cat.db.target", job1.source_of(SimpleNamespace(rows=ROWS), keys), ROWS, form)
        figures[f"{name}, written by {writer}"] = figures_of(tables.run(statement))
    return figures


def padded(path):
    return pathlib.Path(path + "-" * max(0, PATH_LENGTH - len(path)))


def is_same(name, wanted, found):
    near = "bytes" in name and any(part in HOLD_NAMES for part in name.split("."))
    return abs(found - wanted) <= NEAR * wanted if near else found == wanted


def changes(wanted, found):
    """One line for each figure that is not as it was; figures that are absent are 0."""
    lines = []
    for title in sorted(wanted.keys() | found.keys()):
        old, new = wanted.get(title, {}), found.get(title, {})
        for name in sorted(old.keys() | new.keys()):
            before, after = old.get(name, 0), new.get(name, 0)
            if not is_same(name, before, after):
                share = f"{100 * (after - before) / before:+.2f} %" if before else "new"
                lines.append(f"  {title}: {name} is {after:,}, was {before:,} ({share})")
    return lines


def broken_promises(found):
    """What must hold whatever the figures are."""
    def read(name, writer):
        return sum(count for key, count in found[f"{name}, written by {writer}"].items() if key.endswith(".bytes_read"))

    lines = []
    for writer in WRITERS:
        plain = read("plain", writer)
        if read("range by hand", writer) < 0.95 * plain:
            lines.append(f"ratchet: written by {writer}: a range by hand saves 5 % or more of what the plain statement reads")
        if read("channel in the key", writer) > plain:
            lines.append(f"ratchet: written by {writer}: with the channel in the key more is read than by the plain statement")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--check", action="store_true")
    action.add_argument("--write", metavar="WHY")
    options = parser.parse_args()
    recorded = json.loads(FIGURES.read_text())["figures"] if FIGURES.exists() else {}
    found = measure()
    if broken := broken_promises(found):
        raise SystemExit("\n".join(broken))
    lines = changes(recorded, found)
    if options.write:
        for title, figures in found.items():
            # What only differs by names and ids stays as it is.
            for name in figures:
                old = recorded.get(title, {}).get(name)
                if old is not None and is_same(name, old, figures[name]):
                    figures[name] = old
        FIGURES.write_text(json.dumps({"why": options.write, "figures": found}, indent=1) + "\n")
    print("\n".join(lines) if lines else f"ratchet: {sum(map(len, found.values()))} figures are as recorded")
    if lines and options.check:
        raise SystemExit("ratchet: figures changed. If they should, take them with\n"
                         "  .deps/venv/bin/python bench/ratchet.py --write 'why they changed'")


if __name__ == "__main__":
    main()
