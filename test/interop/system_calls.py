"""What the operating system saw a process do with the files below some folders, from strace."""
import collections
import dataclasses
import os
import re
import subprocess

READS = {"read", "pread64", "readv", "preadv", "preadv2"}
WRITES = {"write", "pwrite64", "writev", "pwritev", "pwritev2"}
# Calls that move no bytes of a file. What is in none of the sets, as mmap and sendfile are, fails the count.
QUIET = {"open", "openat", "close", "stat", "lstat", "newfstatat", "fstat", "statx", "lseek", "fcntl", "flock", "fsync",
         "fdatasync", "utimensat", "getdents64", "mkdir", "rmdir", "unlink", "unlinkat", "rename", "renameat2", "link",
         "readlink", "access", "faccessat2", "fadvise64", "truncate", "ftruncate", "fallocate"}
RINGS = {"io_uring_setup", "io_setup"}  # What moves through them is not seen by strace.
PENDING = ".weir-"  # Names of files that are not finished.


@dataclasses.dataclass
class Call:
    name: str
    paths: list  # Those below the folders, in the order of the arguments.
    arguments: str
    result: int


@dataclasses.dataclass
class Moved:
    """`requests` are of all files; bytes are by kind of file."""
    requests: int = 0
    read: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    written: collections.Counter = dataclasses.field(default_factory=collections.Counter)


def run_traced(command, folders, trace_folder):
    """Runs a command; returns its CompletedProcess, and the Calls of each of its threads in their order.

    Raises RuntimeError where strace cannot trace, and for any call that may move bytes of the files unseen.
    """
    trace_folder.mkdir(parents=True)
    # With -ff each thread has a file of its own, so that no call is torn apart by another.
    strace = ["strace", "-ff", "-qq", "-y", "-s", "0", "--seccomp-bpf", "-e", f"trace=%file,%desc,{','.join(RINGS)}",
              "-e", "signal=none", "-o", str(trace_folder / "thread"), "--"]
    try:
        done = subprocess.run([*strace, *command], capture_output=True, text=True, timeout=300)
    except FileNotFoundError as error:
        raise RuntimeError("strace is missing; scripts/setup test installs it") from error
    texts = [file.read_text() for file in trace_folder.glob("thread.*")]
    if not any(texts):
        raise RuntimeError(f"strace saw nothing: it needs ptrace, which some containers deny: {done.stderr.strip()}")
    folders = [os.path.realpath(folder) for folder in folders]
    return done, [_calls(text, folders) for text in texts]


def _calls(text, folders):
    calls = []
    for line in text.splitlines():
        match = re.fullmatch(r"(\w+)\((.*)\) += (-?\d+|0x[0-9a-f]+|\?).*", line)
        if not match:
            raise RuntimeError(f"a line of strace that is not understood: {line}")
        name, arguments, result = match.groups()
        if name in RINGS:
            raise RuntimeError(f"bytes move where strace does not see them: {line}")
        paths = [path for path in _paths(arguments) if any(f"{path}/".startswith(f"{folder}/") for folder in folders)]
        if not paths:
            continue
        if name not in READS | WRITES | QUIET:
            raise RuntimeError(f"bytes may move unseen: {line}")
        calls.append(Call(name, paths, arguments, -1 if result == "?" else int(result, 0)))
    return calls


def _paths(arguments):
    """Paths of descriptors (3</a/b>) and of texts, which may be relative to the descriptor before them."""
    paths, base = [], ""
    for descriptor, text in re.findall(r'(?:AT_FDCWD|\d+)<((?:[^>\\]|\\.)*)>|"((?:[^"\\]|\\.)*)"', arguments):
        if descriptor.startswith("/"):
            base = descriptor
            paths += [] if arguments.startswith("AT_FDCWD") else [descriptor]
        elif text:
            paths.append(os.path.normpath(os.path.join(base, text)))
    return paths


class Walk:
    """A listing that a thread does: it opens each folder once, and looks up each file and empty folder once."""

    def __init__(self):
        self.root, self.opened, self.looked_up = None, set(), set()

    def begins_with(self, call, path):
        """Takes a call; true if it is the first of another walk."""
        if call.name == "openat" and "O_NONBLOCK|O_CLOEXEC|O_DIRECTORY" in call.arguments:  # opendir()
            begins = self.root is None or not f"{path}/".startswith(f"{self.root}/") or path in self.opened
            if begins:
                self.root, self.opened, self.looked_up = path, set(), set()
            self.opened.add(path)
            return begins
        is_found = call.result == 0 and os.path.dirname(path) in self.opened
        if is_lookup(call) and (is_found or path in self.opened) and path not in self.looked_up:
            self.looked_up.add(path)
        elif path not in self.opened:
            self.root, self.opened, self.looked_up = None, set(), set()
        return False

    def includes(self, path):
        return path in self.looked_up


def is_lookup(call):
    return call.name == "stat" or call.name == "newfstatat" and call.arguments.endswith(", 0")


def moved_by(threads, kind_of):
    """A Moved; bytes of a file are of kind_of(path), where the path is the one that the finished file got.

    Requests are those of storage/metered.h, told from the calls that a store of local files makes for each: a range of
    a read is one pread, a List one walk over folders, a deleted path one unlink or rmdir. Head, Put and the start of an
    upload look their path up once, unless a Put makes a folder; an upload, which is what the files below data/ are
    written by, has a request for each write and for its end besides.
    """
    names = {call.paths[-2]: call.paths[-1] for calls in threads for call in calls
             if call.name in ("rename", "renameat2") and call.result == 0}
    moved = Moved()
    for calls in threads:
        walk = Walk()
        for before, call in zip([None, *calls], calls):
            path = names.get(call.paths[-1], call.paths[-1])
            is_upload = "/data/" in path
            moved.requests += walk.begins_with(call, path)
            if call.name in READS:
                moved.requests += 1
                moved.read[kind_of(path)] += max(0, call.result)
            elif call.name in WRITES:
                moved.requests += is_upload
                moved.written[kind_of(path)] += max(0, call.result)
            elif is_lookup(call):
                moved.requests += not walk.includes(path)
            elif call.name in ("rename", "renameat2"):
                moved.requests += is_upload
            elif call.name == "openat" and "O_CLOEXEC|O_DIRECTORY" in call.arguments:  # To sync a folder made in it.
                moved.requests += before is not None and before.name == "mkdir"
            elif call.name in ("unlink", "rmdir"):
                moved.requests += not os.path.basename(path).startswith(PENDING)
    return moved
