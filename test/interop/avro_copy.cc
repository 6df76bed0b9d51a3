/// avro_copy IN OUT CODEC: reads an Avro file and writes its records again. Driven by avro_roundtrip.py.

#include <cstdio>
#include <fstream>
#include <iterator>

#include "codec/avro/container.h"

namespace {

using namespace weir;
using namespace weir::avro;

Status Copy(const std::string& from, const std::string& to, std::string_view codec_name) {
  std::ifstream in(from, std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(in), {}};
  WEIR_TRY(const Reader reader, Reader::Open(AsBytes(file), from));
  WriterOptions options;
  for (Codec codec : {Codec::kNull, Codec::kDeflate, Codec::kSnappy, Codec::kZstandard}) {
    if (ToString(codec) == codec_name) options.codec = codec;
  }
  for (const auto& [key, value] : reader.metadata()) {
    if (!key.starts_with("avro.")) options.metadata.emplace_back(key, value);
  }
  options.block_bytes = 100;
  WEIR_TRY(Writer writer, Writer::Make(reader.schema(), options, SystemRandom()));
  WEIR_DO(reader.ForEach(reader.schema(), [&](const Value& record) { return writer.Append(record); }));
  WEIR_TRY(const std::string copy, writer.Finish());
  std::ofstream(to, std::ios::binary) << copy;
  return {};
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  if (Status status = Copy(arguments[1], arguments[2], arguments[3]); !status) {
    std::fprintf(stderr, "%s\n", status.error().ToString().c_str());
    return 1;
  }
  return 0;
}
