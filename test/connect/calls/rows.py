"""Rows: kept, ordered, counted; values filled in."""
from calls.asking import call, ordered_call
from calls.data import people


# ---- rows

@call
def filter_column(s, F, T):
    p = people(s)
    return p.filter(p.age == 31)


@call
def filter_text(s, F, T):
    return people(s).where("age > 31 or name is null")


@call
def filter_not_boolean(s, F, T):
    return people(s).filter("id")


@call
def filter_isin(s, F, T):
    p = people(s)
    return p.filter(p.id.isin(1, 4)).select("id")


@call
def filter_between_like(s, F, T):
    p = people(s)
    return p.filter(p.id.between(1, 3) & p.name.like("%n%"))


@call
def filter_string_methods(s, F, T):
    p = people(s)
    return p.select(p.name.startswith("A"), p.name.endswith("b"), p.name.contains("a"), p.name.rlike("^[AB]"),
                    p.name.substr(1, 2), p.name.ilike("ann"))


@ordered_call
def order_by(s, F, T):
    return people(s).orderBy("age", F.desc("id"))


@ordered_call
def order_by_nulls(s, F, T):
    return people(s).orderBy(F.col("age").desc_nulls_last(), F.col("id").asc()).select("id", "age")


@ordered_call
def order_by_not_selected(s, F, T):
    p = people(s)
    return p.select("id").orderBy(p.score.desc())


@ordered_call
def limit_offset(s, F, T):
    return s.range(10).orderBy("id").offset(2).limit(3)


@call
def head_take_first_tail(s, F, T):
    f = s.range(5)
    return f.head(), f.head(2), f.take(1), f.first(), f.tail(2)


@call
def count_rows(s, F, T):
    return people(s).count(), s.range(0).isEmpty(), people(s).filter("false").first()


@call
def distinct_rows(s, F, T):
    return people(s).select("age").distinct()


@call
def drop_duplicates(s, F, T):
    return people(s).dropDuplicates(["age"]).select("age")


@call
def drop_duplicates_unknown(s, F, T):
    return people(s).dropDuplicates(["nope"])


# ---- missing values

@call
def fill_number(s, F, T):
    return people(s).na.fill(0)


@call
def fill_text_in_columns(s, F, T):
    return people(s).fillna("?", ["name", "age"])


@call
def fill_each(s, F, T):
    return people(s).fillna({"age": 7, "name": "nobody", "score": 0.25})


@call
def drop_missing(s, F, T):
    return people(s).na.drop().select("id")


@call
def drop_missing_all(s, F, T):
    return people(s).na.drop("all", subset=["name", "score"]).select("id")


@call
def drop_missing_threshold(s, F, T):
    return people(s).dropna(thresh=3).select("id")


@call
def replace_values(s, F, T):
    return people(s).replace({"Ann": "ANN"}).replace(31, 32, ["age"])


@call
def replace_with_null(s, F, T):
    return people(s).na.replace(["Bob"], None, "name")
