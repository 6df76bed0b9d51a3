"""Frames as text and as tables of other libraries."""
import contextlib
import io

from calls.asking import call
from calls.data import people


def printed(function, *arguments):
    """What a call prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        function(*arguments)
    return out.getvalue()


@call
def show_rows(s, F, T):
    return people(s)._show_string()


@call
def show_vertical(s, F, T):
    return people(s)._show_string(2, 20, True)


@call
def show_truncated(s, F, T):
    f = s.createDataFrame([("a long text of more than twenty", 1), (None, 22)], "t string, i int")
    return f._show_string(1), f._show_string(5, False), f._show_string(5, 3)


@call
def show_types(s, F, T):
    return s.sql("SELECT array(1, null) a, map('k', null) m, struct(1 x, null y) s, X'00FF' b, 1e10D d, "
                 "timestamp'2024-01-01 00:00:00' t, date'2024-01-01' da, 'a\\tb' x, '中文' w")._show_string(20, False)


@call
def show_intervals(s, F, T):
    return s.sql("SELECT interval '1 02:03:04' day to second i, interval '1-2' year to month j")._show_string(20, False)


@call
def show_interval_of_days(s, F, T):
    return s.sql("SELECT interval '1' day i")._show_string(20, False)


@call
def show_empty(s, F, T):
    return s.range(0)._show_string(), s.range(0)._show_string(20, 20, True)


@call
def html(s, F, T):
    s.conf.set("spark.sql.repl.eagerEval.enabled", "true")
    try:
        return s.createDataFrame([("<a>", 1)], "t string, i int")._repr_html_()
    finally:
        s.conf.unset("spark.sql.repl.eagerEval.enabled")


@call
def print_schema(s, F, T):
    f = s.createDataFrame([], "a int, b array<struct<c:int,d:map<string,decimal(10,2)>>>, e timestamp_ntz, f binary, "
                              "g interval day to second, h interval year to month")
    return printed(f.printSchema), printed(f.printSchema, 2)


@call
def dtypes_and_columns(s, F, T):
    p = people(s)
    return p.dtypes, p.columns, p.schema.simpleString()


@call
def to_pandas(s, F, T):
    return people(s).orderBy("id").toPandas().to_dict()


@call
def to_arrow(s, F, T):
    table = people(s).orderBy("id").toArrow()
    return str(table.schema), table.to_pylist()


@call
def to_local_iterator(s, F, T):
    return [row.id for row in s.range(5).orderBy("id").toLocalIterator()]


@call
def is_local_streaming(s, F, T):
    return s.range(1).isStreaming


@call
def repartition_and_hint(s, F, T):
    return s.range(3).repartition(2).coalesce(1).hint("broadcast").sortWithinPartitions("id")


@call
def repartition_by_nothing(s, F, T):
    return s.range(3).repartition(0).count()
