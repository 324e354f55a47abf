// SPDX-License-Identifier: GPL-3.0-or-later
// What people say about runs: tag, note, group, pin and archive.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/text/trimmed.h"
#include "cli.h"
#include "history/run_storage.h"
#include "output.h"
#include "target.h"

namespace lockstep::cli {
namespace {

constexpr std::size_t kMaxTag = 64, kMaxTags = 64, kMaxNote = 16 * 1024;
constexpr const char* kRunHelp = "run id or the beginning of one, job OCID, info file, or 'last'";

struct Options {
  std::string run, text;
  std::vector<std::string> words;
  bool undo = false;
  bool json = false;
};

/// The run and what is said about it from now on, printed.
int changeMarks(const Options& options, const GlobalOptions& global,
                const std::function<void(RunMarks&)>& change) {
  auto store = openRunStore();
  if (!store) return failed(store.error());
  const auto run = findRun(options.run, global, *store);
  if (!run) return failed(run.error());
  const auto marks = (*store)->changeMarks(run->id, change);
  if (!marks) return failed(marks.error());
  if (options.json) {
    nlohmann::json document = toJson(*marks);
    document["run"] = run->id.value;
    printJson(document);
    return kDone;
  }
  std::string line = run->id.value;
  for (const std::string& tag : marks->tags) line += " +" + tag;
  if (!marks->group.empty()) line += fmt::format("  group {}", marks->group);
  if (marks->isPinned) line += "  pinned";
  if (marks->isArchived) line += "  archived";
  if (!marks->note.empty()) line += fmt::format("  \"{}\"", marks->note);
  printLine(line);
  return kDone;
}

int wrongUsage(std::string what, std::string remedy) {
  printError({ErrorCode::InvalidArgument, std::move(what), {}, std::move(remedy), {}, {}});
  return kUsage;
}

int tag(const Options& options, const GlobalOptions& global) {
  for (const std::string& word : options.words) {
    const bool isChange = word.size() > 1 && (word[0] == '+' || word[0] == '-') && word[1] != '-';
    if (!isChange || word.size() > kMaxTag + 1 || trimmed(word.substr(1)).empty())
      return wrongUsage(fmt::format("'{}' neither gives nor takes a tag", word),
                        fmt::format("write +TAG or -TAG, of at most {} characters", kMaxTag));
  }
  std::size_t count = 0;
  const int exitCode = changeMarks(options, global, [&](RunMarks& marks) {
    for (const std::string& word : options.words) {
      const std::string name = word.substr(1);
      std::erase(marks.tags, name);
      if (word[0] == '+') marks.tags.push_back(name);
    }
    if (marks.tags.size() > kMaxTags) marks.tags.resize(kMaxTags);
    count = marks.tags.size();
  });
  if (count == kMaxTags) warn(fmt::format("a run has {} tags at most", kMaxTags));
  return exitCode;
}

int note(const Options& options, const GlobalOptions& global) {
  if (options.text.size() > kMaxNote)
    return wrongUsage("the note is too long", fmt::format("write {} characters at most", kMaxNote));
  return changeMarks(options, global, [&](RunMarks& marks) { marks.note = options.text; });
}

int group(const Options& options, const GlobalOptions& global) {
  if (options.text.size() > kMaxTag)
    return wrongUsage("the name of the group is too long",
                      fmt::format("write {} characters at most", kMaxTag));
  return changeMarks(options, global, [&](RunMarks& marks) { marks.group = options.text; });
}

int pin(const Options& options, const GlobalOptions& global) {
  return changeMarks(options, global, [&](RunMarks& marks) { marks.isPinned = !options.undo; });
}

/// What this machine keeps of the run's lines can be read again from the service, as long as that keeps them.
int archive(const Options& options, const GlobalOptions& global) {
  auto store = openRunStore();
  if (!store) return failed(store.error());
  const auto run = findRun(options.run, global, *store);
  if (!run) return failed(run.error());
  if (!options.undo && !(isTerminal(stateOf(*run)) && allNodesEnded(*run)))
    return failed({ErrorCode::FailedPrecondition,
                   fmt::format("cannot archive run '{}'", run->id.value),
                   fmt::format("it is {}", toString(stateOf(*run))),
                   "wait for its end, or end it with: lockstep cancel " + run->id.value,
                   {},
                   {}});
  const int exitCode =
      changeMarks(options, global, [&](RunMarks& marks) { marks.isArchived = !options.undo; });
  if (options.undo || exitCode != kDone) return exitCode;
  const auto freed = freeKeptLines(run->id);
  if (!freed) return failed(freed.error());
  lockstep::cli::note(
      fmt::format("kept lines freed on this machine: {}; job and work dir stay", toText(*freed)));
  return kDone;
}

CLI::App* addCommand(CLI::App& app, const char* name, const char* help,
                     const std::shared_ptr<Options>& options) {
  CLI::App* command = app.add_subcommand(name, help);
  command->add_option("RUN", options->run, kRunHelp)->required();
  command->add_flag("--json", options->json, "print one JSON document");
  return command;
}

void addTag(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = addCommand(
      app, "tag", "Give a run tags and take them away: lockstep tag RUN +baseline -draft", options);
  command->set_help_flag("--help", "Print this help message and exit");  // "-h…" takes a tag away
  command->allow_extras();
  command->add_option("CHANGE", options->words, "+TAG gives a tag, -TAG takes it away");
  command->callback([options, command, &cli] {
    for (const std::string& word : command->remaining()) options->words.push_back(word);
    if (options->words.empty()) throw CLI::RequiredError("+TAG or -TAG");
    cli.command = [options, &cli] { return tag(*options, cli.global); };
  });
}

void addTextCommand(CLI::App& app, Cli& cli, const char* name, const char* help, const char* textHelp,
                    int (*does)(const Options&, const GlobalOptions&)) {
  auto options = std::make_shared<Options>();
  CLI::App* command = addCommand(app, name, help, options);
  command->add_option("TEXT", options->text, textHelp)->required();
  command->callback(
      [options, does, &cli] { cli.command = [options, does, &cli] { return does(*options, cli.global); }; });
}

void addSwitchCommand(CLI::App& app, Cli& cli, const char* name, const char* help,
                      int (*does)(const Options&, const GlobalOptions&)) {
  auto options = std::make_shared<Options>();
  CLI::App* command = addCommand(app, name, help, options);
  command->add_flag("--undo", options->undo, "take it back");
  command->callback(
      [options, does, &cli] { cli.command = [options, does, &cli] { return does(*options, cli.global); }; });
}

}  // namespace

void addMarkCommands(CLI::App& app, Cli& cli) {
  addTag(app, cli);
  addTextCommand(app, cli, "note", "Write a note to a run", "the note; an empty text takes it away", note);
  addTextCommand(app, cli, "group", "Put a run into a group", "name of the group; an empty text: into none",
                 group);
  addSwitchCommand(app, cli, "pin", "Pin a run, so that it stays in sight: the best one so far", pin);
  addSwitchCommand(app, cli, "archive",
                   "Take an ended run out of the lists, and free what this machine keeps of its lines",
                   archive);
}

}  // namespace lockstep::cli
