// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/trainer_arguments.h"

#include <CLI/CLI.hpp>

#include "base/version.h"
#include "trainer/ddp/exit_codes.h"

namespace lockstep::trainer {
namespace {

constexpr const char* kFooter =
    "Environment: RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT say which rank this is "
    "(lockstep-node and\n"
    "`torchrun --no-python` set them); none of them: one process alone. GLOO_SOCKET_IFNAME chooses the "
    "network\n"
    "interface, OMP_NUM_THREADS the threads. OCI__WORK_DIR and JOB_OCID say where metrics go.\n\n"
    "Exit status: 0 done; 1 failed; 2 wrong usage; 10 not all ranks came together; 11 the ranks disagree (a "
    "rank\n"
    "twice, different world sizes); 12 another rank ended first; 13 a collective timed out; 143 ended by "
    "SIGTERM,\n"
    "metrics flushed.";

void addGuideOptions(CLI::App& app, TrainOptions& o) {
  app.add_option("--data-dir", o.dataDir, "Folder with CIFAR-10 in its binary form")->capture_default_str();
  app.add_option("--epochs", o.epochs, "Passes over the training set")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--batch-size", o.batchSize, "Samples per rank and step")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--workers", o.workers,
                 "Taken as the guide's script has it; batches are gathered in 0.03 ms, so no loader process "
                 "is started")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--learning-rate,--lr", o.learningRate, "Step size of SGD")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--momentum", o.momentum, "Momentum of SGD")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--output-dir", o.outputDir, "Folder for the trained model (rank 0 writes it)")
      ->capture_default_str();
  app.add_option("--print-freq", o.printFreq, "Steps between two log lines")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--backend", o.backend, "Transport of the gradients: gloo, or nccl where the build has it")
      ->check(CLI::IsMember({"gloo", "nccl"}))
      ->capture_default_str();
}

void addOwnOptions(CLI::App& app, TrainOptions& o, int& timeoutSeconds) {
  app.add_option("--timeout", timeoutSeconds,
                 "Seconds to wait for peers, at the start and in each collective")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option(
         "--make-data", o.makeData,
         "When --data-dir has no CIFAR-10 files: draw N training images and N/5 test images there first")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--seed", o.seed, "Seed of weights, order and drawn data")->capture_default_str();
  app.add_option("--dropout", o.dropout, "Dropout after the first linear layer")
      ->check(CLI::Range(0.0, 0.99))
      ->capture_default_str();
  app.add_option("--threads", o.threads, "Compute threads of this rank; 0: cores of the node / ranks on it")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--work-dir", o.workDir, "Where metrics go: oci://bucket@namespace/prefix or file:///path");
  app.add_option("--job-id", o.jobId, "The folder below the work dir; default: JOB_OCID");
  app.add_flag("--no-shared-memory", o.noSharedMemory,
               "Sum gradients over Gloo even when all ranks are on one machine");
  app.add_flag("--no-metrics", o.noMetrics, "Push no metrics even when a work dir is known");
}

void addBenchOptions(CLI::App& app, TrainOptions& o) {
  app.add_option("--bench", o.benchSteps,
                 "Train STEPS steps on one fixed batch and print one RESULT line per rank")
      ->check(CLI::PositiveNumber)
      ->option_text("STEPS");
  app.add_option("--model", o.model, "cifar: the guide's network")
      ->check(CLI::IsMember({"cifar", "resnet18"}))
      ->capture_default_str();
  app.add_option("--precision", o.precision, "fp32")
      ->check(CLI::IsMember({"fp32", "bf16"}))
      ->capture_default_str();
}

CLI::App* addMakeData(CLI::App& app, MakeDataOptions& o) {
  CLI::App* sub = app.add_subcommand("make-data", "Draws a learnable data set in the CIFAR-10 binary format");
  sub->add_option("DIR", o.directory,
                  "Folder to write data_batch_1..5.bin, test_batch.bin and batches.meta.txt into")
      ->required();
  sub->add_option("--train", o.train, "Training images")
      ->check(CLI::Range(5, 5'000'000))
      ->capture_default_str();
  sub->add_option("--test", o.test, "Test images")->check(CLI::Range(1, 1'000'000))->capture_default_str();
  sub->add_option("--seed", o.seed, "Seed of the drawing")->capture_default_str();
  return sub;
}

}  // namespace

TrainerCommand parseTrainerArguments(int argc, const char* const* argv) {
  CLI::App app("Trains the CIFAR-10 network of the PyTorch guide, data parallel over all ranks",
               "lockstep-trainer");
  app.footer(kFooter);
  app.set_version_flag("--version", "lockstep-trainer " LOCKSTEP_VERSION);
  TrainOptions train;
  MakeDataOptions makeData;
  int timeoutSeconds = static_cast<int>(train.timeout.count());
  addGuideOptions(app, train);
  addOwnOptions(app, train, timeoutSeconds);
  addBenchOptions(app, train);
  const CLI::App* drawing = addMakeData(app, makeData);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return EarlyExit{app.exit(error) == 0 ? kExitDone : kExitUsage};
  }
  if (drawing->parsed()) return makeData;
  train.timeout = std::chrono::seconds(timeoutSeconds);
  return train;
}

}  // namespace lockstep::trainer
