"""What the three oracle programs share: a Spark session, the modes, and the lock of files that Spark agreed to."""
import argparse
import difflib
import hashlib
import logging
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
JAR = HERE.parent.parent / ".deps/jars/iceberg-spark-runtime-4.1_2.13-1.12.0.jar"
LOCK = HERE / "oracle.lock"


def start(**more):
    """A session with Iceberg's extensions in the zone UTC; `more` are keys with __ for the dot."""
    from pyspark.sql import SparkSession

    logging.disable(logging.CRITICAL)  # every error would be logged with its whole stack
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = (SparkSession.builder.master("local[2]").config("spark.jars", str(JAR))
               .config("spark.sql.extensions", "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
               .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
               .config("spark.sql.session.timeZone", "UTC").config("spark.sql.shuffle.partitions", "2")
               .config("spark.driver.extraJavaOptions", "-Duser.timezone=UTC -Dlog4j2.level=OFF"))
    for key, value in more.items():
        builder = builder.config(key.replace("__", "."), value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def options_of(description, pattern):
    """The command line: whether to write, and the files, by default every one that matches `pattern`."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fail where a file differs from Spark (the default)")
    parser.add_argument("--write", action="store_true", help="write Spark's answers into the files")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    return options.write, [file.resolve() for file in options.files] or sorted(HERE.glob(pattern))


def settle(files, answer, write):
    """Asks `answer(path)` for each file's text with Spark's answers; checks or writes it, and locks what agrees."""
    agreed, wrong = {}, 0
    for path in files:
        was, now = path.read_text(), answer(path)
        name = str(path.relative_to(HERE))
        if write:
            path.write_text(now)
        elif was != now:
            wrong += 1
            sys.stdout.writelines(difflib.unified_diff(was.splitlines(True), now.splitlines(True), name, "Spark"))
            continue
        agreed[name] = hashlib.sha256(now.encode()).hexdigest()
        print(f"oracle: {name}: {'written' if was != now else 'agrees'}", flush=True)
    lock = dict(reversed(line.split("  ", 1)) for line in LOCK.read_text().splitlines()) if LOCK.exists() else {}
    lock |= agreed
    LOCK.write_text("".join(f"{lock[name]}  {name}\n" for name in sorted(lock) if (HERE / name).exists()))
    if wrong:
        raise SystemExit(f"oracle: {wrong} of {len(files)} files differ from Spark")
