"""Tables written, merged into and read back."""
import datetime

from calls.asking import call
from calls.data import fresh, people


@call
def write_to_append(s, F, T):
    table = fresh(s, "appended")
    s.createDataFrame([("a", 1)], "name string, id int").writeTo(table).append()
    return s.table(table)


@call
def write_to_append_lacks_a_column(s, F, T):
    table = fresh(s, "lacking")
    s.createDataFrame([(1,)], "id int").writeTo(table).append()
    return s.table(table)


@call
def write_to_append_unlike_type(s, F, T):
    table = fresh(s, "unlike")
    s.createDataFrame([("x", "a")], "id string, name string").writeTo(table).append()


@call
def write_to_create(s, F, T):
    table = fresh(s, "created", columns="")
    s.range(3).withColumn("day", F.lit("x")).writeTo(table).using("iceberg").partitionedBy("day").create()
    return s.table(table)


@call
def write_to_create_with_transforms(s, F, T):
    table = fresh(s, "transformed", columns="")
    frame = s.createDataFrame([(1, datetime.datetime(2024, 1, 2, 3))], "id int, ts timestamp")
    frame.writeTo(table).using("iceberg").tableProperty("format-version", "2").partitionedBy(
        F.partitioning.days("ts"), F.partitioning.bucket(4, "id")).create()
    return s.table(table + ".partitions").select("partition", "record_count")


@call
def write_to_create_twice(s, F, T):
    table = fresh(s, "created_twice")
    s.range(3).writeTo(table).using("iceberg").create()


@call
def write_to_overwrite_partitions(s, F, T):
    table = fresh(s, "by_partition", "id int, p string", "PARTITIONED BY (p)")
    s.createDataFrame([(1, "a"), (2, "b")], "id int, p string").writeTo(table).append()
    s.createDataFrame([(3, "b")], "id int, p string").writeTo(table).overwritePartitions()
    return s.table(table)


@call
def write_to_overwrite_condition(s, F, T):
    table = fresh(s, "by_condition", "id int, p string", "PARTITIONED BY (p)")
    s.createDataFrame([(1, "a"), (2, "b")], "id int, p string").writeTo(table).append()
    s.createDataFrame([(4, "a")], "id int, p string").writeTo(table).overwrite(F.col("p") == "a")
    return s.table(table)


@call
def write_save_as_table(s, F, T):
    table = fresh(s, "saved", columns="")
    people(s).write.format("iceberg").saveAsTable(table)
    people(s).select("name", "id", "age", "score").write.format("iceberg").mode("append").saveAsTable(table)
    return s.table(table)


@call
def write_save_as_table_twice(s, F, T):
    table = fresh(s, "saved_twice")
    people(s).write.format("iceberg").saveAsTable(table)


@call
def write_save_as_table_ignore(s, F, T):
    table = fresh(s, "saved_ignored")
    people(s).write.format("iceberg").mode("ignore").saveAsTable(table)
    return s.table(table)


@call
def write_insert_into(s, F, T):
    table = fresh(s, "inserted")
    s.createDataFrame([(1, "a")], "x int, y string").write.insertInto(table)
    s.createDataFrame([(2, "b")], "x int, y string").write.insertInto(table, overwrite=True)
    return s.table(table)


@call
def write_format_save(s, F, T):
    table = fresh(s, "saved_by_format")
    s.createDataFrame([("a", 1)], "name string, id int").write.format("iceberg").mode("append").save(table)
    return s.table(table)
