// SPDX-License-Identifier: GPL-3.0-or-later
// The same train.yaml launched by the desktop and by the command line: the same run, and the same calls with the same
// bodies. Both launch on a region that keeps what it was asked for. Its own profile makes that a rehearsal; a profile
// without lockstep_endpoint, whose region is described as that of another realm is, makes the same region OCI.
#include <QTest>

#include "app/desktop/runs/launch_cluster.h"
#include "app/desktop/runs/run_access.h"
#include "base/atomic_file.h"
#include "base/json_fields.h"
#include "launch/rehearsal_code.h"
#include "launch/rehearsal_control.h"
#include "oci/calls/call_log.h"
#include "oci/services/data_science_client.h"
#include "oci/signin/open_service_client.h"
#include "starter/starter.h"
#include "tests/app/cli/cli_process.h"

namespace lockstep {
namespace {

using nlohmann::json;

/// What a launch came to, as far as it may not depend on who launches: no ids, times or random words.
struct Outcome {
  std::optional<Error> refused;  // of the desktop
  int exitCode = 0;              // of the command line
  std::string said;              // by the command line, on stderr
  QStringList calls;
  std::optional<TrainingRun> run;
};

struct Case {
  std::string file;  // "pytorch/train.yaml"
  std::string text;
  std::string profile;
  bool isOpen = false;  // ids and places are still placeholders
};

std::string withNodes(std::string text) {
  const std::size_t at = text.find("spec:\n");
  return at == std::string::npos ? text : text.replace(at, 6, "spec:\n  multiNode: {}\n");
}

StarterValues valuesOf(const TenancyIds& places) {
  StarterValues values;
  values.compartment = places.compartmentId;
  values.project = places.projectId;
  values.subnet = places.subnetId;
  values.logGroup = places.logGroupId;
  values.log = places.logId;
  values.bucket = "lockstep@rehearsal";
  values.image = "iad.ocir.io/rehearsal/own:1";
  return values;
}

void replaceAll(std::string& text, const std::string& what, const std::string& with) {
  if (what.empty()) return;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

QByteArray shown(const json& document) {
  return QByteArray::fromStdString(document.dump(1));
}

}  // namespace

class TwoFrontEndsTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    for (const auto& [name, value] : home_.environment()) qputenv(name.c_str(), value.c_str());
    for (const char* name : {"OCI_CONFIG_FILE", "OCI_CLI_CONFIG_FILE", "OCI_CLI_PROFILE"}) qunsetenv(name);
    // Nothing is to run, only to be asked for.
    const auto faults = home_.write("faults.json", R"({"faults": [{"kind": "out-of-capacity"}]})");
    RehearsalOptions options = regionOptions();
    options.faultsFile = faults;
    const auto started = startRehearsal(options, {});
    QVERIFY2(started, started ? "" : describe(started.error()).c_str());
    region_ = *started;
    qputenv("OCI_REGION_METADATA", region_.regionMetadata.c_str());
    home_.environment()["OCI_REGION_METADATA"] = region_.regionMetadata;
    writeTeamsProfile();
    for (const Starter& starter : starters()) QVERIFY(writeStarter(starter, home_.path() / starter.name));
    QVERIFY(calls_.last(1000));
  }
  void cleanupTestCase() { QVERIFY(stopRehearsal(regionOptions(), {})); }

  void sameRun_data() {
    QTest::addColumn<int>("number");
    for (const Starter& starter : starters())
      for (const StarterFile& file : starter.files)
        if (file.path.starts_with("train") && file.path.ends_with(".yaml"))
          addCases(starter.name + "/" + file.path, std::string(file.content));
    QVERIFY(cases_.size() >= 56);
  }
  void sameRun() {
    QFETCH(int, number);
    const Case& one = cases_[static_cast<std::size_t>(number)];
    const auto file = home_.write(one.file, one.text);
    callsSince();  // the test's own looks at the run before
    const Outcome desktop = launchedByDesktop(one, file.string());
    const Outcome command = launchedByCommand(one);
    if (desktop.run.has_value() != command.run.has_value())
      QFAIL((desktop.refused ? describe(*desktop.refused) : command.said).c_str());
    QCOMPARE(desktop.calls.join("\n"), command.calls.join("\n"));
    if (!desktop.run) return expectSameRefusal(one, desktop, command);
    ++launched_;
    QVERIFY(desktop.calls.contains(QLatin1String("POST Data Science CreateJob 200")));
    QCOMPARE(shown(keptOf(*desktop.run)), shown(keptOf(*command.run)));
    QCOMPARE(shown(jobOf(*desktop.run)), shown(jobOf(*command.run)));
    const auto& nodes = desktop.run->nodes;
    for (std::size_t node = 0; node < nodes.size(); ++node)
      QCOMPARE(shown(jobRunOf(*desktop.run, node)), shown(jobRunOf(*command.run, node)));
  }
  void everyStarterWasLaunched() {
    QVERIFY2(launched_ >= 16,
             "each filled in, in both layouts; as a rehearsal what this machine has modules for");
  }

 private:
  static constexpr const char* kTeam = "TEAM";

  [[nodiscard]] RehearsalOptions regionOptions() const {
    RehearsalOptions options;
    options.program = LOCKSTEP_BIN_DIR "/lockstep-rehearsal";
    options.tls = true;
    options.isolate = false;
    return options;
  }
  void writeTeamsProfile() {
    const auto own = oci::loadProfile({region_.configFile, region_.profile});
    QVERIFY2(own, own ? "" : describe(own.error()).c_str());
    const std::string section = "\n[" + std::string(kTeam) + "]\nuser=" + own->user +
                                "\ntenancy=" + own->tenancy + "\nfingerprint=" + own->fingerprint +
                                "\nkey_file=" + own->keyFile.string() + "\nregion=" + own->region +
                                "\ncert_bundle=" + region_.certificateBundle + "\n";
    QVERIFY(writeFileAtomically(region_.configFile, *readFile(region_.configFile) + section, 0600));
  }
  void addCases(const std::string& file, const std::string& open) {
    const auto filled = filledIn(open, valuesOf(region_.places));
    QVERIFY2(filled, file.c_str());
    for (const std::string& profile : {std::string(kTeam), region_.profile})
      for (const bool isOpen : {true, false}) {
        const std::string& text = isOpen ? open : *filled;
        const std::string name = file + (isOpen ? ", open, " : ", filled in, ") + profile;
        addCase(name, {file, text, profile, isOpen});
        addCase(name + ", one job run", {file, withNodes(text), profile, isOpen});
      }
  }
  void addCase(const std::string& name, Case one) {
    QTest::newRow(name.c_str()) << static_cast<int>(cases_.size());
    cases_.push_back(std::move(one));
  }

  Outcome launchedByDesktop(const Case& one, const std::string& file) {
    Outcome outcome;
    const auto run =
        launchCluster({one.text, file, {region_.configFile, one.profile}}, [](const LaunchProgress&) {}, {});
    if (!run)
      outcome.refused = run.error();
    else
      outcome.run = *run;
    outcome.calls = callsSince();
    return outcome;
  }
  /// As somebody types it, in the folder above.
  Outcome launchedByCommand(const Case& one) {
    Outcome outcome;
    const CliExit done = home_.run({"--profile", one.profile, "run", "--detach", "--json", one.file});
    outcome.exitCode = done.code();
    outcome.said = done.err;
    for (const json& line : done.jsonLines()) {
      const auto run = findRun(stringField(objectField(line, "run"), "id"));
      if (run) outcome.run = *run;
    }
    outcome.calls = callsSince();
    return outcome;
  }
  QStringList callsSince() {
    QStringList lines;
    const auto records = calls_.more();
    if (!records) return {QString::fromStdString(describe(records.error()))};
    for (const oci::CallRecord& call : *records)
      lines << QString::fromStdString(call.method + " " + call.service + " " + call.operation + " " +
                                      std::to_string(call.httpStatus));
    return lines;
  }

  void expectSameRefusal(const Case& one, const Outcome& desktop, const Outcome& command) const {
    QVERIFY(desktop.calls.isEmpty());
    QVERIFY(command.exitCode != 0);
    // The window lists the issues of a file below its message; the command line prints them.
    const Error& error = *desktop.refused;
    const std::string why = error.cause.substr(0, error.cause.find(" (and "));
    QVERIFY2(command.said.find(why) != std::string::npos,
             (describe(error) + "\n---\n" + command.said).c_str());
    const bool isRehearsal = one.profile == region_.profile;
    QVERIFY2(one.isOpen || isRehearsal, describe(error).c_str());
  }

  /// What the run store keeps of a launch.
  [[nodiscard]] json keptOf(const TrainingRun& run) const {
    json kept = toJson(run);
    kept["trainYaml"] = run.trainYaml;
    kept["trainFile"] = run.trainFile;
    kept["codeFolder"] = run.codeFolder;
    kept["image"] = run.image;
    return withoutIds(kept, run);
  }
  /// What the service keeps of the CreateJob.
  [[nodiscard]] json jobOf(const TrainingRun& run) {
    const auto job = dataScience().getJob(run.jobId.value, {});
    return job ? withoutIds(*job, run) : json(describe(job.error()));
  }
  /// What it keeps of the CreateJobRun of a node.
  [[nodiscard]] json jobRunOf(const TrainingRun& run, std::size_t node) {
    const auto jobRun = dataScience().getJobRun(run.nodes.at(node).id.value, {});
    return jobRun ? withoutIds(*jobRun, run) : json(describe(jobRun.error()));
  }
  oci::DataScienceClient dataScience() {
    const auto profile = oci::loadProfile({region_.configFile, region_.profile});
    return oci::DataScienceClient(*oci::openServiceClient(*profile));
  }
  /// Ids become what they are of; the moment and the state, which go on after the launch, are left out.
  static json withoutIds(const json& document, const TrainingRun& run) {
    std::string text = document.dump();
    for (const NodeRun& node : run.nodes) {
      replaceAll(text, node.id.value, "(job run)");
      replaceAll(text, node.retryToken, "(retry token)");
    }
    replaceAll(text, run.jobId.value, "(job)");
    replaceAll(text, run.jobRetryToken, "(retry token)");
    replaceAll(text, '"' + run.id.value + '"', "\"(run)\"");
    return withoutState(json::parse(text));
  }
  static json withoutState(const json& document) {
    if (document.is_array()) {
      json kept = json::array();
      for (const json& one : document) kept.push_back(withoutState(one));
      return kept;
    }
    if (!document.is_object()) return document;
    json kept = json::object();
    for (const auto& [key, value] : document.items()) {
      const bool isOfTheMoment = key.starts_with("time") || key.starts_with("lifecycle") || key == "state" ||
                                 key == "created" || key == "started" || key == "finished" ||
                                 key == "failure" || key == "details" || key == kCodeTag;
      if (!isOfTheMoment) kept[key] = withoutState(value);
    }
    return kept;
  }

  CliHome home_;
  RehearsalInfo region_;
  std::vector<Case> cases_;
  oci::CallLogReader calls_{home_.path() / "lockstep" / "data" / "calls.jsonl"};
  int launched_ = 0;
};

}  // namespace lockstep

QTEST_GUILESS_MAIN(lockstep::TwoFrontEndsTest)
#include "two_front_ends_test.moc"
