/// Random MERGE, UPDATE and DELETE statements on small tables: with pruning, without it, and a naive model
/// must agree. A failure prints the seed and the statements; WEIR_SEED=n runs one seed, WEIR_SEEDS=n that
/// many.

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "lake.h"

namespace weir {
namespace {

// ---- values
// --------------------------------------------------------------------------------------------------------

/// A key as the target's and as the source's column spell it. Keys are equal if `same` is.
struct Key {
  int same;
  std::string target, source;
  std::string text;  ///< As the target's column prints.
};
/// Keys of one pair of column types; a source key may have no target spelling, then nothing equals it.
struct KeyDomain {
  std::string target_type, source_type;
  std::vector<Key> keys;
  bool exact_source = true;  ///< Every source key can be stored in the target.
};

std::vector<KeyDomain> Domains() {
  std::vector<KeyDomain> domains;
  KeyDomain narrow{"INT", "BIGINT", {}, true}, wide{"BIGINT", "INT", {}, true},
      text{"STRING", "STRING", {}, true};
  KeyDomain decimal{"DECIMAL(10,2)", "DECIMAL(12,4)", {}, true}, date{"DATE", "DATE", {}, true};
  for (int i = 0; i < 12; ++i) {
    const std::string n = std::to_string(i * 7 - 20);
    narrow.keys.push_back({i, n, n + "L", n});
    wide.keys.push_back({i, n + "L", n, n});
    const std::string word = std::string(static_cast<size_t>(i % 4), 'a') + std::to_string(i);
    text.keys.push_back({i, "'" + word + "'", "'" + word + "'", word});
    decimal.keys.push_back({i, n + ".50BD", n + ".5000BD", n + ".50"});
    const std::string day = "20" + std::to_string(10 + i) + "-01-31";
    date.keys.push_back({i, "DATE'" + day + "'", "DATE'" + day + "'", day});
  }
  KeyDomain floating{"DOUBLE", "DOUBLE", {}, true};
  floating.keys = {{0, "0.0D", "0.0D", "0.0"},
                   {0, "-0.0D", "-0.0D", "-0.0"},
                   {1, "double('NaN')", "double('NaN')", "NaN"},
                   {2, "1.5D", "1.5D", "1.5"},
                   {3, "-1.0E300D", "-1.0E300D", "-1.0E300"},
                   {4, "double('Infinity')", "double('Infinity')", "Infinity"}};
  for (KeyDomain* domain : {&narrow, &wide, &text, &decimal, &date, &floating})
    domains.push_back(std::move(*domain));
  return domains;
}

struct Row {
  const Key* key = nullptr;  ///< Null: NULL.
  std::optional<std::string> part;
  std::optional<int64_t> value;
};

std::string Text(const Row& row) {
  return (row.key == nullptr ? "NULL" : row.key->text) + "|" + row.part.value_or("NULL") + "|" +
         (row.value ? std::to_string(*row.value) : "NULL");
}
std::vector<std::string> Texts(const std::vector<Row>& rows) {
  std::vector<std::string> texts;
  for (const Row& row : rows) texts.push_back(Text(row));
  std::sort(texts.begin(), texts.end());
  return texts;
}

// ---- conditions
// ----------------------------------------------------------------------------------------------------

using Truth = std::optional<bool>;
Truth And(Truth a, Truth b) {
  if ((a && !*a) || (b && !*b)) return false;
  if (!a || !b) return std::nullopt;
  return true;
}
Truth Or(Truth a, Truth b) {
  if ((a && *a) || (b && *b)) return true;
  if (!a || !b) return std::nullopt;
  return false;
}
Truth Not(Truth a) { return a ? Truth(!*a) : Truth(); }

Truth KeysEqual(const Key* a, const Key* b) {
  if (a == nullptr || b == nullptr) return std::nullopt;
  return a->same == b->same;
}
template <typename T>
Truth Equal(const std::optional<T>& a, const std::optional<T>& b) {
  if (!a || !b) return std::nullopt;
  return *a == *b;
}

struct Condition {
  std::string sql;  ///< Empty: none, always true.
  std::function<Truth(const Row& target, const Row& source)> holds = [](const Row&, const Row&) {
    return true;
  };
};

class Statements {
 public:
  Statements(uint64_t seed, const KeyDomain& domain) : random_(seed), domain_(domain) {}

  int Below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }

  Row RandomRow() {
    Row row;
    if (Below(10) > 0)
      row.key = &domain_.keys[static_cast<size_t>(Below(static_cast<int>(domain_.keys.size())))];
    if (Below(8) > 0) row.part = std::string(1, static_cast<char>('a' + Below(3)));
    if (Below(8) > 0) row.value = Below(10);
    return row;
  }
  std::vector<Row> RandomRows(int at_most) {
    std::vector<Row> rows(static_cast<size_t>(Below(at_most + 1)));
    for (Row& row : rows) row = RandomRow();
    return rows;
  }

  /// A condition on one side, whose columns are `name`.k, p, v.
  Condition OneSided(const std::string& name, bool target, int depth = 2) {
    const auto pick = [target](const Row& t, const Row& s) -> const Row& { return target ? t : s; };
    if (depth > 0 && Below(3) == 0) {
      Condition a = OneSided(name, target, depth - 1), b = OneSided(name, target, depth - 1);
      switch (Below(3)) {
        case 0:
          return {"(" + a.sql + " AND " + b.sql + ")",
                  [a, b](auto& t, auto& s) { return And(a.holds(t, s), b.holds(t, s)); }};
        case 1:
          return {"(" + a.sql + " OR " + b.sql + ")",
                  [a, b](auto& t, auto& s) { return Or(a.holds(t, s), b.holds(t, s)); }};
        default:
          return {"NOT " + a.sql, [a](auto& t, auto& s) { return Not(a.holds(t, s)); }};
      }
    }
    const int64_t limit = Below(10);
    const std::string part(1, static_cast<char>('a' + Below(4)));
    const Key* key = &domain_.keys[static_cast<size_t>(Below(static_cast<int>(domain_.keys.size())))];
    switch (Below(7)) {
      case 0:
        return {"(" + name + ".v > " + std::to_string(limit) + ")", [pick, limit](auto& t, auto& s) {
                  const auto& v = pick(t, s).value;
                  return v ? Truth(*v > limit) : Truth();
                }};
      case 1:
        return {"(" + name + ".p = '" + part + "')",
                [pick, part](auto& t, auto& s) { return Equal(pick(t, s).part, std::optional(part)); }};
      case 2:
        return {"(" + name + ".p IS NULL)", [pick](auto& t, auto& s) { return Truth(!pick(t, s).part); }};
      case 3:
        return {"(" + name + ".v IS NOT NULL)",
                [pick](auto& t, auto& s) { return Truth(pick(t, s).value.has_value()); }};
      case 4:
        return {"(" + name + ".k = " + (target ? key->target : key->source) + ")",
                [pick, key](auto& t, auto& s) { return KeysEqual(pick(t, s).key, key); }};
      case 5:
        return {"(" + name + ".p IN ('a', '" + part + "'))", [pick, part](auto& t, auto& s) {
                  const auto& p = pick(t, s).part;
                  return p ? Truth(*p == "a" || *p == part) : Truth();
                }};
      default:
        return {"(" + name + ".k IS NULL)",
                [pick](auto& t, auto& s) { return Truth(pick(t, s).key == nullptr); }};
    }
  }

  Condition On() {
    const Condition keys{"t.k = s.k", [](auto& t, auto& s) { return KeysEqual(t.key, s.key); }};
    const auto with = [&](const Condition& more) {
      return Condition{keys.sql + " AND " + more.sql,
                       [keys, more](auto& t, auto& s) { return And(keys.holds(t, s), more.holds(t, s)); }};
    };
    switch (Below(9)) {
      case 0:
        return with({"t.p = s.p", [](auto& t, auto& s) { return Equal(t.part, s.part); }});
      case 1:
        return with(OneSided("t", true));
      case 2:
        return with(OneSided("s", false));
      case 3:
        return {"t.k <=> s.k", [](auto& t, auto& s) {
                  return Truth(t.key == nullptr || s.key == nullptr ? t.key == s.key
                                                                    : t.key->same == s.key->same);
                }};
      case 4:
        return {"(t.k = s.k OR t.v = s.v)",
                [keys](auto& t, auto& s) { return Or(keys.holds(t, s), Equal(t.value, s.value)); }};
      default:
        return keys;
    }
  }

 private:
  std::mt19937_64 random_;
  const KeyDomain& domain_;
};

// ---- statements and their model
// ------------------------------------------------------------------------------------

struct Clause {
  Condition condition;
  std::string sql;  ///< What follows THEN.
  /// The new row, or nullopt for DELETE.
  std::function<std::optional<Row>(const Row& target, const Row& source)> apply;
  bool is_delete = false;
};

struct Outcome {
  std::vector<Row> rows;
  bool cardinality_violated = false;
};

struct Merge {
  std::vector<Row> source;
  Condition on;
  std::vector<Clause> matched, not_matched, by_source;

  std::string Sql(const std::string& table) const {
    std::string sql = "MERGE INTO " + table + " t USING src s ON " + on.sql;
    const auto add = [&sql](const char* when, const std::vector<Clause>& clauses) {
      for (const Clause& clause : clauses) {
        sql += std::string(" WHEN ") + when +
               (clause.condition.sql.empty() ? "" : " AND " + clause.condition.sql) + " THEN " + clause.sql;
      }
    };
    add("MATCHED", matched);
    add("NOT MATCHED", not_matched);
    add("NOT MATCHED BY SOURCE", by_source);
    return sql;
  }

  static const Clause* FirstOf(const std::vector<Clause>& clauses, const Row& t, const Row& s) {
    for (const Clause& clause : clauses) {
      if (clause.condition.holds(t, s).value_or(false)) return &clause;
    }
    return nullptr;
  }

  Outcome Model(const std::vector<Row>& table) const {
    Outcome outcome;
    const bool checks = !matched.empty() &&
                        !(matched.size() == 1 && matched[0].is_delete && matched[0].condition.sql.empty());
    std::vector<bool> source_matched(source.size());
    for (const Row& row : table) {
      std::vector<const Row*> partners;
      for (size_t i = 0; i < source.size(); ++i) {
        if (!on.holds(row, source[i]).value_or(false)) continue;
        source_matched[i] = true;
        partners.push_back(&source[i]);
      }
      if (partners.size() > 1 && checks) outcome.cardinality_violated = true;
      const Row nothing;
      const Clause* clause =
          partners.empty() ? FirstOf(by_source, row, nothing) : FirstOf(matched, row, *partners[0]);
      const Row& partner = partners.empty() ? nothing : *partners[0];
      const std::optional<Row> now = clause == nullptr ? row : clause->apply(row, partner);
      if (now) outcome.rows.push_back(*now);
    }
    for (size_t i = 0; i < source.size(); ++i) {
      if (source_matched[i]) continue;
      if (const Clause* clause = FirstOf(not_matched, Row{}, source[i]))
        outcome.rows.push_back(*clause->apply(Row{}, source[i]));
    }
    return outcome;
  }
};

std::optional<int64_t> Plus(const std::optional<int64_t>& a, const std::optional<int64_t>& b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

Clause RandomMatched(Statements& make, bool conditional) {
  Clause clause;
  if (conditional)
    clause.condition = make.Below(2) == 0 ? make.OneSided("t", true) : make.OneSided("s", false);
  switch (make.Below(5)) {
    case 0:
      clause.sql = "DELETE";
      clause.is_delete = true;
      clause.apply = [](auto&, auto&) { return std::nullopt; };
      break;
    case 1:
      clause.sql = "UPDATE SET v = s.v";
      clause.apply = [](auto& t, auto& s) { return Row{t.key, t.part, s.value}; };
      break;
    case 2:
      clause.sql = "UPDATE SET t.v = t.v + s.v";
      clause.apply = [](auto& t, auto& s) { return Row{t.key, t.part, Plus(t.value, s.value)}; };
      break;
    case 3:
      clause.sql = "UPDATE SET p = s.p, v = 100";
      clause.apply = [](auto& t, auto& s) { return Row{t.key, s.part, 100}; };
      break;
    default:
      clause.sql = "UPDATE SET *";
      clause.apply = [](auto&, auto& s) { return s; };
  }
  return clause;
}

Clause RandomNotMatched(Statements& make, bool conditional) {
  Clause clause;
  if (conditional) clause.condition = make.OneSided("s", false);
  if (make.Below(2) == 0) {
    clause.sql = "INSERT *";
    clause.apply = [](auto&, auto& s) { return s; };
  } else {
    clause.sql = "INSERT (k, v) VALUES (s.k, s.v + 1)";
    clause.apply = [](auto&, auto& s) { return Row{s.key, std::nullopt, Plus(s.value, 1)}; };
  }
  return clause;
}

Clause RandomBySource(Statements& make, bool conditional) {
  Clause clause;
  if (conditional) clause.condition = make.OneSided("t", true);
  if (make.Below(2) == 0) {
    clause.sql = "DELETE";
    clause.is_delete = true;
    clause.apply = [](auto&, auto&) { return std::nullopt; };
  } else {
    clause.sql = "UPDATE SET v = t.v - 1, p = 'z'";
    clause.apply = [](auto& t, auto&) { return Row{t.key, "z", Plus(t.value, -1)}; };
  }
  return clause;
}

template <typename Make>
std::vector<Clause> RandomClauses(Statements& make, int at_most, const Make& one) {
  std::vector<Clause> clauses;
  const int count = make.Below(at_most + 1);
  // Only the last clause of a kind may lack a condition.
  for (int i = 0; i < count; ++i) clauses.push_back(one(make, i + 1 < count || make.Below(3) > 0));
  return clauses;
}

Merge RandomMerge(Statements& make) {
  Merge merge;
  merge.source = make.RandomRows(8);
  merge.on = make.On();
  do {
    merge.matched = RandomClauses(make, 3, RandomMatched);
    merge.not_matched = RandomClauses(make, 2, RandomNotMatched);
    if (make.Below(3) == 0) merge.by_source = RandomClauses(make, 2, RandomBySource);
  } while (merge.matched.empty() && merge.not_matched.empty() && merge.by_source.empty());
  return merge;
}

// ---- the run
// -------------------------------------------------------------------------------------------------------

/// One table in a lake of its own, written with or without pruning.
class Subject {
 public:
  Subject(const std::string& name, bool pruning)
      : lake_(name), session_(lake_.Open(nullptr, Conf(pruning))) {}

  Result<Rows> Do(const std::string& statement) { return Ask(*session_, statement); }
  Result<Rows> Table() { return Do("SELECT CAST(k AS STRING), p, v FROM db.t"); }

 private:
  static session::ConfMap Conf(bool pruning) {
    session::ConfMap conf = {{"spark.sql.defaultCatalog", "cat"}};
    for (const char* level : {"files", "keys", "pages", "rowGroups"}) {
      if (!pruning) conf[std::string("spark.weir.pruning.") + level] = "false";
    }
    return conf;
  }

  LakeFolder lake_;
  std::unique_ptr<session::Session> session_;
};

std::string ValuesOf(const std::vector<Row>& rows, bool target) {
  std::vector<std::string> tuples;
  for (const Row& row : rows) {
    const std::string key = row.key == nullptr ? "NULL" : target ? row.key->target : row.key->source;
    tuples.push_back("(" + key + ", " + (row.part ? "'" + *row.part + "'" : "NULL") + ", " +
                     (row.value ? std::to_string(*row.value) : "NULL") + ")");
  }
  std::string text;
  for (const std::string& tuple : tuples) text += (text.empty() ? "" : ", ") + tuple;
  return text;
}

class Case {
 public:
  explicit Case(uint64_t seed)
      : domains_(Domains()), domain_(domains_[seed % domains_.size()]), make_(seed, domain_) {
    for (bool pruning : {true, false}) {
      const std::string name = std::to_string(seed) + (pruning ? "-on" : "-off");
      subjects_.push_back(std::make_unique<Subject>(name, pruning));
    }
  }

  void Run() {
    Everywhere("CREATE NAMESPACE cat.db");
    const std::vector<std::string> layouts = {"", "PARTITIONED BY (p)", "PARTITIONED BY (bucket(3, k))",
                                              "PARTITIONED BY (bucket(2, k), p)",
                                              "PARTITIONED BY (truncate(2, p))"};
    std::string layout = layouts[static_cast<size_t>(make_.Below(static_cast<int>(layouts.size())))];
    if (domain_.target_type == "DOUBLE" && layout.find("bucket") != std::string::npos) layout = layouts[1];
    Everywhere("CREATE TABLE db.t (k " + domain_.target_type + ", p STRING, v BIGINT) USING iceberg " +
               layout +
               " TBLPROPERTIES ('format-version'='2', 'write.delete.mode'='merge-on-read', "
               "'write.update.mode'='merge-on-read', 'write.merge.mode'='merge-on-read')");
    for (int i = make_.Below(4); i >= 0; --i) {
      const std::vector<Row> rows = make_.RandomRows(12);
      if (rows.empty()) continue;
      Everywhere("INSERT INTO db.t VALUES " + ValuesOf(rows, true));
      table_.insert(table_.end(), rows.begin(), rows.end());
    }
    for (int i = 0; i < 4 && !testing::Test::HasFailure(); ++i) {
      switch (make_.Below(4)) {
        case 0:
          RunDelete();
          break;
        case 1:
          RunUpdate();
          break;
        default:
          RunMerge();
      }
    }
  }

 private:
  void Everywhere(const std::string& statement) {
    history_ += statement + ";\n";
    for (auto& subject : subjects_) {
      const auto done = subject->Do(statement);
      ASSERT_TRUE(done) << done.error().ToString() << "\n" << history_;
    }
  }

  void Check() {
    for (auto& subject : subjects_) {
      const auto rows = subject->Table();
      ASSERT_TRUE(rows) << rows.error().ToString() << "\n" << history_;
      EXPECT_EQ(*rows, Texts(table_)) << (subject == subjects_[0] ? "with" : "without") << " pruning\n"
                                      << history_;
    }
  }

  void RunDelete() {
    const Condition where = make_.OneSided("t", true);
    Everywhere("DELETE FROM db.t AS t WHERE " + where.sql);
    std::erase_if(table_, [&](const Row& row) { return where.holds(row, row).value_or(false); });
    Check();
  }

  void RunUpdate() {
    const Condition where = make_.OneSided("t", true);
    const bool moves = make_.Below(2) == 0;
    Everywhere("UPDATE db.t AS t SET v = t.v + 1" + std::string(moves ? ", p = 'u'" : "") + " WHERE " +
               where.sql);
    for (Row& row : table_) {
      if (!where.holds(row, row).value_or(false)) continue;
      row.value = Plus(row.value, 1);
      if (moves) row.part = "u";
    }
    Check();
  }

  void RunMerge() {
    const Merge merge = RandomMerge(make_);
    const std::string rows = merge.source.empty() ? "(CAST(NULL AS " + domain_.source_type + "), 'a', 1L)"
                                                  : ValuesOf(merge.source, false);
    const std::string source = "(SELECT CAST(k AS " + domain_.source_type +
                               ") AS k, CAST(p AS STRING) AS p, CAST(v AS BIGINT) AS v FROM VALUES " + rows +
                               " AS x(k, p, v)" + (merge.source.empty() ? " WHERE false" : "") + ")";
    std::string sql = merge.Sql("db.t");
    sql.replace(sql.find("src s"), 5, source + " s");
    const Outcome expected = merge.Model(table_);
    if (!expected.cardinality_violated) {
      Everywhere(sql);
      table_ = expected.rows;
      return Check();
    }
    history_ += sql + ";  -- must fail\n";
    for (auto& subject : subjects_) {
      const auto done = subject->Do(sql);
      ASSERT_FALSE(done) << history_;
      ASSERT_NE(done.error().condition(), nullptr) << done.error().ToString() << "\n" << history_;
      EXPECT_EQ(done.error().condition()->name, "MERGE_CARDINALITY_VIOLATION") << history_;
    }
    Check();
  }

  std::vector<KeyDomain> domains_;
  const KeyDomain& domain_;
  Statements make_;
  std::vector<std::unique_ptr<Subject>> subjects_;
  std::vector<Row> table_;
  std::string history_;
};

uint64_t NumberFrom(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(RowLevel, PruningChangesNothingAndTheModelAgrees) {
  const uint64_t first = NumberFrom("WEIR_SEED", 1);
  const uint64_t count = std::getenv("WEIR_SEED") != nullptr ? 1 : NumberFrom("WEIR_SEEDS", 60);
  for (uint64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
    SCOPED_TRACE("WEIR_SEED=" + std::to_string(seed));
    Case(seed).Run();
  }
}

}  // namespace
}  // namespace weir
