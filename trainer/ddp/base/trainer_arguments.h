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

  int makeData = 0;               // training images to draw when dataDir has none
  std::optional<double> dropout;  // empty: the network's own
  std::uint64_t seed = 1;
  int threads = 0;      // 0: cores of this node / ranks on it
  std::string workDir;  // where metrics go; empty: OCI__WORK_DIR
  std::string jobId;    // empty: JOB_OCID
  bool noMetrics = false;
  std::string tensorBoard;    // folder for TensorBoard's event files; empty: none
  bool json = false;          // log lines as JSON objects
  int checkParameters = 100;  // steps between two comparisons of the ranks' parameters; 0: never
  bool noSharedMemory = false;
  std::string overlap = "auto";

  int benchWarmUp = 20;                      // steps before those that are measured
  int benchSteps = 0;                        // > 0: train on one fixed batch and print a RESULT line
  int benchImageSide = 0, benchClasses = 0;  // of its samples; 0: what the network usually takes
  std::string model = "cifar";
  std::string precision = "fp32";
  std::string device = "auto";
  std::string weights;  // a state dict to start from; empty: drawn

  std::string optimizer = "sgd";
  std::optional<double> weightDecay;  // empty: PyTorch's, 0 for SGD and 0.01 for AdamW
  double firstBeta = 0.9, secondBeta = 0.999;
  std::string schedule = "constant";
  int stepEpochs = 30;
  double gamma = 0.1, minLearningRate = 0;
  int warmupSteps = 0;
  double clipNorm = 0;
  int accumulate = 1;       // batches per rank and step
  int globalBatchSize = 0;  // > 0: of all ranks in one step, instead of batchSize
  bool noPadding = false;
  bool deterministic = false;
  int earlyStop = 0;  // > 0: end after so many epochs without a better test loss

  std::string checkpointDir;  // path, file://, oci:// or "work-dir"; empty: none
  int checkpointEvery = 0;    // steps; 0: after each epoch
  int keepCheckpoints = 3;
  std::optional<bool> resume;      // empty: where the ranks were started again after a failure
  std::chrono::seconds grace{25};  // from SIGTERM to the end, for a last checkpoint
  bool augment = false;
  std::string dataKind = "auto";
  std::string dataCache;                 // where data of a bucket go; empty: the user's cache
  int imageSide = 224;                   // of image folders
  std::int64_t maxPixels = 178'956'970;  // of one picture in them
  int sequenceLength = 256;              // of texts
  std::string tokens = "auto";
};

struct MakeDataOptions {
  std::string directory;
  std::string kind = "cifar10";
  int train = 50'000;
  int test = 10'000;
  std::uint64_t seed = 1;
};

struct MakeTokenizerOptions {
  std::string directory;
  int vocabulary = 8192;
  bool replace = false;
};

/// Nothing to run: help, version or a usage error was printed.
struct EarlyExit {
  int exitCode = 0;
};

using TrainerCommand = std::variant<TrainOptions, MakeDataOptions, MakeTokenizerOptions, EarlyExit>;

/// Reads argv. Prints help to stdout, a usage error to stderr.
[[nodiscard]] TrainerCommand parseTrainerArguments(int argc, const char* const* argv);

}  // namespace lockstep::trainer
