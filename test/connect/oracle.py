#!/usr/bin/env python3
"""Asks real Spark (its own Connect server) every call of calls/.

  oracle.py [--check] [--write]      default: --check

--check fails if answers.json differs from what Spark says; --write writes it.
"""
import argparse
import json
import logging
import os
import pathlib
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
JAR = HERE.parent.parent / ".deps/jars/iceberg-spark-runtime-4.1_2.13-1.12.0.jar"
ANSWERS = HERE / "answers.json"


def ask_spark():
    os.environ["TZ"] = "UTC"
    time.tzset()
    sys.path.insert(0, str(HERE))
    import calls
    from pyspark.sql import SparkSession, types
    from pyspark.sql.connect import functions

    logging.disable(logging.CRITICAL)
    warehouse = tempfile.mkdtemp()
    spark = (SparkSession.builder.remote("local[2]").config("spark.jars", str(JAR))
             .config("spark.sql.extensions", "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
             .config("spark.sql.catalog.cat", "org.apache.iceberg.spark.SparkCatalog")
             .config("spark.sql.catalog.cat.type", "hadoop").config("spark.sql.catalog.cat.warehouse", warehouse)
             .config("spark.sql.session.timeZone", "UTC").config("spark.ui.enabled", "false")
             .config("spark.sql.shuffle.partitions", "1").config("spark.driver.extraJavaOptions", "-Duser.timezone=UTC")
             .getOrCreate())
    answers = {name: calls.answer(name, spark, functions, types) for name in calls.CALLS}
    spark.stop()
    return json.dumps(answers, indent=1, ensure_ascii=False) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    answers = ask_spark()
    if options.write:
        ANSWERS.write_text(answers)
        return
    if not ANSWERS.exists() or ANSWERS.read_text() != answers:
        raise SystemExit("oracle: answers.json is not what Spark says; run with --write and read the difference")
    print(f"oracle: {len(json.loads(answers))} calls agree")


main()
