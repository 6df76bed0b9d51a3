"""How a call is asked, and what counts as its answer."""
import json

CALLS = {}
ORDERED = set()


def call(function):
    """Registers a call under the function's name. It takes a session and `F`, `T` of PySpark; see `answer`."""
    assert function.__name__ not in CALLS
    CALLS[function.__name__] = function
    return function


def ordered_call(function):
    """A call whose rows come in an order of their own."""
    ORDERED.add(function.__name__)
    return call(function)


def answer(name, spark, functions, types):
    """What a call gave: rows and schema of a frame, a value, or the error."""
    from pyspark.sql.connect.dataframe import DataFrame

    try:
        value = CALLS[name](spark, functions, types)
        if not isinstance(value, DataFrame):
            return {"value": repr(value)}
        rows = [repr(row) for row in value.collect()]
        return {"schema": json.loads(value.schema.json()), "rows": rows if name in ORDERED else sorted(rows)}
    except Exception as error:
        if not hasattr(error, "getCondition"):
            return {"error": type(error).__name__, "text": str(error)[:200]}
        return {"error": type(error).__name__, "condition": error.getCondition(), "sqlState": error.getSqlState()}
