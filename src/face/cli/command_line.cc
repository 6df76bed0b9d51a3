#include "face/cli/command_line.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>

#include "face/cli/demo_merge.h"
#include "face/cli/read_file.h"
#include "face/cli/serve.h"
#include "face/cli/shell.h"
#include "face/cli/statements.h"
#include "face/cli/tell.h"
#include "session/properties.h"

namespace weir::cli {
namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 all statements succeeded; 1 a statement failed; 2 the command line is wrong; 3 the "
    "demo's\n"
    "result is wrong; 129, 130, 143 ended by SIGHUP, SIGINT, SIGTERM; 141 nobody reads the output any more.";

struct ConfFlags {
  std::vector<std::string> conf;
  std::string properties_file;
};

struct SqlFlags {
  std::vector<std::string> statements;
  std::vector<std::string> files;
  ConfFlags conf;
  std::string format = "table";
  std::string movement;
};

ExitCode Complain(const Error& error, ExitCode code = kBadUsage) {
  Tell("weir: {}\n", error.ToString());
  return code;
}

/// --conf wins over --properties-file, as in Spark.
Result<session::ConfMap> ConfOf(const ConfFlags& flags) {
  session::ConfMap conf;
  if (!flags.properties_file.empty()) {
    WEIR_TRY(const std::string text, ReadFile(flags.properties_file));
    WEIR_TRY(conf, session::ParseProperties(text, flags.properties_file));
  }
  for (const std::string& pair : flags.conf) {
    const size_t equals = pair.find('=');
    if (equals == 0 || equals == std::string::npos) return Invalid("--conf takes key=value, not '{}'", pair);
    conf[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  return conf;
}

ExitCode RunSql(const SqlFlags& flags) {
  Result<session::ConfMap> conf = ConfOf(flags.conf);
  if (!conf) return Complain(conf.error());
  StatementOptions options;
  if (flags.format == "csv") options.format = RowFormat::kCsv;
  if (flags.format == "json") options.format = RowFormat::kJson;
  if (!flags.movement.empty()) {
    options.movement = flags.movement == "json" ? MovementFormat::kJson : MovementFormat::kText;
  }
  std::vector<Script> scripts;
  for (const std::string& text : flags.statements) scripts.push_back({"-e", text});
  for (const std::string& path : flags.files) {
    Result<std::string> text = ReadFile(path);
    if (!text) return Complain(text.error());
    scripts.push_back({path, *std::move(text)});
  }
  session::HostOptions session_options;
  session_options.conf = *std::move(conf);
  auto session = session::Session::Open(session_options);
  if (!session) return Complain(session.error());
  if (!scripts.empty()) {
    for (const Script& script : scripts) {
      if (const ExitCode code = RunScript(**session, script, options); code != kSuccess) return code;
    }
    return kSuccess;
  }
  if (isatty(STDIN_FILENO) != 0) {
    options.show_time = true;
    return RunShell(**session, options);
  }
  const Result<std::string> text = ReadAll(stdin, "standard input");
  if (!text) return Complain(text.error());
  return RunScript(**session, {"standard input", *text}, options);
}

void AddConf(CLI::App& command, ConfFlags& flags) {
  command
      .add_option("--conf", flags.conf,
                  "key=value, such as spark.sql.catalog.cat.warehouse=/data; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--properties-file", flags.properties_file, "Configuration as in spark-defaults.conf");
}

void AddServer(CLI::App& app, ServeOptions& options, ConfFlags& conf) {
  CLI::App* server = app.add_subcommand(
      "server", "Serve Spark Connect: SparkSession.builder.remote(\"sc://localhost:15002\") connects to it");
  server->add_option("--host", options.host, "Address to listen at (localhost); another one needs a token");
  server->add_option("--port", options.port, "Port (15002); 0 takes any that is free")
      ->check(CLI::Range(0, 65535));
  server->add_option("--token-file", options.token_file,
                     "File with the token that clients must show; else WEIR_TOKEN has it");
  AddConf(*server, conf);
  server->footer(
      "Ends on SIGINT, SIGTERM or SIGHUP: statements are cancelled, what they wrote is taken back.");
}

void AddSql(CLI::App& app, SqlFlags& flags) {
  CLI::App* sql =
      app.add_subcommand("sql", "Run SQL statements; without -e and -f from standard input or a prompt");
  sql->add_option("-e", flags.statements, "Statements, separated by semicolons; may be repeated");
  sql->add_option("-f", flags.files, "A file of statements; may be repeated, runs after -e");
  AddConf(*sql, flags.conf);
  sql->add_option("--format", flags.format,
                  "table (default), csv, or json: an object a line, values as texts, NULL as null")
      ->check(CLI::IsMember({"table", "csv", "json"}));
  sql->add_flag("--movement{text}", flags.movement,
                "Print what moved after each statement, on stderr; =json as JSON")
      ->check(CLI::IsMember({"text", "json"}));
  sql->footer(kExitCodes);
}

void AddDemo(CLI::App& app, DemoOptions& options) {
  CLI::App* demo = app.add_subcommand("demo", "Demonstrations");
  demo->require_subcommand(1);
  CLI::App* merge = demo->add_subcommand(
      "merge", "MERGE 2,000 rows into a big Iceberg table and show what moved and what did not");
  merge->add_option("--rows", options.rows, "Rows of the target (10,000,000)")
      ->check(CLI::Range(int64_t{2000}, int64_t{3'000'000'000}));
  merge->add_option("--dir", options.directory,
                    "Keep the tables in this folder; tables of an earlier run are replaced");
  merge->add_flag("--only-tables", options.only_tables, "Make the tables and stop before the MERGE");
  merge->add_flag("--json", options.json, "Print the figures as one JSON object on the last line");
  merge->footer(kExitCodes);
}

/// A file that is opened must not get the number of a standard stream that the program was started without:
/// rows would go into it. Their writes fail as before.
void HoldStandardStreams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) static_cast<void>(open("/dev/null", O_RDONLY));
  }
}

}  // namespace

int RunProgram(int argc, char** argv) {
  HoldStandardStreams();
  // A reader that goes away is an error of the write that meets it, so that nothing is left behind.
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app("Weir: a lakehouse engine that speaks Spark SQL and moves less data", "weir");
  app.set_version_flag("--version", std::string("weir " WEIR_VERSION));
  app.require_subcommand(1);
  app.footer(kExitCodes);
  SqlFlags sql;
  DemoOptions demo;
  ServeOptions serve;
  ConfFlags serve_conf;
  AddSql(app, sql);
  AddServer(app, serve, serve_conf);
  AddDemo(app, demo);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const ExitCode code = app.exit(error) == 0 ? kSuccess : kBadUsage;
    const Status said = Say("");  // Help is waiting in the buffer.
    return said || code != kSuccess ? code : Complain(said.error(), kStatementFailed);
  }
  try {
    if (app.got_subcommand("sql")) return RunSql(sql);
    if (app.got_subcommand("demo")) return RunDemoMerge(demo);
    Result<session::ConfMap> conf = ConfOf(serve_conf);
    if (!conf) return Complain(conf.error());
    serve.conf = *std::move(conf);
    return RunServe(serve);
  } catch (const std::exception& error) {
    Tell("weir: {}\n", error.what());
    return kStatementFailed;
  }
}

}  // namespace weir::cli
