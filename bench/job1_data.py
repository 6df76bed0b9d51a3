#!/usr/bin/env python3
"""Makes the tables of job 1 with Spark: cat.db.target and cat.db.source in a hadoop catalog.

  job1_data.py ROWS DIR      does nothing if DIR is complete
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
JAR = ROOT / ".deps/jars/iceberg-spark-runtime-4.1_2.13-1.12.0.jar"
COLUMNS = ("(order_id BIGINT, customer_id BIGINT, order_ts TIMESTAMP, channel STRING, product_type STRING, "
           "amount DECIMAL(12,2), status STRING) USING iceberg PARTITIONED BY (bucket(10, order_id), channel)")
MERGE_ON_READ = ("'format-version'='2', 'write.delete.mode'='merge-on-read', 'write.update.mode'='merge-on-read', "
                 "'write.merge.mode'='merge-on-read'")


def spark_session(warehouse):
    from pyspark.sql import SparkSession

    spark = (SparkSession.builder.master("local[2]").config("spark.jars", str(JAR))
             .config("spark.driver.memory", "6g").config("spark.ui.enabled", "false")
             .config("spark.sql.extensions", "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
             .config("spark.sql.catalog.cat", "org.apache.iceberg.spark.SparkCatalog")
             .config("spark.sql.catalog.cat.type", "hadoop").config("spark.sql.catalog.cat.warehouse", str(warehouse))
             .config("spark.sql.session.timeZone", "UTC").config("spark.sql.shuffle.partitions", "4")
             .config("spark.local.dir", str(pathlib.Path(warehouse).parent / "local"))
             .config("spark.driver.extraJavaOptions", "-Duser.timezone=UTC").getOrCreate())
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def target_select(rows):
    return f"""SELECT id AS order_id, id % 5000 + 100000 AS customer_id,
      CASE WHEN id <= 10000 THEN timestamp'2025-01-01 10:00:00' WHEN id <= 20000 THEN timestamp'2025-01-02 10:00:00'
           ELSE timestamp'2025-01-03 10:00:00' END AS order_ts,
      CASE id % 3 WHEN 0 THEN 'WEB' WHEN 1 THEN 'APP' ELSE 'STORE' END AS channel,
      CASE id % 4 WHEN 0 THEN 'BOOK' WHEN 1 THEN 'FOOD' WHEN 2 THEN 'TOY' ELSE 'OTHER' END AS product_type,
      CAST(id * 1.15 AS DECIMAL(12,2)) AS amount, 'ACTIVE' AS status FROM range(1, {rows + 1}, 1, 8)"""


def source_select(first, last, ts, product, factor, status):
    return f"""SELECT id AS order_id, id % 5000 + 100000 AS customer_id, timestamp'{ts}' AS order_ts,
      CASE id % 2 WHEN 0 THEN 'WEB' ELSE 'STORE' END AS channel, '{product}' AS product_type,
      CAST(id * {factor} AS DECIMAL(12,2)) AS amount, '{status}' AS status FROM range({first}, {last + 1})"""


def make(rows, folder):
    folder = pathlib.Path(folder).resolve()
    if (folder / "complete").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    spark = spark_session(folder / "warehouse")
    spark.sql("CREATE NAMESPACE IF NOT EXISTS cat.db")
    for name in ("target", "source"):
        spark.sql(f"DROP TABLE IF EXISTS cat.db.{name} PURGE")
    spark.sql(f"CREATE TABLE cat.db.target {COLUMNS} TBLPROPERTIES ({MERGE_ON_READ})")
    spark.sql(f"CREATE TABLE cat.db.source {COLUMNS} TBLPROPERTIES ('format-version'='2')")
    spark.sql(f"INSERT INTO cat.db.target {target_select(rows)}")
    updates = source_select(rows - 999, rows, "2025-01-03 12:00:00", "UPDATED_ITEM", "2.00", "UPDATED")
    inserts = source_select(rows + 1, rows + 1000, "2025-01-04 09:00:00", "NEW_ITEM", "3.00", "NEW")
    spark.sql(f"INSERT INTO cat.db.source {updates} UNION ALL {inserts}")
    print(spark.sql("SELECT count(*), sum(file_size_in_bytes), sum(record_count) FROM cat.db.target.files").collect())
    spark.stop()
    (folder / "complete").touch()


if __name__ == "__main__":
    make(int(sys.argv[1]), sys.argv[2])
