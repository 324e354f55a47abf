// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/atomic_file.h"
#include "base/user_dirs.h"
#include "cli.h"
#include "output.h"
#include "report/run_report.h"
#include "run_status.h"
#include "target.h"

namespace lockstep::cli {
namespace {

struct Options {
  std::string run, file, lines;
};

int report(const Options& options, const GlobalOptions& global) {
  auto access = accessRun(options.run, global, RetryMode::OneLook);
  if (!access) return failed(access.error());
  if (!access->services) return failed(access->services.error());
  const auto lines = lineChoiceFrom(options.lines);
  if (!lines) return failed(lines.error());
  const RunStatus status = statusOf(access->run, *access->services, *lines);
  for (const Error& problem : status.problems) warn(describe(problem));
  const std::string page = runReport({status.run, status.metrics, status.report->findings, costNow(status),
                                      homeDir().string(), SystemClock().now()});
  if (options.file.empty()) {
    printDocument(page);
    return status.problems.empty() ? kDone : exitCodeOf(status.problems.front());
  }
  if (const auto written = writeFileAtomically(options.file, page); !written) return failed(written.error());
  printLine(fmt::format("wrote {}", options.file));
  return status.problems.empty() ? kDone : exitCodeOf(status.problems.front());
}

}  // namespace

void addReportCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "report", "Write a run as an HTML page with its curves, results and findings, without secrets");
  command->add_option("RUN", options->run, kReadableRunHelp)->required();
  command->add_option("-o,--output", options->file, "write into this file instead of stdout");
  addLinesOption(*command, options->lines);
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return report(*options, cli.global); }; });
}

}  // namespace lockstep::cli
