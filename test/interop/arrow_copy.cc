/// arrow_copy ZONE: reads an Arrow stream from standard input and writes its rows as another to standard
/// output, whose instants name the zone. Driven by test_arrow_streams.py.

#include <cstdio>
#include <iostream>
#include <iterator>

#include "base/bytes.h"
#include "codec/arrow/stream.h"

namespace {

using namespace weir;

Status Copy(const std::string& zone) {
  const std::string stream{std::istreambuf_iterator<char>(std::cin), {}};
  WEIR_TRY(const arrow_ipc::DecodedStream decoded, arrow_ipc::DecodeStream(stream, 256_MiB));
  const arrow_ipc::StreamEncoder encoder(decoded.fields, {.time_zone = zone});
  WEIR_TRY(const std::string copy, encoder.Encode(decoded.batches));
  std::cout << copy << std::flush;
  return {};
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  if (Status status = Copy(arguments[1]); !status) {
    std::fprintf(stderr, "%s\n", status.error().ToString().c_str());
    return 1;
  }
  return 0;
}
