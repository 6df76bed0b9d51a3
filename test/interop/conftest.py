"""Weir beside independent implementations of Iceberg, over the same warehouse folder."""
import json
import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WEIR = pathlib.Path(os.environ.get("WEIR_PROGRAM", ROOT / "build/weir"))
JAR = ROOT / ".deps/jars/iceberg-spark-runtime-4.1_2.13-1.12.0.jar"
MERGE_ON_READ = ("TBLPROPERTIES ('format-version'='2', 'write.delete.mode'='merge-on-read', "
                 "'write.update.mode'='merge-on-read', 'write.merge.mode'='merge-on-read')")


class Weir:
    """Runs statements in `weir sql`, one process a call."""

    def __init__(self, warehouse):
        self.warehouse = warehouse

    def command(self, *arguments):
        conf = {"spark.sql.catalog.cat": "org.apache.iceberg.spark.SparkCatalog", "spark.sql.catalog.cat.type": "hadoop",
                "spark.sql.catalog.cat.warehouse": str(self.warehouse), "spark.sql.session.timeZone": "UTC"}
        flags = [flag for key, value in conf.items() for flag in ("--conf", f"{key}={value}")]
        return [str(WEIR), "sql", *flags, *arguments]

    def run(self, *statements):
        """Runs all statements; raises AssertionError with Weir's message if one fails."""
        done = self.attempt(*statements)
        assert done.returncode == 0, done.stderr
        return done

    def attempt(self, *statements, **kwargs):
        return subprocess.run(self.command("-e", ";\n".join(statements)), capture_output=True, text=True,
                              timeout=120, **kwargs)

    def rows(self, query):
        """Rows of one query as tuples of CAST(.. AS STRING) texts, sorted; NULL is None."""
        done = subprocess.run(self.command("--format", "json", "-e", query), capture_output=True, text=True,
                              timeout=120)
        assert done.returncode == 0, done.stderr
        return sort_rows([tuple(json.loads(line).values()) for line in done.stdout.splitlines()])


def sort_rows(rows):
    return sorted(rows, key=lambda row: [(value is not None, str(value)) for value in row])


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    import logging

    from pyspark.sql import SparkSession

    logging.disable(logging.CRITICAL)
    session = (SparkSession.builder.master("local[2]").config("spark.jars", str(JAR))
               .config("spark.sql.extensions", "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
               .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
               .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("spark")))
               .config("spark.sql.session.timeZone", "UTC").config("spark.sql.shuffle.partitions", "2")
               .config("spark.driver.extraJavaOptions", "-Duser.timezone=UTC").getOrCreate())
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


class Lake:
    """One warehouse folder seen by Weir and by Spark, each through its own catalog `cat`."""

    def __init__(self, spark, warehouse, number):
        self.weir = Weir(warehouse)
        self.warehouse = warehouse
        self.session = spark
        self.catalog = f"lake{number}"
        for key, value in {"": "org.apache.iceberg.spark.SparkCatalog", ".type": "hadoop", ".cache-enabled": "false",
                           ".warehouse": str(warehouse)}.items():
            spark.conf.set(f"spark.sql.catalog.{self.catalog}{key}", value)

    def spark(self, statement):
        return self.session.sql(statement.replace("cat.", f"{self.catalog}."))

    def spark_rows(self, query):
        from pyspark.sql import functions as f

        frame = self.spark(query)
        return sort_rows([tuple(row) for row in frame.select([f.col(f"`{name}`").cast("string") for name in frame.columns])
                          .collect()])

    def table_folder(self, name):
        return self.warehouse / "db" / name

    def current_metadata(self, name):
        folder = self.table_folder(name) / "metadata"
        versions = [int(file.name[1:].split(".")[0]) for file in folder.glob("v*.metadata.json")]
        return folder / f"v{max(versions)}.metadata.json"

    def pyiceberg(self, name):
        from pyiceberg.table import StaticTable

        return StaticTable.from_metadata(str(self.current_metadata(name)))

    def java_table(self, name):
        """The table through Iceberg's Java API, for what Spark SQL cannot write."""
        jvm = self.session._jvm
        tables = jvm.org.apache.iceberg.hadoop.HadoopTables(self.session._jsc.hadoopConfiguration())
        return tables.load(str(self.table_folder(name)))


@pytest.fixture
def lake(spark, tmp_path, request):
    made = Lake(spark, tmp_path / "warehouse", abs(hash(request.node.nodeid)))
    made.weir.run("CREATE NAMESPACE cat.db")
    yield made
    shutil.rmtree(tmp_path, ignore_errors=True)
