#include <openssl/evp.h>
#include <zlib.h>

#include "base/base64.h"
#include "exec/duckdb/conditions.h"
#include "exec/duckdb/functions/kernel.h"
#include "exec/duckdb/functions/lowering_table.h"

namespace weir::exec {

namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::string_t;
using std::string;
using std::string_view;

string ToHex(string_view bytes, const char* digits) {
  string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    out += digits[static_cast<uint8_t>(c) >> 4];
    out += digits[static_cast<uint8_t>(c) & 15];
  }
  return out;
}
constexpr char kLowerDigits[] = "0123456789abcdef";
constexpr char kUpperDigits[] = "0123456789ABCDEF";

string Digest(string_view bytes, const EVP_MD* algorithm) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest, &size, algorithm, nullptr) != 1) {
    Throw(Internal("the digest {} failed", EVP_MD_get0_name(algorithm)));
  }
  return ToHex({reinterpret_cast<const char*>(digest), size}, kLowerDigits);
}

Kernel Md5(const KernelCall&) {
  return Mapping<string_t, string_t>(LogicalType::VARCHAR,
                                     [](string_view bytes) { return Digest(bytes, EVP_md5()); });
}
Kernel Sha1(const KernelCall&) {
  return Mapping<string_t, string_t>(LogicalType::VARCHAR,
                                     [](string_view bytes) { return Digest(bytes, EVP_sha1()); });
}
Kernel Sha2(const KernelCall&) {
  return Mapping<string_t, string_t, int32_t>(LogicalType::VARCHAR,
                                              [](string_view bytes, int32_t bits) -> std::optional<string> {
                                                switch (bits) {
                                                  case 224:
                                                    return Digest(bytes, EVP_sha224());
                                                  case 0:
                                                  case 256:
                                                    return Digest(bytes, EVP_sha256());
                                                  case 384:
                                                    return Digest(bytes, EVP_sha384());
                                                  case 512:
                                                    return Digest(bytes, EVP_sha512());
                                                  default:
                                                    return std::nullopt;
                                                }
                                              });
}
Kernel Crc32(const KernelCall&) {
  return Mapping<int64_t, string_t>(LogicalType::BIGINT, [](string_view bytes) {
    return static_cast<int64_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  });
}

string HexOfLong(int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  string out;
  for (int shift = 60; shift >= 0; shift -= 4) {
    const auto digit = (bits >> shift) & 15;
    if (digit != 0 || !out.empty() || shift == 0) out += kUpperDigits[digit];
  }
  return out;
}
Kernel Hex(const KernelCall& call) {
  if (call.types[0].id() == LogicalTypeId::BIGINT)
    return Mapping<string_t, int64_t>(LogicalType::VARCHAR, HexOfLong);
  return Mapping<string_t, string_t>(LogicalType::VARCHAR,
                                     [](string_view bytes) { return ToHex(bytes, kUpperDigits); });
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}
/// An odd number of digits has a zero in front; anything but digits gives NULL.
std::optional<string> FromHex(string_view text) {
  string out;
  int high = text.size() % 2 == 1 ? 0 : -1;
  for (const char c : text) {
    const int digit = HexDigit(c);
    if (digit < 0) return std::nullopt;
    if (high < 0) {
      high = digit;
    } else {
      out += static_cast<char>(high * 16 + digit);
      high = -1;
    }
  }
  return out;
}
Kernel Unhex(const KernelCall&) { return Mapping<string_t, string_t>(LogicalType::BLOB, FromHex); }

/// In lines of 76 characters, as MIME wants them.
string ToBase64(string_view bytes) {
  constexpr size_t kBytesPerLine = 57;
  string out;
  for (size_t at = 0; at < bytes.size(); at += kBytesPerLine) {
    if (at > 0) out += "\r\n";
    out += weir::Base64(bytes.substr(at, kBytesPerLine));
  }
  return out;
}
/// As Java's MIME decoder: characters outside the alphabet are skipped; padding may be missing, but not
/// wrong.
string FromBase64(string_view text) {
  string out;
  uint32_t group = 0;
  int held = 0;
  size_t at = 0;
  for (; at < text.size() && text[at] != '='; ++at) {
    const size_t digit = kBase64Digits.find(text[at]);
    if (digit == string_view::npos) continue;
    group = (group << 6) | static_cast<uint32_t>(digit);
    if (++held < 4) continue;
    for (int shift = 16; shift >= 0; shift -= 8) out += static_cast<char>(group >> shift);
    group = held = 0;
  }
  const bool padded = at < text.size();
  const bool half_padded = padded && held == 2 && !text.substr(at + 1).starts_with('=');
  if (held == 1 || (padded && held == 0) || half_padded) {
    Throw(Invalid("unbase64: '{}' ends within a character", text));
  }
  for (at += padded && held == 2 ? 2 : 1; at < text.size(); ++at) {
    if (kBase64Digits.find(text[at]) != string_view::npos)
      Throw(Invalid("unbase64: '{}' goes on behind its end", text));
  }
  if (held >= 2) out += static_cast<char>(group >> (held == 2 ? 4 : 10));
  if (held == 3) out += static_cast<char>(group >> 2);
  return out;
}
Kernel Base64(const KernelCall&) { return Mapping<string_t, string_t>(LogicalType::VARCHAR, ToBase64); }
Kernel Unbase64(const KernelCall&) { return Mapping<string_t, string_t>(LogicalType::BLOB, FromBase64); }

constexpr char kMd5[] = "weir_md5", kSha1[] = "weir_sha1", kSha2[] = "weir_sha2", kCrc32[] = "weir_crc32",
               kHex[] = "weir_hex", kUnhex[] = "weir_unhex", kToBase64[] = "weir_base64",
               kFromBase64[] = "weir_unbase64";

}  // namespace

std::vector<KernelEntry> DigestKernels() {
  return {
      {kMd5, Md5, false}, {kSha1, Sha1, false},   {kSha2, Sha2, false},       {kCrc32, Crc32, false},
      {kHex, Hex, false}, {kUnhex, Unhex, false}, {kToBase64, Base64, false}, {kFromBase64, Unbase64},
  };
}

std::vector<FunctionLowering> DigestLowerings() {
  return {
      {"md5", ToKernel<kMd5>},         {"sha1", ToKernel<kSha1>},
      {"sha2", ToKernel<kSha2>},       {"crc32", ToKernel<kCrc32>},
      {"hex", ToKernel<kHex>},         {"unhex", ToKernel<kUnhex>},
      {"base64", ToKernel<kToBase64>}, {"unbase64", ToKernel<kFromBase64>},
  };
}

}  // namespace weir::exec
