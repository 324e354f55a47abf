// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <thread>

#include "base/child_process.h"
#include "base/secret.h"
#include "base/text/terminal_text.h"
#include "base/version.h"
#include "trainer/node/agent/framework_agent.h"
#include "trainer/node/agent/node_agent.h"
#include "trainer/node/processes/orphans.h"

namespace {

constexpr const char* kFooter =
    "Everything comes from the environment of the job run: OCI__WORK_DIR, OCI__ENTRY_SCRIPT, "
    "OCI__ENTRY_SCRIPT_ARGS,\n"
    "OCI__WORKER_COUNT, RANK (0 main, 1… workers), OCI__TIMEOUT, OCI__CODE_DIR, MASTER_PORT, JOB_OCID, "
    "JOB_RUN_OCID, and\n"
    "LOCKSTEP_RANKS_PER_NODE (default: GPUs of this node, at least 1). Of a multi-node job run: NODE_RANK,\n"
    "INITIAL_CLUSTER_SIZE and CLUSTER_NODES_METADATA_FILE in place of RANK, OCI__WORKER_COUNT and the "
    "subnet.\n"
    "OCI__RUNTIME_TYPE=git with OCI__RUNTIME_URI clones the code; SYNC_ARTIFACTS=1 keeps what stands below\n"
    "OCI__SYNC_DIR; LOCKSTEP_NODE_SILENCE (20) seconds without a heartbeat make a node one that is lost;\n"
    "LOCKSTEP_RESTART_WAIT (60) seconds are waited for it at a restart; LOCKSTEP_REACH_TEST=0 leaves out the "
    "test of the network before the ranks start. Of scripts other than lockstep-trainer it records metrics:\n"
    "LOCKSTEP_METRICS=0 leaves that out, LOCKSTEP_METRIC_LINES=0 what they print, LOCKSTEP_METRIC_PATTERN "
    "adds\n"
    "expressions for it. LOCKSTEP_PROMETHEUS=[ADDRESS:]PORT, OTEL_EXPORTER_OTLP_ENDPOINT and "
    "LOCKSTEP_POST_METRICS=1\n"
    "tell others their newest values. LOCKSTEP_STACKS=0: who asks where in its code a rank is gets no "
    "answer.\n\n"
    "OCI__CLUSTER_TYPE says what is started: PYTORCH (the default) one process for each rank; DASK a "
    "scheduler "
    "and workers\n"
    "(OCI__START_ARGS, SCHEDULER_PORT, nprocs, death_timeout); HOROVOD sshd on every node and horovodrun or "
    "mpirun on main\n"
    "(WORKER_PORT, SLOTS, NP, MIN_NP, MAX_NP, HOROVOD_ARGS, LOCKSTEP_LAUNCHER); TENSORFLOW the script with "
    "its "
    "TF_CONFIG\n"
    "(WORKER_PORT, OCI__PS_COUNT; OCI__MODE=PS needs no RANK).\n\n"
    "Exit status: that of the first rank of this node that failed (128 + signal when a signal killed it); 12 "
    "when another\n"
    "node failed or was lost first; 24 when the run has continued without this node; 143 after SIGTERM; 1 "
    "when "
    "the ranks could not be started; 2 when the environment is "
    "unusable.";

// SIGTERM and SIGINT reach this thread alone, which asks the agent to stop.
class SignalWatch {
 public:
  SignalWatch() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGTERM);
    sigaddset(&set_, SIGINT);
    ::pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    ::signal(SIGPIPE, SIG_IGN);  // a log reader that goes away must not end the training
    thread_ = std::jthread([this](const std::stop_token& stop) {
      const timespec look{0, 50'000'000};
      while (!stop.stop_requested()) {
        if (::sigtimedwait(&set_, nullptr, &look) > 0) source_.request_stop();
      }
    });
  }
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  sigset_t set_{};
  std::stop_source source_;
  std::jthread thread_;
};

}  // namespace

int main(int argc, char** argv) {
  lockstep::keepSecretsOutOfDumps();
  CLI::App app(
      "Runs one node of a distributed training: finds the other nodes through the work dir and starts the "
      "ranks here",
      "lockstep-node");
  app.footer(kFooter);
  int maxRestarts = -1;
  int minNodes = 0;
  app.add_option(
         "--max-restarts", maxRestarts,
         "How often all ranks are started again after one has failed (LOCKSTEP_MAX_RESTARTS); they find "
         "TORCHELASTIC_RESTART_COUNT, and go on from their last checkpoint")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--min-nodes", minNodes,
                 "A restart may go on without lost nodes, down to this many (LOCKSTEP_MIN_NODES)")
      ->check(CLI::PositiveNumber);
  app.set_version_flag("--version", "lockstep-node " LOCKSTEP_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const SignalWatch signals;
  lockstep::node::adoptOrphans();
  auto environment = lockstep::currentEnvironment();
  if (maxRestarts >= 0) environment["LOCKSTEP_MAX_RESTARTS"] = std::to_string(maxRestarts);
  if (minNodes > 0) environment["LOCKSTEP_MIN_NODES"] = std::to_string(minNodes);
  const auto settings = lockstep::node::nodeSettingsFrom(environment, lockstep::node::visibleGpuCount());
  if (!settings) {
    fmt::print(stderr, "[node] {}\n", lockstep::forTerminal(describe(settings.error())));
    return 2;
  }
  if (settings->framework != lockstep::Framework::PyTorch)
    return lockstep::node::FrameworkAgent(*settings, environment, signals.token()).run();
  return lockstep::node::NodeAgent(*settings, environment, signals.token()).run();
}
