"""PySpark's own client against `weir server`: every call answers what real Spark answered (answers.json)."""
import json
import pathlib

import calls
import pytest

ANSWERS = json.loads((pathlib.Path(__file__).parent / "answers.json").read_text())


# What Weir answers otherwise, and why. A line that is no longer true fails the test.
DIFFERENCES = {
    "write_to_create_with_transforms": "columns of metadata tables have no comments",
    "show_interval_of_days": "interval types have no units: every day-time interval is DAY TO SECOND",
}


@pytest.mark.parametrize("name", calls.CALLS)
def test_call(spark, name):
    from pyspark.sql import types
    from pyspark.sql.connect import functions

    given = calls.answer(name, spark, functions, types)
    if name in DIFFERENCES:
        assert given != ANSWERS[name], f"no longer true: {DIFFERENCES[name]}"
    else:
        assert given == ANSWERS[name]


def test_there_are_many_calls():
    assert set(ANSWERS) == set(calls.CALLS)
    assert len(ANSWERS) >= 100
