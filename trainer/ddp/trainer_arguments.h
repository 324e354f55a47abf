// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace lockstep::trainer {

/// What to train on and how. The first group has the names and meanings of the PyTorch guide's train.py.
struct TrainOptions {
  std::string dataDir = "data";
  int epochs = 10;
  int batchSize = 16;  // per rank
  int workers = 2;
  double learningRate = 0.001;
  double momentum = 0.9;
  std::string outputDir = "output";
  int printFreq = 100;
  std::string backend = "gloo";
  std::chrono::seconds timeout{120};

  int makeData = 0;  // training images to draw when dataDir has none
  double dropout = 0.2;
  std::uint64_t seed = 1;
  int threads = 0;      // 0: cores of this node / ranks on it
  std::string workDir;  // where metrics go; empty: OCI__WORK_DIR
  std::string jobId;    // empty: JOB_OCID
  bool noMetrics = false;
  bool noSharedMemory = false;

  int benchSteps = 0;  // > 0: train on one fixed batch and print a RESULT line
  std::string model = "cifar";
  std::string precision = "fp32";
};

struct MakeDataOptions {
  std::string directory;
  int train = 50'000;
  int test = 10'000;
  std::uint64_t seed = 1;
};

/// Nothing to run: help, version or a usage error was printed.
struct EarlyExit {
  int exitCode = 0;
};

using TrainerCommand = std::variant<TrainOptions, MakeDataOptions, EarlyExit>;

/// Reads argv. Prints help to stdout, a usage error to stderr.
[[nodiscard]] TrainerCommand parseTrainerArguments(int argc, const char* const* argv);

}  // namespace lockstep::trainer
