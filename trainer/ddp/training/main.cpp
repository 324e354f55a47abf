// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <malloc.h>
#include <signal.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "base/child_process.h"
#include "base/secret.h"
#include "trainer/data/drawn_data.h"
#include "trainer/data/make_tokenizer.h"
#include "trainer/ddp/base/exit_codes.h"
#include "trainer/ddp/base/put_line.h"
#include "trainer/ddp/base/trainer_arguments.h"
#include "trainer/ddp/training/training_session.h"
#include "trainer/usage/machine_usage.h"

namespace lockstep::trainer {
namespace {

// glibc gives big activations back to the kernel and faults them in again in every step; keeping them is
// 15-30 % faster.
void keepBigBlocks() {
  ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
  ::mallopt(M_TRIM_THRESHOLD, INT_MAX);
  ::mallopt(M_TOP_PAD, 64 << 20);
}

int makeData(const MakeDataOptions& options) {
  const auto drew = writeDrawnData(*dataKindFrom(options.kind), options.directory, options.train,
                                   options.test, options.seed);
  if (!drew) {
    putLine(stderr, describe(drew.error()));
    return kExitFailed;
  }
  putLine(stdout, fmt::format("Drew {} training and {} test samples into '{}'", options.train, options.test,
                              options.directory));
  return kExitDone;
}

int learnTokenizer(const MakeTokenizerOptions& options) {
  const auto made = makeTokenizer(options.directory, static_cast<std::size_t>(options.vocabulary),
                                  options.replace, static_cast<std::size_t>(usableCores()),
                                  [](const std::string& line) { putLine(stdout, line); });
  if (made) return kExitDone;
  putLine(stderr, describe(made.error()));
  return kExitFailed;
}

Result<void> runGuarded(TrainingSession& session) {
  try {
    return session.run();
  } catch (const std::exception& error) {
    return failure(computingError("the training failed", error));
  }
}

int train(const TrainOptions& options) {
  // Without it cuBLAS refuses to compute once only what repeats to the bit may be used.
  if (options.deterministic) ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
  const auto environment = currentEnvironment();
  const auto place = rankContextFrom(environment);
  if (!place) {
    putLine(stderr, describe(place.error()));
    return kExitUsage;
  }
  ExitHandler ending(place->rank);
  TrainingSession session(options, *place, environment, ending);
  const auto trained = runGuarded(session);
  if (trained) ending.exitNow(kExitDone, {});
  const auto phase = ending.progress().standing().phase;
  const int code = exitCodeFor(trained.error(), phase);
  // A collective only knows that "a" connection broke; the peer watch is about to say whose, and ends us.
  if (session.hasPeers() && (code == kExitPeerLost || code == kExitTimedOut))
    std::this_thread::sleep_for(std::chrono::seconds(2));
  if (ending.terminationAsked())
    ending.exitNow(kExitTerminated, fmt::format("rank {}: told to stop (SIGTERM)", place->rank));
  ending.fail(code,
              oneLine(trained.error()) + (code == kExitTimedOut ? session.stragglers() : std::string()));
}

}  // namespace
}  // namespace lockstep::trainer

int main(int argc, char** argv) {
  using namespace lockstep::trainer;
  keepBigBlocks();
  lockstep::keepSecretsOutOfDumps();
  // Gloo writes to the sockets of its peers without saying that it wants no signal: a peer that is gone is an
  // error to be named, not the end.
  ::signal(SIGPIPE, SIG_IGN);
  const TrainerCommand command = parseTrainerArguments(argc, argv);
  if (const auto* early = std::get_if<EarlyExit>(&command)) return early->exitCode;
  if (const auto* drawing = std::get_if<MakeDataOptions>(&command)) return makeData(*drawing);
  if (const auto* learning = std::get_if<MakeTokenizerOptions>(&command)) return learnTokenizer(*learning);
  return train(std::get<TrainOptions>(command));
}
