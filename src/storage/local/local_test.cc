#include "storage/local/local.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "storage/conformance/conformance.h"
#include "storage/metered.h"
#include "storage/stack.h"

namespace weir {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test, removed at its end.
class Local : public testing::Test {
 protected:
  Local() {
    std::string pattern = testing::TempDir() + "weir_local_XXXXXX";
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern + "/";
  }
  ~Local() override {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  /// Every name below the root, temporary ones too.
  std::vector<std::string> Everything() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(root_)) {
      names.push_back(entry.path().string().substr(root_.size()));
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  static std::shared_ptr<LocalStorage> Unsynced(size_t list_page_size = 1000) {
    return std::make_shared<LocalStorage>(LocalOptions{.sync = false, .list_page_size = list_page_size});
  }

  std::string root_;
};

class LocalConformance : public Local, public testing::WithParamInterface<ConformanceCase> {};
TEST_P(LocalConformance, HoldsBare) { GetParam().check({Unsynced(3), root_}); }
TEST_P(LocalConformance, HoldsSynced) { GetParam().check({std::make_shared<LocalStorage>(), root_}); }
TEST_P(LocalConformance, HoldsStacked) {
  ManualClock clock(0);
  SeededRandom random(1);
  GetParam().check({Stacked(Unsynced(3), clock, random), root_});
}
INSTANTIATE_TEST_SUITE_P(Store, LocalConformance, testing::ValuesIn(ConformanceCases()), ConformanceCaseName);

TEST_F(Local, RefusesPathsThatAreNoObjects) {
  const Store store = TestStore(Unsynced());
  const std::string long_name = root_ + std::string(300, 'x');
  ASSERT_TRUE(store.Put(root_ + "file", AsBytes("x"), PutIf::Always()));
  ASSERT_TRUE(store.Put(root_ + "folder/x", AsBytes("x"), PutIf::Always()));
  const std::pair<std::string, std::string> cases[] = {
      {"relative", "expected an absolute path"},
      {"", "expected an absolute path"},
      {root_, ""},
      {std::string("/a\0b", 4), "expected an absolute path"},
      {root_ + ".weir-1", "are reserved"},
      {long_name, "too long"},
      {root_ + "folder", "it is a folder"},
      {root_ + "file/below", "is a file, not a folder"},
      {root_ + "file/far/below", "is a file, not a folder"},
  };
  for (const auto& [path, message] : cases) {
    for (const PutIf& condition : {PutIf::Always(), PutIf::Absent(), PutIf::Matches({"tag"})}) {
      Result<ObjectTag> put = store.Put(path, AsBytes("x"), condition);
      ASSERT_FALSE(put) << path;
      EXPECT_EQ(put.error().code(), ErrorCode::kInvalid) << put.error().ToString();
      EXPECT_NE(put.error().message().find(message), std::string::npos) << put.error().ToString();
      EXPECT_FALSE(store.StartUpload(path, condition)) << path;
    }
  }
  EXPECT_EQ(Everything(), (std::vector<std::string>{"file", "folder", "folder/x"}));
  EXPECT_EQ(store.List("relative").error().code(), ErrorCode::kInvalid);
}

TEST_F(Local, NamesWhatTheSystemRefused) {
  const std::tuple<int, ErrorCode, std::string> cases[] = {
      {ENOENT, ErrorCode::kNotFound, "write /p: it does not exist"},
      {EEXIST, ErrorCode::kExists, "write /p: it exists already"},
      {EACCES, ErrorCode::kDenied, "write /p: permission denied"},
      {EPERM, ErrorCode::kDenied, "write /p: permission denied"},
      {EROFS, ErrorCode::kDenied, "write /p: the file system is read-only"},
      {EISDIR, ErrorCode::kInvalid, "write /p: it is a folder"},
      {ENOTDIR, ErrorCode::kInvalid, "write /p: a part of the path is a file, not a folder"},
      {ENAMETOOLONG, ErrorCode::kInvalid, "write /p: the path or a part of it is too long"},
      {ENOSPC, ErrorCode::kUnavailable, "write /p: the disk is full"},
      {EDQUOT, ErrorCode::kUnavailable, "write /p: the disk quota is used up"},
      {EMFILE, ErrorCode::kUnavailable, "write /p: too many open files"},
      {EIO, ErrorCode::kUnavailable, "write /p: Input/output error"},
      {ENOTTY, ErrorCode::kInternal, "write /p: Inappropriate ioctl for device"},
  };
  for (const auto& [number, code, message] : cases) {
    const Error error = LocalError(number, "write", "/p");
    EXPECT_EQ(error.code(), code) << message;
    EXPECT_EQ(error.message(), message);
  }
}

TEST_F(Local, LeavesNoFileBehindAFailedWrite) {
  // A limit on file sizes makes write(2) fail after some bytes, as a full disk does.
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit old_limit;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  const struct rlimit small = {.rlim_cur = 1000, .rlim_max = old_limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Store store = TestStore(Unsynced());
  const std::string large(100'000, 'x');
  Result<ObjectTag> put = store.Put(root_ + "a/object", AsBytes(large), PutIf::Always());
  Result<std::unique_ptr<Upload>> upload = store.StartUpload(root_ + "a/upload", PutIf::Always());
  Status written = upload ? (*upload)->Write(store.io(), AsBytes(large)) : Status();
  if (upload) upload->reset();
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);

  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code(), ErrorCode::kUnavailable);
  ASSERT_FALSE(written);
  EXPECT_EQ(Everything(), std::vector<std::string>{"a"});
}

TEST_F(Local, LeavesNoFileBehindALostCondition) {
  const Store store = TestStore(Unsynced());
  ASSERT_TRUE(store.Put(root_ + "object", AsBytes("x"), PutIf::Always()));
  EXPECT_FALSE(store.Put(root_ + "object", AsBytes("y"), PutIf::Absent()));
  EXPECT_FALSE(store.Put(root_ + "object", AsBytes("y"), PutIf::Matches({"other"})));
  EXPECT_EQ(Everything(), std::vector<std::string>{"object"});
}

TEST_F(Local, HidesFilesThatAreBeingWritten) {
  const Store store = TestStore(Unsynced());
  Result<std::unique_ptr<Upload>> upload = store.StartUpload(root_ + "object", PutIf::Always());
  ASSERT_TRUE(upload);
  ASSERT_EQ(Everything().size(), 1u);
  EXPECT_TRUE(Everything()[0].starts_with(".weir-"));
  EXPECT_TRUE(store.List(root_)->empty());
}

TEST_F(Local, TellsMissingRights) {
  if (geteuid() == 0) GTEST_SKIP() << "root may do anything";
  const Store store = TestStore(Unsynced());
  ASSERT_TRUE(store.Put(root_ + "closed/object", AsBytes("x"), PutIf::Always()));
  ASSERT_EQ(chmod((root_ + "closed").c_str(), 0), 0);
  EXPECT_EQ(store.Head(root_ + "closed/object").error().code(), ErrorCode::kDenied);
  EXPECT_EQ(store.Put(root_ + "closed/new", AsBytes("x"), PutIf::Always()).error().code(),
            ErrorCode::kDenied);
  // A folder that cannot be read must not look empty.
  EXPECT_EQ(store.List(root_).error().code(), ErrorCode::kDenied);
  ASSERT_EQ(chmod((root_ + "closed").c_str(), 0700), 0);
}

TEST_F(Local, ListsFilesBehindLinksButNotFolders) {
  const Store store = TestStore(Unsynced());
  ASSERT_TRUE(store.Put(root_ + "real/object", AsBytes("abc"), PutIf::Always()));
  ASSERT_EQ(symlink((root_ + "real/object").c_str(), (root_ + "to_file").c_str()), 0);
  ASSERT_EQ(symlink(root_.c_str(), (root_ + "real/loop").c_str()), 0);
  ASSERT_EQ(symlink("/no/such/file", (root_ + "dangling").c_str()), 0);
  ASSERT_EQ(mkfifo((root_ + "pipe").c_str(), 0600), 0);
  Result<std::vector<ObjectInfo>> objects = store.List(root_);
  ASSERT_TRUE(objects);
  ASSERT_EQ(objects->size(), 2u);
  EXPECT_EQ((*objects)[0].path, root_ + "real/object");
  EXPECT_EQ((*objects)[1].path, root_ + "to_file");
  EXPECT_EQ((*objects)[1].size_bytes, 3u);
}

TEST_F(Local, TellsAndRemovesEmptyFolders) {
  const Store store = TestStore(Unsynced());
  ASSERT_TRUE(store.Put(root_ + "a/b/object", AsBytes("x"), PutIf::Always()));
  EXPECT_TRUE(store.Head(root_ + "a/"));
  EXPECT_EQ(store.Head(root_ + "c/").error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(store.Head(root_ + "a/b/object/").error().code(), ErrorCode::kNotFound);
  // Folders with something in them stay, and the call goes on.
  const std::vector<std::string> gone = {root_ + "a/", root_ + "missing/", root_ + "a/b/object/",
                                         root_ + "a/b/object", root_ + "a/b/"};
  ASSERT_TRUE(store.Delete(gone));
  EXPECT_EQ(Everything(), std::vector<std::string>{"a"});
}

TEST_F(Local, RemovesAFolderWithWhatDeadWritersLeft) {
  const Store store = TestStore(Unsynced());
  ASSERT_TRUE(store.Put(root_ + "dead/object", AsBytes("x"), PutIf::Always()));
  ASSERT_TRUE(store.Put(root_ + "alive/object", AsBytes("x"), PutIf::Always()));
  std::ofstream(root_ + "dead/.weir-0123456789abcdef") << "half";
  const auto upload = store.StartUpload(root_ + "alive/other", PutIf::Always());
  ASSERT_TRUE(upload);
  // Beside an object a dead writer's file stays too.
  ASSERT_TRUE(store.Delete(std::vector<std::string>{root_ + "dead/"}));
  EXPECT_TRUE(std::filesystem::exists(root_ + "dead/.weir-0123456789abcdef"));
  ASSERT_TRUE(store.Delete(std::vector<std::string>{root_ + "dead/object", root_ + "alive/object",
                                                    root_ + "dead/", root_ + "alive/"}));
  EXPECT_FALSE(std::filesystem::exists(root_ + "dead"));
  ASSERT_TRUE((*upload)->Finish(store.io()));
  EXPECT_EQ(Everything(), (std::vector<std::string>{"alive", "alive/other"}));
}

TEST_F(Local, DoesNotWaitForAPipe) {
  const Store store = TestStore(Unsynced());
  ASSERT_EQ(mkfifo((root_ + "pipe").c_str(), 0600), 0);
  EXPECT_EQ(store.Read(root_ + "pipe", {0, 1}).error().code(), ErrorCode::kNotFound);
}

TEST_F(Local, ConditionsHoldAcrossInstances) {
  // Two instances share nothing but the file system, as two processes do.
  const Store one = TestStore(Unsynced());
  const Store two = TestStore(Unsynced());
  Result<ObjectTag> tag = one.Put(root_ + "pointer", AsBytes("1"), PutIf::Absent());
  ASSERT_TRUE(tag);
  EXPECT_EQ(two.Put(root_ + "pointer", AsBytes("2"), PutIf::Absent()).error().code(), ErrorCode::kExists);
  ASSERT_TRUE(two.Put(root_ + "pointer", AsBytes("2"), PutIf::Matches(*tag)));
  EXPECT_EQ(one.Put(root_ + "pointer", AsBytes("3"), PutIf::Matches(*tag)).error().code(),
            ErrorCode::kExists);
  EXPECT_EQ(*one.ReadAll(root_ + "pointer"), "2");
}

/// Bytes that read and write calls of this process have moved, as the kernel counts them.
class ProcessIo {
 public:
  ProcessIo() : fd_(open("/proc/self/io", O_RDONLY | O_CLOEXEC)) {}
  ~ProcessIo() { close(fd_); }
  bool available() const { return fd_ >= 0; }
  struct Counts {
    uint64_t read = 0;
    uint64_t written = 0;
  };
  Counts Now() {
    char text[512];
    const ssize_t size = pread(fd_, text, sizeof(text), 0);
    Counts counts;
    std::istringstream in(std::string(text, size > 0 ? static_cast<size_t>(size) : 0));
    std::string name;
    for (uint64_t value = 0; in >> name >> value;) {
      if (name == "rchar:") counts.read = value - own_bytes_;
      if (name == "wchar:") counts.written = value;
    }
    own_bytes_ += static_cast<uint64_t>(size);
    return counts;
  }

 private:
  int fd_;
  uint64_t own_bytes_ = 0;  ///< Moved by Now() itself.
};

TEST_F(Local, LedgerEqualsWhatTheKernelCounted) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer's own write calls are counted too";
#endif
  ProcessIo io;
  if (!io.available()) GTEST_SKIP() << "no /proc/self/io";
  ManualClock clock(0);
  SeededRandom random(1);
  const std::shared_ptr<Ledger> ledger = Ledger::Make();
  const Store store(Stacked(std::make_shared<LocalStorage>(), clock, random),
                    ledger->Open("op", Purpose::kData), {});
  const std::string content(1'000'000, 'x');
  const ProcessIo::Counts before = io.Now();

  ASSERT_TRUE(store.Put(root_ + "a/object", AsBytes(content), PutIf::Absent()));
  ASSERT_FALSE(store.Put(root_ + "a/object", AsBytes(content), PutIf::Absent()));
  Result<ObjectInfo> info = store.Head(root_ + "a/object");
  ASSERT_TRUE(info);
  ASSERT_TRUE(store.Put(root_ + "a/object", AsBytes(content), PutIf::Matches(info->tag)));
  Result<std::unique_ptr<Upload>> upload = store.StartUpload(root_ + "upload", PutIf::Always());
  for (int i = 1; i < 5; ++i) {
    ASSERT_TRUE((*upload)->Write(store.io(), AsBytes(content).first(static_cast<size_t>(i) * 1000)));
  }
  ASSERT_TRUE((*upload)->Finish(store.io()));
  // The first two are one request, with the gap between them; the third stands alone.
  const std::vector<ByteRange> ranges = {{0, 100}, {1100, 200}, {900'000, 50'000}};
  ASSERT_TRUE(store.ReadRanges(root_ + "a/object", ranges));
  ASSERT_TRUE(store.ReadAll(root_ + "upload"));
  ASSERT_FALSE(store.Read(root_ + "upload", {0, 20'000}));
  ASSERT_TRUE(store.List(root_));
  const std::vector<std::string> gone = {root_ + "upload"};
  ASSERT_TRUE(store.Delete(gone));

  const ProcessIo::Counts after = io.Now();
  const Traffic traffic = ledger->Total()[Purpose::kData];
  EXPECT_EQ(traffic.bytes_read, after.read - before.read);
  EXPECT_EQ(traffic.bytes_written, after.written - before.written);
  EXPECT_EQ(traffic.bytes_read, 1300u + 50'000u + 10'000u);
  EXPECT_EQ(traffic.bytes_asked, 300u + 50'000u + 10'000u + 20'000u);
  EXPECT_EQ(traffic.bytes_written, 2'010'000u);
}

}  // namespace
}  // namespace weir
