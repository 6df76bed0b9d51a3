"""SQL texts and temporary views."""
from calls.asking import call
from calls.data import people


@call
def sql_rows(s, F, T):
    return s.sql("SELECT id, id * 2 AS d FROM range(3)")


@call
def sql_error_in_analysis(s, F, T):
    s.sql("SELECT nope FROM range(3)")


@call
def sql_error_in_syntax(s, F, T):
    s.sql("SELEC 1")


@call
def sql_error_context(s, F, T):
    try:
        s.sql("SELECT id,\n  nope FROM range(3)")
    except Exception as error:
        context = error.getQueryContext()[0]
        return context.fragment(), context.startIndex(), context.stopIndex(), sorted(error.getMessageParameters().items())


@call
def sql_error_at_run_time(s, F, T):
    return s.sql("SELECT 1 / (id - 1) FROM range(3)")


@call
def sql_overflow(s, F, T):
    return s.sql("SELECT 9223372036854775807 + id FROM range(3)")


@call
def sql_bad_cast(s, F, T):
    return s.sql("SELECT CAST(concat('x', id) AS INT) FROM range(3)")


@call
def sql_bad_date(s, F, T):
    return s.sql("SELECT CAST(concat('x', id) AS DATE) FROM range(3)")


@call
def sql_over_a_frame(s, F, T):
    return s.sql("SELECT max(id) FROM {frame}", frame=s.range(7))


@call
def sql_types(s, F, T):
    return s.sql("SELECT 1Y a, 2S b, 3 c, 4L d, 1.5 e, 1.5D f, 'x' g, X'01' h, true i, null j, date'2024-01-01' k, "
                 "timestamp'2024-01-01 10:00:00' l, timestamp_ntz'2024-01-01 10:00:00' m, interval '1 02:03:04' day to second n, "
                 "array(1) o, map(1, 'a') p, named_struct('q', 1) r")


@call
def sql_set(s, F, T):
    s.sql("SET spark.sql.shuffle.partitions = 7")
    return s.conf.get("spark.sql.shuffle.partitions"), s.sql("SET spark.sql.shuffle.partitions").collect()


@call
def temp_view(s, F, T):
    people(s).createOrReplaceTempView("people_view")
    return s.sql("SELECT name FROM people_view WHERE id < 3")


@call
def temp_view_twice(s, F, T):
    s.range(1).createOrReplaceTempView("twice")
    s.range(1).createTempView("twice")


@call
def temp_view_over_itself(s, F, T):
    s.range(3).createOrReplaceTempView("itself")
    s.table("itself").filter("id > 0").createOrReplaceTempView("itself")
    return s.table("itself")


@call
def temp_view_keeps_what_it_was(s, F, T):
    s.range(3).createOrReplaceTempView("base_view")
    frame = s.sql("SELECT * FROM base_view WHERE id < 2")
    frame.createOrReplaceTempView("on_base")
    s.range(100, 101).createOrReplaceTempView("base_view")
    return s.table("on_base")


@call
def table_unknown(s, F, T):
    return s.table("no_such_table").collect()


@call
def explain_has_a_physical_plan(s, F, T):
    return "== Physical Plan ==" in s.range(3).filter("id > 1")._explain_string()
