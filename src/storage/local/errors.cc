#include <cerrno>
#include <cstring>

#include "storage/local/local.h"

namespace weir {
namespace {

ErrorCode CodeOf(int error_number) {
  switch (error_number) {
    case ENOENT:
      return ErrorCode::kNotFound;
    case EEXIST:
      return ErrorCode::kExists;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorCode::kDenied;
    case EISDIR:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
    case EINVAL:
      return ErrorCode::kInvalid;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EIO:
    case EAGAIN:
    case EBUSY:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ESTALE:
    case ETIMEDOUT:
      return ErrorCode::kUnavailable;
    default:
      return ErrorCode::kInternal;
  }
}

std::string_view TextOf(int error_number) {
  switch (error_number) {
    case ENOENT:
      return "it does not exist";
    case EEXIST:
      return "it exists already";
    case EACCES:
    case EPERM:
      return "permission denied";
    case EROFS:
      return "the file system is read-only";
    case EISDIR:
      return "it is a folder";
    case ENOTDIR:
      return "a part of the path is a file, not a folder";
    case ENAMETOOLONG:
      return "the path or a part of it is too long";
    case ENOSPC:
      return "the disk is full";
    case EDQUOT:
      return "the disk quota is used up";
    case EMFILE:
    case ENFILE:
      return "too many open files";
    default:
      return strerrordesc_np(error_number) ? strerrordesc_np(error_number) : "unknown error";
  }
}

}  // namespace

Error LocalError(int error_number, std::string_view action, std::string_view path) {
  return Error(CodeOf(error_number), fmt::format("{} {}: {}", action, path, TextOf(error_number)));
}

}  // namespace weir
