"""Every Avro vector, rewritten by Weir in every codec, reads equal in fastavro and in Apache Avro for Java."""
import subprocess

import fastavro
import pytest

from conftest import ROOT

FIXTURES = ROOT / "test/fixtures/avro"
COPY = ROOT / "build/test/interop/avro_copy"
VECTORS = sorted(FIXTURES.glob("*.avro"))


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


def test_there_are_vectors():
    assert len(VECTORS) == 9


@pytest.mark.parametrize("vector", VECTORS, ids=lambda path: path.stem)
def test_copies_read_equal(spark, tmp_path, vector):
    jvm = spark.sparkContext._jvm
    for codec in ("null", "deflate", "snappy", "zstandard"):
        copy = tmp_path / f"{codec}.avro"
        subprocess.run([COPY, vector, copy, codec], check=True)
        assert with_java(jvm, copy) == with_java(jvm, vector), codec
        # fastavro needs further packages for the two others.
        if codec in ("null", "deflate") and not vector.stem.endswith(("snappy", "zstandard")):
            assert with_fastavro(copy) == with_fastavro(vector), codec
