#pragma once

/// Reads the vectors of test/fixtures/parquet for the tests of this folder.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "codec/parquet/footer.h"

namespace weir::parquet {

inline std::string ReadFixture(const std::string& name) {
  std::ifstream file(WEIR_SOURCE_DIR "/test/fixtures/parquet/" + name, std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline Footer ParseFixture(const std::string& name) {
  const std::string bytes = ReadFixture(name);
  auto footer = ParseFooterTail(AsBytes(bytes), bytes.size());
  EXPECT_TRUE(footer.has_value()) << (footer ? "" : footer.error().ToString());
  return footer ? *footer : Footer();
}

}  // namespace weir::parquet
