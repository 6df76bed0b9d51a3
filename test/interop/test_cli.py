"""`weir sql` as people and programs use it: prompt, pipes, files, formats, exit codes."""
import base64
import codecs
import csv
import io
import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import termios
import time

import pytest
from conftest import WEIR, Weir

# Every type, with what its text must be in CSV and JSON; bytes are base64.
TYPES = [
    ("CAST(NULL AS INT)", None), ("true", "true"), ("1Y", "1"), ("-32768S", "-32768"), ("3", "3"),
    ("9223372036854775807", "9223372036854775807"), ("CAST('NaN' AS FLOAT)", "NaN"),
    ("CAST('-Infinity' AS DOUBLE)", "-Infinity"), ("1e-7", "1.0E-7"),
    ("12345678901234567890123456789012345.678BD", "12345678901234567890123456789012345.678"),
    (r"'a,\"b\" \'c\'\nline\r\ttab\\'", "a,\"b\" 'c'\nline\r\ttab\\"), ("''", ""), ("'NULL'", "NULL"),
    ("' blank '", " blank "), ("'h\u00e9 \u4e2d \U0001f600'", "h\u00e9 \u4e2d \U0001f600"),
    ("X'00FF41'", base64.b64encode(b"\x00\xff\x41").decode()), ("DATE '0001-01-01'", "0001-01-01"),
    ("TIMESTAMP '2026-01-01 01:02:03.000005'", "2026-01-01 01:02:03.000005"),
    ("TIMESTAMP_NTZ '2026-01-01 01:02:03'", "2026-01-01 01:02:03"), ("array(1, NULL, 3)", "[1, null, 3]"),
    ("array()", "[]"), ("map('k', 1.5)", "{k -> 1.5}"), ("named_struct('p', 'q, \"r\"', 'z', NULL)", '{q, "r", null}'),
]
EVERY_TYPE = "SELECT " + ", ".join(f"{sql} AS c{i}" for i, (sql, _) in enumerate(TYPES))


@pytest.fixture
def weir(tmp_path):
    return Weir(tmp_path / "warehouse")


def run(weir, *arguments, **kwargs):
    return subprocess.run(weir.command(*arguments), capture_output=True, text=True, timeout=60, **kwargs)


def test_csv_is_read_back(weir):
    done = subprocess.run(weir.command("--format", "csv", "-e", EVERY_TYPE), capture_output=True, timeout=60)
    header, row = csv.reader(io.StringIO(done.stdout.decode(), newline=""))
    assert header == [f"c{i}" for i in range(len(TYPES))]
    assert row == ["" if text is None else text for _, text in TYPES]
    # NULL and an empty text differ for those who look at the quotes.
    assert done.stdout.decode().splitlines()[1].startswith(",true,")
    assert ',"",NULL,' in done.stdout.decode()


def test_json_is_read_back(weir):
    done = subprocess.run(weir.command("--format", "json", "-e", EVERY_TYPE), capture_output=True, timeout=60)
    (line,) = done.stdout.decode().splitlines()
    assert list(json.loads(line).values()) == [text for _, text in TYPES]


def test_json_is_valid_for_any_bytes(weir):
    done = subprocess.run(weir.command("--format", "json", "-e", r'''SELECT CAST(X'61FF' AS STRING) AS s, 1 AS `a"b\c`'''),
                          capture_output=True, timeout=60)
    assert json.loads(done.stdout.decode()) == {"s": "a\ufffd", 'a"b\\c': "1"}


def test_tables_keep_their_lines(weir):
    done = run(weir, "-e", r"SELECT 'a\nb\tc' AS t, X'00FF' AS b, '' AS e, NULL AS n, '中' AS w")
    assert done.stdout.splitlines() == [
        "+-------+-------+---+----+---+",
        "|t      |b      |e  |n   |w  |",
        "+-------+-------+---+----+---+",
        r"|a\nb\tc|[00 FF]|   |NULL|中 |",
        "+-------+-------+---+----+---+",
    ]


def test_statements_come_from_standard_input(weir):
    script = "SELECT 1 AS a; -- one; not two\n/* ; */ SELECT 'x;y' AS b;\n;;\nSELECT `a;b` FROM (SELECT 2 AS `a;b`)"
    done = run(weir, "--format", "csv", input=script)
    assert (done.returncode, done.stdout) == (0, "a\n1\nb\nx;y\na;b\n2\n")
    assert run(weir, input="").returncode == 0
    assert run(weir, input=" -- nothing\n").stdout == ""


def test_a_script_stops_at_its_first_error(weir, tmp_path):
    script = tmp_path / "job.sql"
    script.write_text("SELECT 1 AS a;\n\n-- why\nSELECT\n  nosuch\nFROM range(3);\nSELECT 3;\n")
    done = run(weir, "--format", "csv", "-f", str(script), "-e", "SELECT 0 AS first")
    assert done.returncode == 1
    assert done.stdout == "first\n0\na\n1\n"
    assert "UNRESOLVED_COLUMN" in done.stderr and "line 5 pos 2" in done.stderr
    assert "\n  nosuch\n  ^^^^^^\n" in done.stderr
    assert f"{script}: statement 2 of 3 failed, which begins at line 4" in done.stderr


def test_exit_codes_of_wrong_usage(weir, tmp_path):
    bad = tmp_path / "bad.conf"
    bad.write_text("spark.a 1\n= 2\n")
    cases = [["--nosuch"], ["-f", "/no/such/file"], ["--format", "xml", "-e", "SELECT 1"], ["--conf", "x", "-e", "SELECT 1"],
             ["--properties-file", str(bad), "-e", "SELECT 1"], ["extra"], ["--conf", "spark.sql.ansi.enabled=maybe", "-e", "SELECT 1"],
             ["--movement=loud", "-e", "SELECT 1"]]
    for arguments in cases:
        done = run(weir, *arguments, stdin=subprocess.DEVNULL)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert done.stderr.strip() and "terminate" not in done.stderr, arguments
    assert subprocess.run([WEIR], capture_output=True).returncode == 2
    assert subprocess.run([WEIR, "nosuch"], capture_output=True).returncode == 2


def test_help_and_version():
    for arguments in (["--help"], ["sql", "--help"], ["demo", "--help"], ["demo", "merge", "--help"]):
        done = subprocess.run([WEIR, *arguments], capture_output=True, text=True, timeout=20)
        assert (done.returncode, done.stderr) == (0, ""), arguments
        assert max(map(len, done.stdout.splitlines())) <= 120, arguments
        if arguments != ["demo", "--help"]:
            assert "Exit codes" in done.stdout, arguments
    assert re.fullmatch(r"weir \d+\.\d+\.\d+\n", subprocess.run([WEIR, "--version"], capture_output=True, text=True).stdout)


def test_properties_file(weir, tmp_path):
    conf = tmp_path / "spark-defaults.conf"
    conf.write_text("# a comment\n! another\n\nspark.x.blank   one two\nspark.x.equals=a=b\nspark.x.colon : c\n"
                    "spark.x.long first,\\\n    second\nspark.x.none\nspark.x.flag file\n")
    done = run(weir, "--properties-file", str(conf), "--conf", "spark.x.flag=flag", "--format", "json", "-e",
               "; ".join(f"SET spark.x.{k}" for k in ("blank", "equals", "colon", "long", "none", "flag")))
    assert [json.loads(line)["value"] for line in done.stdout.splitlines()] == [
        "one two", "a=b", "c", "first,second", "", "flag"]


def test_a_reader_that_goes_away_ends_it_quietly(weir, tmp_path):
    process = subprocess.Popen(weir.command("--conf", f"spark.local.dir={tmp_path}", "--format", "csv", "-e", "SELECT id FROM range(100000000)"),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == b"id\n"
    assert len(os.listdir(tmp_path)) == 1
    process.stdout.close()
    assert process.wait(timeout=20) == 141
    assert process.stderr.read() == b""
    process.stderr.close()
    assert os.listdir(tmp_path) == []


def test_a_full_disk_is_an_error(weir):
    with open("/dev/full", "w") as full:
        done = subprocess.run(weir.command("-e", "SELECT 1"), stdout=full, stderr=subprocess.PIPE, text=True, timeout=20)
    assert done.returncode == 1
    assert "cannot write the output: No space left on device" in done.stderr


def wait_until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def cpu_ticks(process):
    return sum(int(ticks) for ticks in open(f"/proc/{process.pid}/stat").read().rsplit(")")[1].split()[11:13])


@pytest.fixture
def start():
    """Starts processes; none outlives its test."""
    started = []

    def popen(command, **kwargs):
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **kwargs))
        return started[-1]

    yield popen
    for process in started:
        if process.poll() is None:
            process.kill()
            process.communicate()


def take_signals():
    """In a child: signals mean what they mean at a terminal, however the tests themselves were started."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_script(weir, start, sent):
    process = start(weir.command("-e", SLOW + "; SELECT 2"), preexec_fn=take_signals)
    wait_until(lambda: cpu_ticks(process) > 50)  # Only the statement takes so much.
    process.send_signal(sent)
    out, errors = process.communicate(timeout=20)
    assert (process.returncode, out, errors) == (128 + sent, b"", b"cancelled\n")


def test_an_ignored_signal_stays_ignored(weir, start):
    process = start(["nohup", *weir.command("--format", "csv", "-e", "SELECT sum(id % 7) FROM range(300000000); SELECT 2")],
                    stdin=subprocess.DEVNULL)
    wait_until(lambda: cpu_ticks(process) > 20)
    process.send_signal(signal.SIGHUP)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 0 and b"cancelled" not in errors, errors
    assert out.splitlines()[-1] == b"2"


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_no_file(weir, start, tmp_path, sent):
    weir.run("CREATE NAMESPACE cat.db", "CREATE TABLE cat.db.t (id BIGINT, s STRING) USING iceberg")
    before = sorted(weir.warehouse.rglob("*"))
    (tmp_path / "spill").mkdir()
    process = start(weir.command("--conf", f"spark.local.dir={tmp_path / 'spill'}", "-e",
                                 "INSERT INTO cat.db.t SELECT id, uuid() FROM range(100000000)"),
                    preexec_fn=take_signals)
    wait_until(lambda: any(file.is_file() for file in weir.warehouse.rglob("data/**/*")))
    process.send_signal(sent)
    assert process.communicate(timeout=60) == (b"", b"cancelled\n")
    assert process.returncode == 128 + sent
    assert [path for path in sorted(weir.warehouse.rglob("*")) if path not in before and not path.is_dir()] == []
    assert list((tmp_path / "spill").iterdir()) == []


SLOW = "SELECT count(*) FROM range(100000000) a JOIN range(1000000) b ON a.id % 7 = b.id % 5"


class Terminal:
    """`weir sql` at a terminal of its own."""

    def __init__(self, weir, home, *arguments, stdout=None):
        self.shown, self.decoder = "", codecs.getincrementaldecoder("utf-8")("replace")
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            take_signals()
            if stdout is not None:
                os.dup2(os.open(stdout, os.O_WRONLY | os.O_CREAT), 1)
            command = weir.command(*arguments)
            os.execve(command[0], command, {"HOME": str(home), "TERM": "xterm", "LANG": "C", "PATH": os.environ["PATH"]})

    def ready(self):
        self.read("weir> ")
        return self

    def read(self, until, timeout=20):
        """All that is shown up to `until`, without the editor's control sequences; what follows stays for the next."""
        end = time.monotonic() + timeout
        while until not in self.shown:
            assert time.monotonic() < end, f"no {until!r} in {self.shown[-500:]!r}"
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    raw = os.read(self.terminal, 65536)
                except OSError:  # the program has ended
                    break
                self.shown += re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", self.decoder.decode(raw))
        found, _, self.shown = self.shown.partition(until)
        return found + until

    def send(self, keys, running=False):
        """Types, once the editor reads single keys; with `running`, at once, while a statement runs."""
        end = time.monotonic() + 20
        while not running and termios.tcgetattr(self.terminal)[3] & termios.ICANON:
            assert time.monotonic() < end, "the editor does not read"
            time.sleep(0.01)
        os.write(self.terminal, keys.encode())

    def type(self, keys, until="weir> ", running=False):
        self.send(keys, running)
        return self.read(until)

    def wait(self):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.terminal)
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.02)
        os.kill(self.pid, signal.SIGKILL)
        raise AssertionError("it does not end")


def test_sigterm_at_the_prompt(weir, tmp_path):
    (tmp_path / "spill").mkdir()
    shell = Terminal(weir, tmp_path, "--conf", f"spark.local.dir={tmp_path / 'spill'}").ready()
    shell.type("SELECT 1 AS one;\r")
    shell.send("SELECT")
    os.kill(shell.pid, signal.SIGTERM)
    assert shell.wait() == 143
    assert list((tmp_path / "spill").iterdir()) == []


@pytest.mark.parametrize("keys", ["\x04", "quit\r", "exit;\r", "  \rquit ;\r"])
def test_ways_to_leave(weir, tmp_path, keys):
    shell = Terminal(weir, tmp_path).ready()
    shell.send(keys)
    shell.read("never shown")
    assert shell.wait() == 0


def test_the_prompt(weir, tmp_path):
    shell = Terminal(weir, tmp_path).ready()
    shell.type("SELECT 'a;b' AS x, -- c;\r", "    > ")
    shell.type("/* ; */ 'it' 's' AS y\r", "    > ")
    shown = shell.type(";\r")
    assert "|a;b|its|" in shown and "1 row(s)" in shown
    # Not only ASCII, whatever the locale; two statements on a line; errors keep the shell.
    assert "|中é|" in shell.type("SELECT '中é' AS w;\r")
    shown = shell.type("SELECT 1 AS one; SELECT 2 AS two;\r")
    assert "|one|" in shown and "|two|" in shown
    assert "UNRESOLVED_COLUMN" in shell.type("SELECT nosuch;\r")
    # Ctrl-C drops what was typed, in the first line and in a later one.
    shell.type("SELECT 7", "SELECT 7")
    shell.type("\x03")
    shell.type("SELECT\r", "    > ")
    shell.type("\x03")
    assert "|5   |" in shell.type("SELECT 5 AS five;\r")
    # The last statement comes back.
    shell.type("\x1b[A", "SELECT 5 AS five;")
    assert "|5   |" in shell.type("\r")
    shell.send("\x04")
    shell.read("never shown")
    assert shell.wait() == 0
    assert "SELECT" in (tmp_path / ".weir_history").read_text()


def test_ctrl_c_cancels_a_statement(weir, tmp_path):
    shell = Terminal(weir, tmp_path).ready()
    shell.type(SLOW + ";\r", "1 s")  # the bar
    begin = time.monotonic()
    shown = shell.type("\x03", running=True)
    assert "cancelled" in shown
    assert time.monotonic() - begin < 1  # measured: some 50 ms
    assert "|1  |" in shell.type("SELECT 1 AS one;\r")
    shell.send("\x04")
    shell.read("never shown")
    assert shell.wait() == 0


def test_the_bar_stays_out_of_the_output(weir, tmp_path):
    out = tmp_path / "out"
    slow = "SELECT count(*) AS n FROM range(300000000) WHERE id % 7 = 3"
    shell = Terminal(weir, tmp_path, "--format", "csv", "-e", slow, stdout=str(out))
    shell.read("never shown")
    assert shell.wait() == 0
    assert out.read_text() == "n\n42857143\n"


def shell(command, weir, *arguments):
    """Runs `weir sql` with the arguments through a shell, for its redirections."""
    line = shlex.join(weir.command(*arguments))
    return subprocess.run(["bash", "-c", command.format(line)], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("redirected", ["{} 2>/dev/full", "{} 2>&-"])
def test_messages_that_cannot_be_written_fail_nothing(weir, redirected):
    weir.run("CREATE NAMESPACE cat.db", "CREATE TABLE cat.db.t (id INT) USING iceberg")
    assert shell(redirected, weir, "--movement", "-e",
                 "INSERT INTO cat.db.t VALUES (1); INSERT INTO cat.db.t VALUES (2)").returncode == 0
    assert weir.rows("SELECT id FROM cat.db.t") == [("1",), ("2",)]
    assert shell(redirected, weir, "-e", "SELECT nosuch").returncode == 1


def test_without_a_standard_output_rows_go_nowhere(weir):
    sorted_rows = ("SELECT s FROM (SELECT concat(id * 7919 % 1000000, repeat('x', 40)) AS s FROM range(1000000)) "
                   "ORDER BY s")
    done = shell("{} >&-", weir, "--conf", "spark.driver.memory=64m", "--format", "csv", "-e", sorted_rows)
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot write the output: Bad file descriptor" in done.stderr


def test_a_folder_is_no_file(weir, tmp_path):
    for arguments in (["-f", str(tmp_path)], ["-e", "SELECT 1", "--properties-file", str(tmp_path)]):
        done = run(weir, *arguments)
        assert done.returncode == 2
        assert f"cannot read {tmp_path}: Is a directory" in done.stderr
    assert shell("{} < /tmp", weir).returncode == 2


def test_the_demo_reports_what_it_cannot_print():
    for arguments in (["--help"], ["demo", "merge", "--rows", "2000"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([WEIR, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        assert done.returncode == 1
        assert "No space left on device" in done.stderr


def test_no_ctrl_c_is_lost_while_the_editor_works(weir, tmp_path):
    prompt = Terminal(weir, tmp_path).ready()
    for length in range(1, 40):
        prompt.send("SELECT 7 " * (length % 5 + 1))
        prompt.type("\x03")
    assert "|5   |" in prompt.type("SELECT 5 AS five;\r")


def test_an_error_at_the_prompt_stops_the_line(weir, tmp_path):
    prompt = Terminal(weir, tmp_path).ready()
    assert "UNRESOLVED_COLUMN" in prompt.type("SELECT nosuch; SELECT 40 + 2 AS x;\r")
    shown = prompt.type("SELECT 1 AS one;\r")
    assert "|1  |" in shown and "42" not in shown
    prompt.send("quit\r")
    assert prompt.wait() == 0


def test_instants_in_anything_are_shown_in_the_zone_of_the_session(weir):
    query = "SELECT {0} AS t, array({0}) AS a, named_struct('x', map('k', {0})) AS s".format("TIMESTAMP '2020-01-01 00:00:00'")
    done = run(weir, "--conf", "spark.sql.session.timeZone=Asia/Kolkata", "--format", "json", "-e", query)
    assert json.loads(done.stdout) == {"t": "2020-01-01 00:00:00", "a": "[2020-01-01 00:00:00]",
                                       "s": "{{k -> 2020-01-01 00:00:00}}"}


def test_a_decimal_that_truncate_makes_too_long_is_not_written(weir):
    weir.run("CREATE NAMESPACE cat.db", "CREATE TABLE cat.db.t (d DECIMAL(5,2)) USING iceberg PARTITIONED BY (truncate(16, d))",
             "INSERT INTO cat.db.t VALUES (-99.99)")
    refused = weir.attempt("INSERT INTO cat.db.t VALUES (-999.99)")
    assert refused.returncode == 1
    assert "truncate[16] of -999.99 is the partition -1000.00, which does not fit into DECIMAL(5,2)" in refused.stderr
    assert weir.rows("SELECT d FROM cat.db.t") == [("-99.99",)]


def test_a_table_that_did_not_come_to_be_leaves_no_folder(weir):
    weir.run("CREATE NAMESPACE cat.db")
    refused = weir.attempt("CREATE TABLE cat.db.t USING iceberg AS "
                           "SELECT id, id % 3 AS k, CAST(IF(id = 1999999, 1000, 1) AS TINYINT) AS t FROM range(2000000)")
    assert refused.returncode == 1 and "CAST_OVERFLOW" in refused.stderr
    assert list((weir.warehouse / "db").iterdir()) == []
    weir.run("DROP NAMESPACE cat.db")


def test_branches_as_names_are_refused_by_name(weir):
    weir.run("CREATE NAMESPACE cat.db", "CREATE TABLE cat.db.t (id INT) USING iceberg", "INSERT INTO cat.db.t VALUES (1)")
    for name in ("branch_main", "tag_x"):
        refused = weir.attempt(f"SELECT * FROM cat.db.t.{name}")
        assert refused.returncode == 1 and refused.stderr.startswith("unsupported:") and "VERSION AS OF" in refused.stderr
