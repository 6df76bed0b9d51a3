#!/usr/bin/env python3
"""Asks Spark's parser about every statement in parser/*.txt.

  parser_oracle.py [--check] [--write] [FILE...]    default: --check, every file

A file is a list of blocks, apart by a blank line; lines before the first block that begin with '#' are kept:

    statement                  (or: statement json, and then one JSON string)
    SELECT 1
    ----
    ok                         (or: error CONDITION SQLSTATE line:position, then one line per parameter)
    weir refuses: LATERAL VIEW (by hand: what Weir refuses by name where Spark answers something else)
    weir differs: why          (by hand: Weir's answer is another one, and why that is accepted)

"""
import json

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

import spark as oracle


def place_of(java):
    """line:position, or "-" where the error is not one of the parser's own."""
    if "ParseException" not in java.getClass().getName():
        return "-"
    line, position = java.line(), java.startPosition()
    return f"{line.get()}:{position.get()}" if line.isDefined() and position.isDefined() else "-"


def answer(parser, text):
    """The lines of Spark's answer."""
    try:
        parser.parsePlan(text)
        return ["ok"]
    except PySparkException as error:
        java, spark = getattr(error, "_origin", None), error
    except Py4JJavaError as error:
        java = spark = error.java_exception
    # Iceberg's own parser gives no condition.
    condition, state, parameters = spark.getCondition() or "-", spark.getSqlState() or "-", spark.getMessageParameters()
    lines = [f"  {key} = {json.dumps(str(parameters[key]), ensure_ascii=False)}" for key in sorted(parameters or {})]
    return [f"error {condition} {state} {place_of(java)}"] + lines


def with_answers(parser, path):
    """The file's text with Spark's answers."""
    head, blocks, block = [], [], None
    for line in path.read_text().split("\n"):
        if line in ("statement", "statement json") and (block is None or block["done"]):
            block = {"kind": line, "text": [], "done": False, "kept": []}
            blocks.append(block)
        elif block is None:
            head.append(line)
        elif line == "----" and not block["done"]:
            block["done"] = True
        elif not block["done"]:
            block["text"].append(line)
        elif line.startswith("weir "):
            block["kept"].append(line)
    out = "\n".join(head).rstrip("\n") + "\n"
    for block in blocks:
        text = "\n".join(block["text"])
        sql = json.loads(text) if block["kind"].endswith("json") else text
        out += "\n" + "\n".join([block["kind"], text, "----"] + answer(parser, sql) + block["kept"]) + "\n"
    return out


def main():
    write, files = oracle.options_of(__doc__, "parser/*.txt")
    spark = oracle.start()
    parser = spark._jsparkSession.sessionState().sqlParser()
    oracle.settle(files, lambda path: with_answers(parser, path), write)
    spark.stop()


if __name__ == "__main__":
    main()
