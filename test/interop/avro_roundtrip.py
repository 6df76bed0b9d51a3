#!/usr/bin/env python3
"""Every Avro vector, rewritten by Weir in every codec, must read equal in fastavro and in Apache Avro for Java.

  avro_roundtrip.py PATH_TO_avro_copy

Needs the Python of test/requirements.txt (fastavro; pyspark for its JVM with Avro). Exit code 1 on any difference.
"""
import pathlib
import subprocess
import sys
import tempfile

import fastavro
from pyspark.sql import SparkSession

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "fixtures" / "avro"


def with_fastavro(path):
    with open(path, "rb") as file:
        reader = fastavro.reader(file)
        metadata = {k: v for k, v in reader.metadata.items() if not k.startswith("avro.")}
        # By text, so that NaN equals NaN.
        return metadata, repr(list(reader))


def with_java(jvm, path):
    avro = jvm.org.apache.avro
    reader = avro.file.DataFileReader(jvm.java.io.File(str(path)), avro.generic.GenericDatumReader())
    records = []
    while reader.hasNext():
        records.append(reader.next().toString())
    reader.close()
    return records


def main(avro_copy):
    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    jvm = spark.sparkContext._jvm
    failures = compared = 0
    with tempfile.TemporaryDirectory() as folder:
        for vector in sorted(FIXTURES.glob("*.avro")):
            for codec in ("null", "deflate", "snappy", "zstandard"):
                copy = pathlib.Path(folder) / f"{codec}_{vector.name}"
                subprocess.run([avro_copy, vector, copy, codec], check=True)
                checks = [(with_java(jvm, vector), with_java(jvm, copy))]
                optional = ("snappy", "zstandard")  # fastavro needs further packages for these.
                if codec not in optional and not vector.stem.endswith(optional):
                    checks.append((with_fastavro(vector), with_fastavro(copy)))
                for expected, found in checks:
                    compared += 1
                    if expected != found:
                        failures += 1
                        print(f"{vector.name} as {codec}:\n  expected {expected}\n  found    {found}")
    spark.stop()
    print(f"{compared} comparisons, {failures} failures")
    return 1 if failures or not compared else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
