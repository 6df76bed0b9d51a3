#!/usr/bin/env python3
"""Runs the golden files on real Spark + Iceberg, the oracle.

  oracle.py [--check] [--write] [FILE...]    default: --check, every file

--check fails if a file's expectations differ from Spark's. --write fills expectations in.
Both record the checksum of each file that agrees in oracle.lock, which scripts/lint compares: an expectation that
Spark did not give cannot be committed. The format is described in README.md beside this file.
"""
import itertools
import re
import shutil
import tempfile

import spark as oracle


class Block:
    """One directive with its lines; `expected` is what follows ----, or None."""

    def __init__(self, lines):
        self.comments = []
        while lines and lines[0].startswith("#"):
            self.comments.append(lines.pop(0))
        self.head = lines.pop(0) if lines else ""
        self.expected = None
        if "----" in lines:
            at = lines.index("----")
            self.expected = lines[at + 1:]
            lines = lines[:at]
        self.sql = "\n".join(lines)

    def text(self):
        lines = self.comments + ([self.head] if self.head else []) + (self.sql.split("\n") if self.sql else [])
        if self.expected is not None:
            lines += ["----"] + self.expected
        return "\n".join(lines)


def escape(value):
    if value is None:
        return "NULL"
    return value.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")


def rows_of(frame, ordered):
    header = "|".join(f"{escape(name)}:{kind}" for name, kind in frame.dtypes)
    if not frame.columns:
        return [header]
    from pyspark.sql import functions as f

    plain = frame.toDF(*[f"c{i}" for i in range(len(frame.columns))])
    texts = plain.select([f.col(name).cast("string") for name in plain.columns]).collect()
    rows = ["|".join(escape(value) for value in row) for row in texts]
    return [header] + (rows if ordered else sorted(rows))


def condition_of(error):
    if hasattr(error, "getCondition") and error.getCondition():
        return error.getCondition()
    match = re.search(r"\[([A-Z_][A-Z0-9_.]+)\]", str(error))
    return match.group(1) if match else "*"


def run_file(spark, path, number):
    """Returns the file's text with Spark's answers."""
    warehouse = tempfile.mkdtemp(prefix="weir-golden-")
    catalog = f"golden{number}x"
    spark.conf.set(f"spark.sql.catalog.{catalog}", "org.apache.iceberg.spark.SparkCatalog")
    spark.conf.set(f"spark.sql.catalog.{catalog}.type", "hadoop")
    spark.conf.set(f"spark.sql.catalog.{catalog}.warehouse", warehouse)
    spark.conf.set(f"spark.sql.catalog.{catalog}.cache-enabled", "false")
    spark.sql(f"CREATE NAMESPACE {catalog}.db")
    spark.sql(f"USE {catalog}.db")
    changed = {}
    out = []
    for chunk in re.split(r"\n\n+", path.read_text().strip("\n")):
        block = Block(chunk.split("\n"))
        out.append(block)
        words = block.head.split()
        if not words or words[0] == "only":
            continue
        if words[0] == "conf":
            key, value = block.head[5:].split("=", 1)
            changed.setdefault(key, spark.conf.get(key, None))
            spark.conf.set(key, value)
            continue
        # Files speak of catalog `cat`; each gets a warehouse of its own here.
        sql = re.sub(r"\bcat\b", catalog, block.sql)
        back = lambda line: line.replace(catalog, "cat").replace(warehouse, "<warehouse>")
        try:
            frame = spark.sql(sql)
            if words[0] == "query":
                answer = rows_of(frame, "ordered" in words)
            else:
                frame.collect()  # Spark is lazy: an error in the data only shows then
            error = None
        except Exception as failure:  # every Spark error is an answer
            error = condition_of(failure)
        if words[0] == "statement":
            block.head = f"statement error {error}" if error else "statement ok"
        elif words[0] == "query":
            if error:
                # Written back as what it is, for a person to look at.
                block.head, block.expected = f"statement error {error}", None
                print(f"oracle: {path}: not a query but {error}: {block.sql}")
                continue
            block.expected = [back(line) for line in answer]
        else:
            raise SystemExit(f"{path}: unknown directive '{block.head}'")
    for key, value in changed.items():
        spark.conf.unset(key) if value is None else spark.conf.set(key, value)
    spark.sql("USE spark_catalog.default")
    shutil.rmtree(warehouse, ignore_errors=True)
    return "\n\n".join(block.text() for block in out) + "\n"


def main():
    write, files = oracle.options_of(__doc__, "**/*.slt")
    files = [file for file in files if not file.read_text().startswith("only weir:")]
    spark = oracle.start()
    number = itertools.count()
    oracle.settle(files, lambda path: run_file(spark, path, next(number)), write)
    spark.stop()


if __name__ == "__main__":
    main()
