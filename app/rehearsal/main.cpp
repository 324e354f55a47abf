// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>

#include <CLI/CLI.hpp>

#include "base/user_dirs.h"
#include "base/version.h"
#include "rehearsal/jobs/supervisor.h"
#include "rehearsal/region/commands.h"
#include "rehearsal/region/print.h"
#include "rehearsal/region/profile_writer.h"

namespace {

using namespace lockstep;
using namespace lockstep::rehearsal;

struct Arguments {
  std::string state, config, entrypoint, at, runFolder, faults, seed = "ready", isolate = "auto";
  int port = 0, httpsPort = 0, provisioningMs = 600, graceMs = 10000, sampleMs = 5000;
  bool empty = false, foreground = false, json = false, tls = false;
  std::vector<std::string> keys;

  [[nodiscard]] StateFolder stateFolder() const {
    return {std::filesystem::absolute(state.empty() ? userDataDir() / "rehearsal" : expandHome(state))
                .lexically_normal()};
  }
  [[nodiscard]] RegionOptions region() const {
    RegionOptions options;
    options.state = stateFolder();
    options.configFile = std::filesystem::absolute(config.empty() ? defaultConfigFile() : expandHome(config))
                             .lexically_normal();
    options.port = port;
    options.tls = tls || httpsPort != 0;
    options.httpsPort = httpsPort;
    options.empty = empty || seed == "empty";
    options.isolate = isolate == "auto";
    if (!faults.empty()) options.faultsFile = std::filesystem::absolute(expandHome(faults));
    options.entrypoint = entrypoint.empty() ? (programDir() / "lockstep-node").string()
                                            : std::filesystem::absolute(entrypoint).string();
    options.provisioning = std::chrono::milliseconds(provisioningMs);
    options.grace = std::chrono::milliseconds(graceMs);
    options.sampleInterval = std::chrono::milliseconds(sampleMs);
    return options;
  }
};

void addStart(CLI::App& app, Arguments& a) {
  CLI::App* start = app.add_subcommand("start", "Start the region in the background and print where it is");
  start->add_option("--port", a.port, "Port on 127.0.0.1 (default: the one used before, else a free one)")
      ->check(CLI::Range(1, 65535));
  start->add_flag("--tls", a.tls, "Serve https as well, with a certificate authority of its own");
  start->add_option("--https-port", a.httpsPort, "Port of https (default: as for --port); implies --tls")
      ->check(CLI::Range(1, 65535));
  start->add_option("--faults", a.faults, "JSON file that says what is to go wrong")
      ->check(CLI::ExistingFile);
  start
      ->add_option("--isolate", a.isolate,
                   "auto: job runs in networks of their own where the machine allows it; off: never")
      ->check(CLI::IsMember({"auto", "off"}));
  start->add_option("--state", a.state, "Folder of its state");
  start->add_option("--config", a.config, "OCI config file that gets the profile REHEARSAL");
  start->add_option("--seed", a.seed, "How a new tenancy comes up: ready for a launch, or empty")
      ->check(CLI::IsMember({"ready", "empty"}));
  start->add_flag("--empty", a.empty, "The same as --seed empty");
  start->add_flag("--foreground", a.foreground, "Stay in the foreground, until SIGINT or SIGTERM");
  start->add_flag("--json", a.json, "Print JSON");
  start->add_option("--entrypoint", a.entrypoint, "Program that a job run executes (default: lockstep-node)");
  start->add_option("--provisioning-ms", a.provisioningMs, "From ACCEPTED to IN_PROGRESS")
      ->check(CLI::Range(0, 3'600'000));
  start->add_option("--sample-ms", a.sampleMs, "Between two samples of a job run's metrics")
      ->check(CLI::Range(50, 600'000));
  start->add_option("--grace-ms", a.graceMs, "From SIGTERM to SIGKILL when a job run is ended")
      ->check(CLI::Range(0, 600'000));
}

int run(int argc, char** argv) {
  CLI::App app{"lockstep-rehearsal: an embedded OCI region on loopback"};
  app.set_version_flag("--version", std::string("lockstep-rehearsal ") + LOCKSTEP_VERSION);
  app.require_subcommand(1);
  Arguments a;
  addStart(app, a);
  for (const char* name : {"stop", "status", "reset"}) {
    CLI::App* command = app.add_subcommand(name);
    command->add_option("--state", a.state, "Folder of its state");
    if (std::string_view(name) == "status") command->add_flag("--json", a.json, "Print JSON");
  }
  app.get_subcommand("stop")->description("End the region and every job run in it");
  app.get_subcommand("status")->description("Say where the region is; exit 1 when none runs");
  app.get_subcommand("reset")->description("End the region and remove its state");
  CLI::App* verify =
      app.add_subcommand("verify", "Check the signatures of requests, one JSON object a line on stdin");
  verify->add_option("--at", a.at, "The clock of the service, as in a Date header");
  verify->add_option("--key", a.keys, "KEYID=PUBLIC.pem");
  CLI::App* superviseApp = app.add_subcommand("supervise", "")->group("");  // for the region itself
  superviseApp->add_option("folder", a.runFolder)->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  if (app.got_subcommand("start")) return startCommand(a.region(), a.foreground, a.json);
  if (app.got_subcommand("stop")) return stopCommand(a.stateFolder());
  if (app.got_subcommand("status")) return statusCommand(a.stateFolder(), a.json);
  if (app.got_subcommand("reset")) return resetCommand(a.stateFolder());
  if (app.got_subcommand("verify")) return verifyCommand(a.at, a.keys);
  return supervise(a.runFolder);
}

}  // namespace

int main(int argc, char** argv) {
  ::umask(077);  // keys, tokens and the users' data; a job run gets the usual mask back
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    lockstep::rehearsal::printErr(e.what());
    return 1;
  }
}
