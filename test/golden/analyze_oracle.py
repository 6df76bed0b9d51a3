#!/usr/bin/env python3
"""Asks Spark what the statements of analyze/*.txt mean: column names, types and nullability, or the error.

  analyze_oracle.py [--check] [--write] [FILE...]    default: --check, every file

A file holds statements, one a line, each followed by "=> answer". An answer is a JSON list of [name, type, nullable]
for a query, "ok" for a statement without rows, or "! CONDITION {parameters}". A line "~> reason" behind an answer says
that Weir answers otherwise and why; it is left alone here. Blank lines and lines with "#" are comments.
"""
import json
import re
import shutil
import tempfile

from pyspark.errors import PySparkException

import spark as oracle


def answer(spark, statement):
    try:
        frame = spark.sql(statement)
    except PySparkException as error:
        if error.getCondition() is None:
            return "! " + str(error).split("\n")[0]
        parameters = dict(error.getMessageParameters() or {})
        text = json.dumps(parameters, sort_keys=True, ensure_ascii=False)
        return "! %s %s" % (error.getCondition(), re.sub(r"#\d+", "#0", text))  # expressions are numbered as they come
    except Exception as error:  # Errors of the table format come as they are.
        return "! " + next(line for line in str(error).split("\n") if line.startswith(":"))
    fields = [[field.name, field.dataType.simpleString(), field.nullable] for field in frame.schema.fields]
    return json.dumps(fields, ensure_ascii=False) if fields else "ok"


def with_answers(spark, path):
    """The file's text with Spark's answers; a statement without one gets it."""
    result = []
    for line in path.read_text().split("\n"):
        if line.startswith("=> "):
            continue
        result.append(line)
        if line.strip() and not line.startswith(("#", "~> ")):
            result.append("=> " + answer(spark, line))
    return "\n".join(result)


def main():
    write, files = oracle.options_of(__doc__, "analyze/*.txt")
    warehouse = tempfile.mkdtemp(prefix="weir-analyze-oracle-")
    spark = oracle.start(spark__sql__catalog__cat="org.apache.iceberg.spark.SparkCatalog",
                         spark__sql__catalog__cat__type="hadoop", spark__sql__catalog__cat__warehouse=warehouse,
                         spark__sql__defaultCatalog="cat")
    try:
        spark.sql("CREATE NAMESPACE cat.db")
        spark.sql("USE cat.db")
        for statement in filter(str.strip, (oracle.HERE / "analyze/tables.sql").read_text().split(";")):
            spark.sql(statement)
        oracle.settle(files, lambda path: with_answers(spark, path), write)
    finally:
        spark.stop()
        shutil.rmtree(warehouse)


if __name__ == "__main__":
    main()
