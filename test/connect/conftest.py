"""A `weir server` of its own for each run."""
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WEIR = pathlib.Path(os.environ.get("WEIR_PROGRAM", ROOT / "build/weir"))


def start_server(warehouse, *flags):
    """The process and its port."""
    conf = {"spark.sql.catalog.cat": "org.apache.iceberg.spark.SparkCatalog", "spark.sql.catalog.cat.type": "hadoop",
            "spark.sql.catalog.cat.warehouse": str(warehouse), "spark.sql.session.timeZone": "UTC"}
    pairs = [flag for key, value in conf.items() for flag in ("--conf", f"{key}={value}")]
    process = subprocess.Popen([str(WEIR), "server", "--port", "0", *pairs, *flags], stdout=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    found = re.search(r"sc://localhost:(\d+)", line)
    assert found, f"weir server said {line!r}"
    return process, int(found.group(1))


@pytest.fixture(scope="session")
def port(tmp_path_factory):
    process, port = start_server(tmp_path_factory.mktemp("warehouse"))
    yield port
    process.terminate()
    assert process.wait(timeout=20) == 0


@pytest.fixture(scope="session")
def spark(port):
    import logging
    import time

    os.environ["TZ"] = "UTC"
    time.tzset()
    from pyspark.sql import SparkSession

    logging.disable(logging.CRITICAL)
    session = SparkSession.builder.remote(f"sc://localhost:{port}").getOrCreate()
    yield session
    session.stop()
