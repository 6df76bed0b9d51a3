#include "codec/avro/plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace weir::avro {
namespace {

/// Sums of sizes stay below this, so that they never overflow.
constexpr uint64_t kSizeCap = uint64_t{1} << 40;

bool IsText(Kind kind) { return kind == Kind::kBytes || kind == Kind::kString || kind == Kind::kFixed; }

bool AllowsNull(const Schema& wanted) {
  return wanted.kind() == Kind::kAny || wanted.kind() == Kind::kNull || wanted.is_optional();
}

std::string Describe(const std::string& path) { return path.empty() ? "the record" : path; }

class Resolver {
 public:
  /// `wanted` may be of kind any.
  Result<const Plan*> Make(const Schema& wanted_or_any, const Schema& file, const std::string& path) {
    const Schema& wanted = wanted_or_any.kind() == Kind::kAny ? file : wanted_or_any;
    // Named types let a small schema stand for a tree of any size: each pair is resolved once.
    const auto key = std::make_pair(wanted.identity(), file.identity());
    if (const auto known = made_.find(key); known != made_.end()) return known->second;
    WEIR_TRY(const Plan* plan, file.kind() == Kind::kUnion
                                   ? MakeUnion(wanted, file, path)
                                   : MakeValue(wanted.required(), file, path, wanted));
    made_.emplace(key, plan);
    return plan;
  }

  std::vector<std::unique_ptr<Plan>> TakeNodes() { return std::move(nodes_); }

 private:
  Plan& New(Plan::Op op, Kind out, const std::string& path) {
    nodes_.push_back(std::make_unique<Plan>());
    Plan& plan = *nodes_.back();
    plan.op = op;
    plan.out = out;
    plan.path = path;
    return plan;
  }

  const Plan* Sized(Plan& plan, uint64_t min_bytes, bool constant_size) {
    plan.min_bytes = std::min(min_bytes, kSizeCap);
    plan.constant_size = constant_size;
    return &plan;
  }

  static Error Misfit(const Schema& wanted, const Schema& file, const std::string& path) {
    return Unsupported("{}: the file has Avro type {}, which cannot be read as {}", Describe(path),
                       ToString(file.kind()), ToString(wanted.kind()));
  }

  Result<const Plan*> MakeUnion(const Schema& wanted, const Schema& file, const std::string& path) {
    const bool dissolve = wanted.kind() != Kind::kUnion || wanted.is_optional();
    if (!dissolve && !(wanted == file)) {
      return Unsupported("{}: a union can only be read as the same union or as one type", Describe(path));
    }
    Plan& plan = New(Plan::Op::kUnion, Kind::kUnion, path);
    for (size_t i = 0; i < file.fields().size(); ++i) {
      const Schema& branch = file.fields()[i].schema;
      const Plan* made = nullptr;
      if (!dissolve) {
        WEIR_TRY(made, Make(wanted.fields()[i].schema, branch, path));
      } else if (branch.kind() == Kind::kNull) {
        if (AllowsNull(wanted)) made = Sized(New(Plan::Op::kNull, Kind::kNull, path), 0, true);
      } else {
        WEIR_TRY(made, Make(wanted.required(), branch, path));
      }
      plan.branches.push_back(made);
    }
    return Sized(plan, 1, false);
  }

  /// `wanted` is the type proper, `outer` what may allow null beside it.
  Result<const Plan*> MakeValue(const Schema& wanted, const Schema& file, const std::string& path,
                                const Schema& outer) {
    const Kind want = wanted.kind();
    switch (file.kind()) {
      case Kind::kNull:
        if (!AllowsNull(outer)) return Corrupt("{}: always null in the file, but required", Describe(path));
        return Sized(New(Plan::Op::kNull, Kind::kNull, path), 0, true);
      case Kind::kBoolean:
        if (want != Kind::kBoolean) return Misfit(wanted, file, path);
        return Sized(New(Plan::Op::kBoolean, want, path), 1, true);
      case Kind::kInt:
      case Kind::kLong: {
        if (want != Kind::kLong && want != file.kind()) return Misfit(wanted, file, path);
        Plan& plan = New(Plan::Op::kInteger, want, path);
        plan.is_int = file.kind() == Kind::kInt;
        return Sized(plan, 1, false);
      }
      case Kind::kFloat:
        if (want != Kind::kFloat && want != Kind::kDouble) return Misfit(wanted, file, path);
        return Sized(New(Plan::Op::kFloat, want, path), 4, true);
      case Kind::kDouble:
        if (want != Kind::kDouble) return Misfit(wanted, file, path);
        return Sized(New(Plan::Op::kDouble, want, path), 8, true);
      case Kind::kBytes:
      case Kind::kString:
      case Kind::kFixed:
        return MakeText(wanted, file, path);
      case Kind::kEnum: {
        if (want != Kind::kEnum || wanted.symbols() != file.symbols()) return Misfit(wanted, file, path);
        Plan& plan = New(Plan::Op::kEnum, want, path);
        plan.size = static_cast<uint32_t>(file.symbols().size());
        return Sized(plan, 1, false);
      }
      case Kind::kRecord:
        return MakeRecord(wanted, file, path);
      case Kind::kArray:
        return MakeArray(wanted, file, path);
      case Kind::kMap:
        return MakeMap(wanted, file, path);
      case Kind::kUnion:
      case Kind::kAny:
        break;
    }
    return Internal("{}: an Avro file of kind {}", Describe(path), ToString(file.kind()));
  }

  Result<const Plan*> MakeText(const Schema& wanted, const Schema& file, const std::string& path) {
    if (!IsText(wanted.kind())) return Misfit(wanted, file, path);
    const bool decimals =
        wanted.logical().kind == Logical::kDecimal && file.logical().kind == Logical::kDecimal;
    if (decimals && wanted.logical().scale != file.logical().scale) {
      return Unsupported("{}: a decimal of scale {} cannot be read with scale {}", Describe(path),
                         file.logical().scale, wanted.logical().scale);
    }
    if (wanted.kind() == Kind::kFixed && !decimals &&
        (file.kind() != Kind::kFixed || file.size_bytes() != wanted.size_bytes())) {
      return Misfit(wanted, file, path);
    }
    if (file.kind() != Kind::kFixed) return Sized(New(Plan::Op::kText, wanted.kind(), path), 1, false);
    Plan& plan = New(Plan::Op::kFixed, wanted.kind(), path);
    plan.size = file.size_bytes();
    return Sized(plan, plan.size, true);
  }

  Result<const Plan*> MakeRecord(const Schema& wanted, const Schema& file, const std::string& path) {
    if (wanted.kind() != Kind::kRecord) return Misfit(wanted, file, path);
    Plan& plan = New(Plan::Op::kRecord, Kind::kRecord, path);
    plan.slots = wanted.fields().size();
    const bool whole = wanted.identity() == file.identity();
    std::map<const Field*, size_t> slot_of;
    for (size_t slot = 0; slot < plan.slots; ++slot) {
      const Field& field = wanted.fields()[slot];
      const Field* found = whole      ? &file.fields()[slot]
                           : field.id ? file.FindField(*field.id)
                                      : FindByName(file, field.name);
      if (found == nullptr && !AllowsNull(field.schema)) {
        return Corrupt("{}: the file lacks the required field \"{}\"{}", Describe(path), field.name,
                       IdText(field));
      }
      if (found != nullptr && !slot_of.emplace(found, slot).second) {
        return Invalid("{}: field \"{}\" is wanted twice", Describe(path), field.name);
      }
    }
    uint64_t min_bytes = 0;
    bool constant = true;
    for (const Field& field : file.fields()) {
      const auto slot = slot_of.find(&field);
      const std::string inner = path.empty() ? field.name : path + "." + field.name;
      Plan::Step step;
      if (slot != slot_of.end()) step.slot = slot->second;
      WEIR_TRY(step.plan, Make(slot == slot_of.end() ? Schema::Any() : wanted.fields()[step.slot].schema,
                               field.schema, inner));
      min_bytes = std::min(min_bytes + step.plan->min_bytes, kSizeCap);
      constant = constant && step.plan->constant_size;
      plan.steps.push_back(step);
    }
    return Sized(plan, min_bytes, constant);
  }

  static const Field* FindByName(const Schema& record, const std::string& name) {
    const auto found = std::ranges::find(record.fields(), name, &Field::name);
    return found == record.fields().end() ? nullptr : &*found;
  }

  static std::string IdText(const Field& field) {
    return field.id ? fmt::format(" (id {})", field.id->value) : "";
  }

  Result<const Plan*> MakeArray(const Schema& wanted, const Schema& file, const std::string& path) {
    const Schema& element = file.fields()[0].schema;
    if (wanted.kind() == Kind::kMap && element.kind() == Kind::kRecord) {
      return MakeEntries(wanted, element, path);
    }
    if (wanted.kind() != Kind::kArray) return Misfit(wanted, file, path);
    WEIR_TRY(const Plan* item, Make(wanted.fields()[0].schema, element, path + "[]"));
    Plan& plan = New(Plan::Op::kArray, Kind::kArray, path);
    plan.item = item;
    return Sized(plan, 1, false);
  }

  Result<const Plan*> MakeMap(const Schema& wanted, const Schema& file, const std::string& path) {
    if (wanted.kind() != Kind::kMap) return Misfit(wanted, file, path);
    // A map's entries are encoded as a record of the key and the value would be.
    return MakeEntries(wanted, Schema::Record("entry", file.fields()), path);
  }

  /// `entry`: the file's record of key and value. Ids count where both sides have them, else the names.
  Result<const Plan*> MakeEntries(const Schema& wanted, const Schema& entry, const std::string& path) {
    const bool by_id = std::ranges::all_of(wanted.fields(), [&](const Field& field) {
      return field.id && entry.FindField(*field.id) != nullptr;
    });
    std::vector<Field> fields = wanted.fields();
    if (!by_id) {
      for (Field& field : fields) field.id.reset();
    }
    const Schema wanted_entry = Schema::Record("entry", std::move(fields));
    // The memo goes by address: what it has seen must live on.
    kept_.insert(kept_.end(), {entry, wanted_entry});
    WEIR_TRY(const Plan* item, Make(wanted_entry, entry, path + "{}"));
    Plan& plan = New(Plan::Op::kMap, Kind::kMap, path);
    plan.item = item;
    return Sized(plan, 1, false);
  }

  std::vector<std::unique_ptr<Plan>> nodes_;
  std::map<std::pair<const void*, const void*>, const Plan*> made_;
  std::vector<Schema> kept_;
};

}  // namespace

Result<PlanSet> Resolve(const Schema& wanted, const Schema& file) {
  Resolver resolver;
  WEIR_TRY(const Plan* root, resolver.Make(wanted, file, ""));
  return PlanSet{resolver.TakeNodes(), root};
}

}  // namespace weir::avro
