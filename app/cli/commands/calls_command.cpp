// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/time_text.h"
#include "cli.h"
#include "interrupt.h"
#include "oci/calls/call_log.h"
#include "output.h"

namespace lockstep::cli {
namespace {

constexpr std::chrono::milliseconds kLookInterval{250};

struct Options {
  bool json = false;
  bool follow = false;
  std::size_t max = 50;
};

// Ids come from servers, and could move the cursor.
std::string shown(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return text.empty() ? "-" : text;
}

std::string outcomeOf(const oci::CallRecord& record) {
  std::string status = record.httpStatus == 0 ? "" : std::to_string(record.httpStatus);
  if (record.errorCode.empty()) return status;
  return status.empty() ? record.errorCode : status + " " + record.errorCode;
}

std::vector<std::string> rowOf(const oci::CallRecord& record) {
  return {toRfc3339(record.at),           shown(record.method),
          shown(record.service),          shown(record.operation),
          shown(outcomeOf(record)),       std::to_string(record.duration / std::chrono::milliseconds(1)),
          std::to_string(record.attempt), shown(record.requestId)};
}

void printRows(const std::vector<oci::CallRecord>& records) {
  Table table({"TIME", "METHOD", "SERVICE", "OPERATION", "STATUS", "MS", "ATTEMPT", "REQUEST ID"});
  for (const oci::CallRecord& record : records) table.add(rowOf(record));
  printText(table.text());
}

// Rows that come one by one cannot know how wide the next one is.
void printFollowed(const oci::CallRecord& record) {
  const auto row = rowOf(record);
  printLine(fmt::format("{}  {:<6}  {:<20}  {:<24}  {:<12}  {:>6}  {:>2}  {}", row[0], row[1], row[2], row[3],
                        row[4], row[5], row[6], row[7]));
}

void printOne(const oci::CallRecord& record, const Options& options) {
  if (options.json) {
    printLine(oci::toLine(record));
  } else {
    printFollowed(record);
  }
}

int follow(oci::CallLogReader& reader, const Options& options) {
  const Interrupt interrupt;
  SystemClock clock;
  while (clock.sleepFor(kLookInterval, interrupt.token())) {
    const auto records = reader.more();
    if (!records) return failed(records.error());
    for (const oci::CallRecord& record : *records) printOne(record, options);
  }
  return kCancelled;
}

int calls(const Options& options) {
  oci::CallLogReader reader;
  const auto records = reader.last(options.max);
  if (!records) return failed(records.error());
  if (options.follow) {
    for (const oci::CallRecord& record : *records) printOne(record, options);
    return follow(reader, options);
  }
  if (options.json) {
    auto rows = nlohmann::ordered_json::array();
    for (const oci::CallRecord& record : *records)
      rows.push_back(nlohmann::ordered_json::parse(oci::toLine(record)));
    printOrderedJson(rows);
  } else if (records->empty()) {
    note(fmt::format("no call has been made from this machine yet (none in '{}')",
                     oci::callLogFile().string()));
  } else {
    printRows(*records);
  }
  return kDone;
}

}  // namespace

void addCallsCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "calls", "List the calls of OCI services that this user's programs made, newest last");
  command->add_flag("--json", options->json, "print one JSON document; with --follow one line for each call");
  command->add_flag("-f,--follow", options->follow, "go on with what comes, until interrupted");
  command->add_option("-n", options->max, "how many of the last calls")->capture_default_str();
  command->callback([options, &cli] { cli.command = [options] { return calls(*options); }; });
}

}  // namespace lockstep::cli
