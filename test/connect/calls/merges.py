"""MERGE, as SQL and as the DataFrame API has it."""
from calls.asking import call
from calls.data import fresh


def merged_orders(s):
    """The MERGE of job 1 as users write it, into a table of 100 orders; returns the target's name."""
    s.sql("CREATE NAMESPACE IF NOT EXISTS cat.shop")
    for table in ("target", "source"):
        s.sql(f"DROP TABLE IF EXISTS cat.shop.{table}")
        s.sql(f"CREATE TABLE cat.shop.{table} (order_id BIGINT, customer_id BIGINT, order_ts TIMESTAMP, channel STRING, "
              "product_type STRING, amount DECIMAL(12,2), status STRING) USING iceberg "
              "PARTITIONED BY (bucket(10, order_id), channel) TBLPROPERTIES ('format-version'='2', "
              "'write.delete.mode'='merge-on-read', 'write.update.mode'='merge-on-read', "
              "'write.merge.mode'='merge-on-read')")
    s.sql("INSERT INTO cat.shop.target SELECT id, id % 50, timestamp'2025-01-01 10:00:00', "
          "CASE id % 3 WHEN 0 THEN 'WEB' WHEN 1 THEN 'APP' ELSE 'STORE' END, 'BOOK', "
          "CAST(id * 1.15 AS DECIMAL(12,2)), 'ACTIVE' FROM range(1, 101)")
    s.sql("INSERT INTO cat.shop.source SELECT id, id % 50, timestamp'2025-01-03 12:00:00', "
          "CASE id % 2 WHEN 0 THEN 'WEB' ELSE 'STORE' END, 'NEW', CAST(id * 2.00 AS DECIMAL(12,2)), 'NEW' "
          "FROM range(96, 106)")
    s.sql("""MERGE INTO cat.shop.target AS tgt USING cat.shop.source AS src ON tgt.order_id = src.order_id
             WHEN MATCHED THEN UPDATE SET tgt.customer_id = src.customer_id, tgt.order_ts = src.order_ts,
               tgt.channel = src.channel, tgt.product_type = src.product_type, tgt.amount = src.amount,
               tgt.status = src.status
             WHEN NOT MATCHED THEN INSERT (order_id, customer_id, order_ts, channel, product_type, amount, status)
               VALUES (src.order_id, src.customer_id, src.order_ts, src.channel, src.product_type, src.amount,
                       src.status)""")
    return "cat.shop.target"


@call
def merge_of_orders(s, F, T):
    return s.table(merged_orders(s)).filter("order_id > 90")


@call
def merge_writes_snapshots(s, F, T):
    return s.table(merged_orders(s) + ".snapshots").select("operation")


@call
def merge_is_read_by_format(s, F, T):
    return s.read.format("iceberg").load(merged_orders(s)).groupBy("channel").count()


@call
def merge_cardinality(s, F, T):
    table = fresh(s, "twice", "k int, v int")
    s.sql(f"INSERT INTO {table} VALUES (1, 1)")
    s.sql(f"MERGE INTO {table} t USING (VALUES (1, 2), (1, 3) AS s(k, v)) s ON t.k = s.k "
          "WHEN MATCHED THEN UPDATE SET v = s.v")


@call
def merge_into(s, F, T):
    table = fresh(s, "merged")
    s.createDataFrame([(1, "a"), (2, "b"), (3, "c")], "id int, name string").writeTo(table).append()
    source = s.createDataFrame([(2, "B"), (3, None), (4, "D")], "id int, name string")
    (source.alias("src").mergeInto(table, F.expr(f"{table}.id = src.id"))
     .whenMatched(F.col("src.name").isNull()).delete()
     .whenMatched().update({"name": F.concat(F.col("src.name"), F.lit("!"))})
     .whenNotMatched().insert({"id": F.col("src.id"), "name": F.col("src.name")})
     .whenNotMatchedBySource().update({"name": F.lit("gone")}).merge())
    return s.table(table)


@call
def merge_into_all(s, F, T):
    table = fresh(s, "merged_all")
    s.createDataFrame([(1, "a")], "id int, name string").writeTo(table).append()
    source = s.createDataFrame([(1, "A"), (2, "B")], "id int, name string")
    (source.alias("src").mergeInto(table, F.expr(f"{table}.id = src.id"))
     .whenMatched().updateAll().whenNotMatched().insertAll().merge())
    return s.table(table)
