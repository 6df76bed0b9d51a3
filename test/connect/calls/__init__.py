"""One script of PySpark, as users write it: every call runs on Weir and on real Spark, and must answer the same."""
from calls import session, frames, columns, rows, groups, joins, text, sql, writes, merges, catalogs  # noqa: F401: they register.
from calls.asking import CALLS, answer  # noqa: F401
