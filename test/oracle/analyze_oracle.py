#!/usr/bin/env python3
"""Asks Spark what the statements of test/golden/analyze/*.txt mean: column names, types and nullability, or the error.

    analyze_oracle.py            checks that the files say what Spark says
    analyze_oracle.py --write    writes Spark's answers into the files; lines without an answer get one

A file holds statements, one a line, each followed by "=> answer". An answer is a JSON list of [name, type, nullable]
for a query, "ok" for a statement without rows, or "! CONDITION {parameters}". A line "~> reason" behind an answer says
that Weir answers otherwise and why; it is left alone here. Blank lines and lines with "#" are comments.
"""
import argparse
import glob
import json
import logging
import os
import shutil
import sys
import tempfile

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GOLDEN = os.path.join(ROOT, "test", "golden", "analyze")


def start(warehouse):
    jars = ",".join(glob.glob(os.path.join(ROOT, ".deps", "jars", "*.jar")))
    builder = SparkSession.builder.master("local[1]").config("spark.jars", jars)
    builder = builder.config("spark.sql.extensions", "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
    builder = builder.config("spark.sql.catalog.cat", "org.apache.iceberg.spark.SparkCatalog")
    builder = builder.config("spark.sql.catalog.cat.type", "hadoop").config("spark.sql.catalog.cat.warehouse", warehouse)
    builder = builder.config("spark.ui.enabled", "false").config("spark.sql.session.timeZone", "UTC")
    builder = builder.config("spark.sql.defaultCatalog", "cat").config("spark.sql.shuffle.partitions", "1")
    spark = builder.config("spark.driver.memory", "1g").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    logging.disable(logging.CRITICAL)
    return spark


def answer(spark, statement):
    try:
        frame = spark.sql(statement)
    except PySparkException as error:
        if error.getCondition() is None:
            return "! " + str(error).split("\n")[0]
        parameters = dict(error.getMessageParameters() or {})
        return "! %s %s" % (error.getCondition(), json.dumps(parameters, sort_keys=True, ensure_ascii=False))
    except Exception as error:  # Errors of the table format come as they are.
        return "! " + next(line for line in str(error).split("\n") if line.startswith(":"))
    fields = [[field.name, field.dataType.simpleString(), field.nullable] for field in frame.schema.fields]
    return json.dumps(fields, ensure_ascii=False) if fields else "ok"


def process(spark, path, write):
    with open(path) as file:
        lines = file.read().split("\n")
    result, differences = [], 0
    for number, line in enumerate(lines, 1):
        if line.startswith("=> "):
            continue
        result.append(line)
        if not line.strip() or line.startswith("#") or line.startswith("~> "):
            continue
        said = next((other for other in lines[number:number + 1] if other.startswith("=> ")), None)
        now = "=> " + answer(spark, line)
        result.append(now)
        if said != now:
            differences += 1
            if not write:
                print(f"{os.path.basename(path)}:{number}: {line}\n  file  {said}\n  Spark {now}")
    if write:
        with open(path, "w") as file:
            file.write("\n".join(result))
    return differences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    warehouse = tempfile.mkdtemp(prefix="weir-analyze-oracle-")
    spark = start(warehouse)
    try:
        spark.sql("CREATE NAMESPACE cat.db")
        spark.sql("USE cat.db")
        with open(os.path.join(GOLDEN, "tables.sql")) as file:
            for statement in filter(str.strip, file.read().split(";")):
                spark.sql(statement)
        files = arguments.files or sorted(glob.glob(os.path.join(GOLDEN, "*.txt")))
        differences = sum(process(spark, path, arguments.write) for path in files)
    finally:
        spark.stop()
        shutil.rmtree(warehouse)
    print(f"{differences} answers differ" + (", written" if arguments.write else ""))
    return 0 if arguments.write or differences == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
