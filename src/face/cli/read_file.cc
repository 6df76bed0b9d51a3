#include "face/cli/read_file.h"

#include <cerrno>
#include <cstring>
#include <memory>

namespace weir::cli {

Result<std::string> ReadAll(std::FILE* file, const std::string& name) {
  std::string text;
  std::string piece(64 << 10, '\0');
  while (const size_t count = std::fread(piece.data(), 1, piece.size(), file)) text.append(piece, 0, count);
  if (std::ferror(file) != 0) return Unavailable("cannot read {}: {}", name, std::strerror(errno));
  return text;
}

Result<std::string> ReadFile(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (file == nullptr) return NotFound("cannot read {}: {}", path, std::strerror(errno));
  return ReadAll(file.get(), path);
}

}  // namespace weir::cli
