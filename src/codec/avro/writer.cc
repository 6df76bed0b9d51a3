#include <fmt/format.h>

#include <utility>

#include "codec/avro/compress.h"
#include "codec/avro/container.h"
#include "codec/avro/cursor.h"

namespace weir::avro {
namespace {

Error Misfit(const Schema& schema, const Value& value) {
  return Invalid("expected Avro type {}, found a value of {}", ToString(schema.kind()),
                 ToString(value.kind()));
}

Status Encode(const Schema& schema, const Value& value, std::string& out);

/// The branch of a union that the value goes to. Errors: kInvalid if there is none.
Result<size_t> BranchOf(const Schema& schema, const Value& value) {
  const std::vector<Field>& branches = schema.fields();
  if (!schema.is_optional()) {
    if (value.branch() < branches.size()) return value.branch();
    return Invalid("branch {} of a union of {}", value.branch(), branches.size());
  }
  const bool null_first = branches[0].schema.kind() == Kind::kNull;
  return value.is_null() == null_first ? 0 : 1;
}

Status EncodeRecord(const Schema& schema, const Value& value, std::string& out) {
  const std::vector<Field>& fields = schema.fields();
  if (value.kind() != Kind::kRecord) return Misfit(schema, value);
  if (value.children().size() != fields.size()) {
    return Invalid("expected {} fields, found {}", fields.size(), value.children().size());
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    WEIR_DO_CONTEXT(fields[i].name, Encode(fields[i].schema, value.children()[i], out));
  }
  return {};
}

Status EncodeItems(const Schema& schema, const Value& value, std::string& out) {
  const std::vector<Field>& fields = schema.fields();
  const std::span<const Value> children = value.children();
  if (value.kind() != schema.kind()) return Misfit(schema, value);
  if (children.size() % fields.size() != 0) return Invalid("a map of {} keys and values", children.size());
  if (!children.empty()) AppendLong(out, static_cast<int64_t>(children.size() / fields.size()));
  for (size_t i = 0; i < children.size(); ++i) {
    const Field& field = fields[i % fields.size()];
    WEIR_DO_CONTEXT(fmt::format("{}[{}]", field.name, i / fields.size()),
                    Encode(field.schema, children[i], out));
  }
  AppendLong(out, 0);
  return {};
}

Status Encode(const Schema& schema, const Value& value, std::string& out) {
  const Kind kind = value.kind();
  switch (schema.kind()) {
    case Kind::kNull:
      if (!value.is_null()) return Misfit(schema, value);
      return {};
    case Kind::kBoolean:
      if (kind != Kind::kBoolean) return Misfit(schema, value);
      out.push_back(value.boolean() ? 1 : 0);
      return {};
    case Kind::kLong:
    case Kind::kInt:
      if (kind != Kind::kInt && kind != schema.kind()) return Misfit(schema, value);
      AppendLong(out, value.integer());
      return {};
    case Kind::kFloat:
      if (kind != Kind::kFloat) return Misfit(schema, value);
      AppendLittleEndian(out, static_cast<float>(value.number()));
      return {};
    case Kind::kDouble:
      if (kind != Kind::kFloat && kind != Kind::kDouble) return Misfit(schema, value);
      AppendLittleEndian(out, value.number());
      return {};
    case Kind::kBytes:
    case Kind::kString:
      if (kind != schema.kind()) return Misfit(schema, value);
      AppendText(out, value.text());
      return {};
    case Kind::kFixed:
      if (kind != Kind::kFixed) return Misfit(schema, value);
      if (value.text().size() != schema.size_bytes()) {
        return Invalid("expected {} bytes, found {}", schema.size_bytes(), value.text().size());
      }
      out.append(value.text());
      return {};
    case Kind::kEnum:
      if (kind != Kind::kEnum) return Misfit(schema, value);
      if (value.integer() < 0 || value.integer() >= static_cast<int64_t>(schema.symbols().size())) {
        return Invalid("symbol {} of an enum of {}", value.integer(), schema.symbols().size());
      }
      AppendLong(out, value.integer());
      return {};
    case Kind::kRecord:
      return EncodeRecord(schema, value, out);
    case Kind::kArray:
    case Kind::kMap:
      return EncodeItems(schema, value, out);
    case Kind::kUnion: {
      WEIR_TRY(const size_t branch, BranchOf(schema, value));
      AppendLong(out, static_cast<int64_t>(branch));
      return Encode(schema.fields()[branch].schema, value, out);
    }
    case Kind::kAny:
      break;
  }
  return Misfit(schema, value);
}

}  // namespace

struct Writer::State {
  Schema schema;
  WriterOptions options;
  std::string sync;
  std::string file;   ///< The header and the closed blocks.
  std::string block;  ///< Records of the open block.
  std::string compressed;
  uint64_t block_records = 0;
  uint64_t record_count = 0;

  Status CloseBlock() {
    if (block_records == 0) return {};
    WEIR_DO(Compress(options.codec, options.level, block, compressed));
    AppendLong(file, static_cast<int64_t>(block_records));
    AppendText(file, compressed);
    file += sync;
    block.clear();
    block_records = 0;
    return {};
  }
};

Writer::Writer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;
Writer::~Writer() = default;

Result<Writer> Writer::Make(Schema schema, WriterOptions options, Random& random) {
  if (schema.kind() != Kind::kRecord) {
    return Invalid("an Avro file of {}, expected record", ToString(schema.kind()));
  }
  WEIR_TRY(const std::string json, schema.ToJson());
  auto state = std::make_unique<State>();
  for (int i = 0; i < 2; ++i) AppendLittleEndian(state->sync, random.Next());
  std::string& file = state->file;
  file = std::string("Obj\x01", 4);
  AppendLong(file, static_cast<int64_t>(options.metadata.size() + 2));
  AppendText(file, "avro.schema");
  AppendText(file, json);
  AppendText(file, "avro.codec");
  AppendText(file, ToString(options.codec));
  for (const auto& [key, value] : options.metadata) {
    if (key.starts_with("avro.")) return Invalid("Avro metadata \"{}\": the name is reserved", key);
    AppendText(file, key);
    AppendText(file, value);
  }
  AppendLong(file, 0);
  file += state->sync;
  state->schema = std::move(schema);
  state->options = std::move(options);
  // An impossible level is told here, not at some later record.
  WEIR_DO(Compress(state->options.codec, state->options.level, "", state->compressed));
  return Writer(std::move(state));
}

Status Writer::Append(const Value& record) {
  State& state = *state_;
  const size_t start = state.block.size();
  if (Status encoded = EncodeRecord(state.schema, record, state.block); !encoded) {
    state.block.resize(start);
    return encoded;
  }
  ++state.block_records;
  ++state.record_count;
  if (state.block.size() >= state.options.block_bytes) return state.CloseBlock();
  return {};
}

uint64_t Writer::record_count() const { return state_->record_count; }
uint64_t Writer::size_bytes() const { return state_->file.size() + state_->block.size(); }

Result<std::string> Writer::Finish() {
  WEIR_DO(state_->CloseBlock());
  return std::move(state_->file);
}

}  // namespace weir::avro
