"""Two frames: joins and set operations."""
from calls.asking import call
from calls.data import orders, people


@call
def join_condition(s, F, T):
    p, o = people(s), orders(s)
    return p.join(o, p.id == o.person).select("name", "amount")


@call
def join_left(s, F, T):
    p, o = people(s), orders(s)
    return p.join(o, p.id == o.person, "left").select(p.id, o.amount)


@call
def join_right_full(s, F, T):
    p, o = people(s), orders(s)
    return p.join(o, p.id == o.person, "full").select(p.id, o.person)


@call
def join_semi_anti(s, F, T):
    p, o = people(s), orders(s)
    semi = p.join(o, p.id == o.person, "left_semi").select("id")
    return semi.union(p.join(o, p.id == o.person, "left_anti").select(p.id * 100))


@call
def join_using(s, F, T):
    return people(s).join(orders(s).withColumnRenamed("person", "id"), "id")


@call
def join_using_outer(s, F, T):
    return people(s).join(orders(s).withColumnRenamed("person", "id"), ["id"], "outer").select("id", "amount")


@call
def join_cross(s, F, T):
    return s.range(2).crossJoin(s.range(2).withColumnRenamed("id", "k"))


@call
def join_aliases(s, F, T):
    p = people(s)
    return p.alias("a").join(p.alias("b"), F.col("a.age") == F.col("b.age")).select("a.id", "b.name")


@call
def join_self_is_ambiguous(s, F, T):
    p = people(s)
    return p.join(p, p.id == p.id).select(p.name)


@call
def join_self_renamed(s, F, T):
    p = people(s)
    older = p.select(p.id.alias("other"), p.age.alias("other_age"))
    return p.join(older, p.age < older.other_age).select(p.id, older.other)


@call
def join_after_select(s, F, T):
    p = people(s)
    q = p.filter(p.id > 1).select("id", "age")
    return q.filter(p.age == 31)


@call
def column_of_another_frame(s, F, T):
    return people(s).select(orders(s).amount)


@call
def union_rows(s, F, T):
    return s.range(2).union(s.range(2))


@call
def union_widens(s, F, T):
    return s.range(1).union(s.createDataFrame([(1.5,)], "x double"))


@call
def union_by_name(s, F, T):
    a = s.createDataFrame([(1, "x")], "a int, b string")
    return a.unionByName(s.createDataFrame([("y", 2)], "b string, a int"))


@call
def union_by_name_missing(s, F, T):
    a = s.createDataFrame([(1, "x")], "a int, b string")
    return a.unionByName(s.createDataFrame([(2, True)], "a int, c boolean"), allowMissingColumns=True)


@call
def union_by_name_refuses(s, F, T):
    a = s.createDataFrame([(1, "x")], "a int, b string")
    return a.unionByName(s.createDataFrame([(2, True)], "a int, c boolean"))


@call
def union_of_unlike_widths(s, F, T):
    return s.range(1).union(s.createDataFrame([(1, 2)], "a int, b int"))


@call
def intersect_except(s, F, T):
    a, b = s.range(4), s.range(2, 6)
    return a.intersect(b).union(a.subtract(b)).union(a.union(a).exceptAll(b)).union(a.intersectAll(b))
