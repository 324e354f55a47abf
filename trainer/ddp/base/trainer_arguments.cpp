// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/base/trainer_arguments.h"

#include <CLI/CLI.hpp>

#include "base/version.h"
#include "trainer/data/data_kind.h"
#include "trainer/data/text_corpus.h"
#include "trainer/ddp/base/config_file.h"
#include "trainer/ddp/base/exit_codes.h"
#include "trainer/models/model_spec.h"

namespace lockstep::trainer {
namespace {

constexpr const char* kFooter =
    "Environment: RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT say which rank this is "
    "(lockstep-node and\n"
    "`torchrun --no-python` set them); none of them: one process alone. GLOO_SOCKET_IFNAME chooses the "
    "network\n"
    "interface, OMP_NUM_THREADS the threads, TORCHELASTIC_RESTART_COUNT tells a restart. OCI__WORK_DIR and "
    "JOB_OCID say where metrics go.\n\n"
    "Exit status: 0 done; 1 failed; 2 wrong usage; 10 not all ranks came together; 11 different world "
    "sizes;\n"
    "12 another rank ended first; 13 a rank is frozen or a collective timed out; 14 out of memory; 15 out of "
    "disk;\n"
    "16 missing or damaged data; 17 damaged checkpoint; 18 the loss is no longer finite; 19 MASTER_ADDR "
    "cannot "
    "be\n"
    "reached; 20 another program at MASTER_PORT; 21 ranks of different versions; 22 a rank twice; 23 a "
    "rank's\n"
    "parameters diverged; 143 ended by SIGTERM, metrics flushed.";

void addGuideOptions(CLI::App& app, TrainOptions& o) {
  app.add_option("--data-dir", o.dataDir,
                 "Folder (or oci://bucket@namespace/prefix) with the data: CIFAR-10 in its binary form, "
                 "MNIST's idx files, train/ and val/ with "
                 "a folder of JPEG or PNG pictures per class, or text (train.txt and val.txt, one .txt, or "
                 "train.bin and val.bin of a GPT-2 tokenizer)")
      ->capture_default_str();
  app.add_option("--epochs", o.epochs, "Passes over the training set")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--batch-size", o.batchSize, "Samples per rank and step")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--workers", o.workers,
                 "Threads that read ahead where reading takes time, or beside a GPU; data in memory need "
                 "none on a CPU "
                 "(0.03 ms per batch)")
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
  app.add_option("--make-data", o.makeData,
                 "When --data-dir has no data: draw N training samples and N/5 test samples there first")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--seed", o.seed, "Seed of weights, order and drawn data")->capture_default_str();
  app.add_option("--threads", o.threads, "Compute threads of this rank; 0: cores of the node / ranks on it")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--work-dir", o.workDir, "Where metrics go: oci://bucket@namespace/prefix or file:///path");
  app.add_option("--job-id", o.jobId, "The folder below the work dir; default: JOB_OCID");
  app.add_flag("--no-shared-memory", o.noSharedMemory,
               "Sum gradients over Gloo even when all ranks are on one machine");
  app.add_option("--overlap", o.overlap,
                 "Send gradients while backward still runs: on, off, or auto: on GPUs and between machines")
      ->check(CLI::IsMember({"auto", "on", "off"}))
      ->capture_default_str();
  app.add_option("--tensorboard", o.tensorBoard,
                 "Folder for event files that TensorBoard shows, one folder per rank in it");
  app.add_flag("--json", o.json,
               "Print a JSON object with all that is known of the step in place of the guide's loss line");
  app.add_option("--check-parameters", o.checkParameters,
                 "Steps between two comparisons of the ranks' parameters, which name the first rank that "
                 "diverges; 0: never")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_flag("--no-metrics", o.noMetrics, "Push no metrics even when a work dir is known");
}

void addModelOptions(CLI::App& app, TrainOptions& o) {
  app.add_option("--model", o.model,
                 "Network. cifar: the guide's; mnist: of PyTorch's MNIST example; resnet18, resnet50: as "
                 "torchvision's; gpt…: as nanoGPT's, on text")
      ->check(CLI::IsMember(modelNames()))
      ->capture_default_str();
  app.add_option(
         "--precision", o.precision,
         "fp32; bf16: matrices and convolutions in bfloat16 (autocast), weights stay in float; fp16: on GPUs")
      ->check(CLI::IsMember({"fp32", "bf16", "fp16"}))
      ->capture_default_str();
  app.add_option(
         "--device", o.device,
         "cpu, cuda (the GPU of LOCAL_RANK), or auto: a GPU where there is one, alone or with --backend nccl")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->capture_default_str();
  app.add_option(
      "--weights", o.weights,
      "Start from the weights in this file, which torch.save(model.state_dict(), …) or a training wrote");
  app.add_option("--dropout", o.dropout, "Instead of the network's own (cifar: 0.2)")
      ->check(CLI::Range(0.0, 0.99));
  std::vector<std::string> kinds = dataKindNames();
  kinds.emplace_back("auto");
  app.add_option("--data", o.dataKind, "What --data-dir holds; auto: what lies there")
      ->check(CLI::IsMember(kinds))
      ->capture_default_str();
  app.add_option(
      "--data-cache", o.dataCache,
      "Folder of this node for data that --data-dir oci://bucket@namespace/prefix names; default: the "
      "user's cache");
  app.add_option("--image-size", o.imageSide, "Pixels of a side that pictures of folders are brought to")
      ->check(CLI::Range(8, 4096))
      ->capture_default_str();
  app.add_option("--max-image-pixels", o.maxPixels,
                 "Larger pictures are refused: some bytes can claim to be one")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{2'000'000'000}))
      ->capture_default_str();
  app.add_option("--sequence-length", o.sequenceLength, "Tokens of a text in one sample")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option(
         "--tokens", o.tokens,
         "Of a text. bytes; bpe: pieces of words, by vocab.json and merges.txt (or encoder.json and "
         "vocab.bpe) in --data-dir, which GPT-2's tokenizers have and make-tokenizer writes; auto: bpe "
         "where they are")
      ->check(CLI::IsMember(textTokenNames()))
      ->capture_default_str();
  app.add_flag("--augment", o.augment,
               "Mirror half of the training images, and move them by up to 4 pixels or, from folders, take "
               "random parts of them");
}

void addOptimizerOptions(CLI::App& app, TrainOptions& o) {
  app.add_option("--optimizer", o.optimizer, "sgd or adamw, as PyTorch's")
      ->check(CLI::IsMember({"sgd", "adamw"}))
      ->capture_default_str();
  app.add_option("--weight-decay", o.weightDecay, "Of all parameters; default: 0 for sgd, 0.01 for adamw")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--beta1", o.firstBeta, "Of adamw")
      ->check(CLI::Range(0.0, 0.9999999))
      ->capture_default_str();
  app.add_option("--beta2", o.secondBeta, "Of adamw")
      ->check(CLI::Range(0.0, 0.9999999))
      ->capture_default_str();
  app.add_option("--clip-grad-norm", o.clipNorm, "Largest norm of all gradients together; 0: any")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--schedule", o.schedule,
                 "Learning rate: constant; step: times --gamma after each --step-epochs; cosine: down to "
                 "--min-learning-rate at the end")
      ->check(CLI::IsMember({"constant", "step", "cosine"}))
      ->capture_default_str();
  app.add_option("--step-epochs", o.stepEpochs, "Of --schedule step")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--gamma", o.gamma, "Of --schedule step")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--min-learning-rate", o.minLearningRate, "Of --schedule cosine")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--warmup-steps", o.warmupSteps, "Steps in which the learning rate rises from near 0")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
}

void addStepOptions(CLI::App& app, TrainOptions& o) {
  app.add_option("--accumulate", o.accumulate, "Batches per rank whose gradients make one step")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--global-batch-size", o.globalBatchSize,
                 "Samples of all ranks in one step, instead of --batch-size: the same training on any number "
                 "of ranks")
      ->check(CLI::PositiveNumber);
  app.add_flag("--no-padding", o.noPadding,
               "See every sample once per epoch; without it some are seen twice when the ranks do not divide "
               "them evenly, as PyTorch's DistributedSampler has it");
  app.add_flag("--deterministic", o.deterministic, "The same result to the bit for the same seed and ranks");
  app.add_option("--early-stop", o.earlyStop, "End after N epochs without a better test loss")
      ->check(CLI::PositiveNumber)
      ->option_text("N");
}

// Returns the option that says whether --resume or --no-resume was given at all.
CLI::Option* addCheckpointOptions(CLI::App& app, TrainOptions& o, bool& resume, int& graceSeconds) {
  app.add_option(
      "--checkpoint-dir", o.checkpointDir,
      "Where checkpoints go: a folder, file:///path, oci://bucket@namespace/prefix, or work-dir for the "
      "job's folder there; without it there are none");
  app.add_option("--checkpoint-every", o.checkpointEvery,
                 "Steps between checkpoints; without it after each epoch")
      ->check(CLI::PositiveNumber);
  app.add_option("--keep-checkpoints", o.keepCheckpoints, "So many are left, the newest")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  CLI::Option* resuming = app.add_flag(
      "--resume,!--no-resume", resume,
      "Go on from the last good checkpoint in --checkpoint-dir, if there is one. Without either: only "
      "where lockstep-node or torchrun starts the ranks again after a failure, from a checkpoint of "
      "the same training");
  app.add_option("--grace", graceSeconds,
                 "Seconds from SIGTERM in which a step may end and a last checkpoint may be written")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  return resuming;
}

void addBenchOptions(CLI::App& app, TrainOptions& o) {
  app.add_option("--bench", o.benchSteps,
                 "Train STEPS steps on one fixed batch and print one RESULT line per rank")
      ->check(CLI::PositiveNumber)
      ->option_text("STEPS");
  app.add_option("--warm-up", o.benchWarmUp, "Steps of --bench before those that are measured")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--bench-image-size", o.benchImageSide,
                 "Pixels of a side of the images of --bench; default: what the network usually takes")
      ->check(CLI::Range(8, 4096));
  app.add_option(
         "--bench-classes", o.benchClasses,
         "Classes of the images of --bench, or tokens in the vocabulary of its texts; default: as few as "
         "the network usually tells apart")
      ->check(CLI::Range(2, 1'000'000));
}

CLI::App* addMakeData(CLI::App& app, MakeDataOptions& o) {
  CLI::App* sub = app.add_subcommand("make-data", "Draws a learnable data set in the real formats");
  sub->add_option("DIR", o.directory, "Folder to write it into")->required();
  sub->add_option("--kind", o.kind, "Form of the data")
      ->check(CLI::IsMember(dataKindNames()))
      ->capture_default_str();
  sub->add_option("--train", o.train, "Training images or lines")
      ->check(CLI::Range(5, 5'000'000))
      ->capture_default_str();
  sub->add_option("--test", o.test, "Test images or lines")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  sub->add_option("--seed", o.seed, "Seed of the drawing")->capture_default_str();
  return sub;
}

CLI::App* addMakeTokenizer(CLI::App& app, MakeTokenizerOptions& o) {
  CLI::App* sub = app.add_subcommand(
      "make-tokenizer", "Learns byte-level BPE tokens from a text: vocab.json and merges.txt, as GPT-2's");
  sub->add_option("DIR", o.directory, "Folder with the text, train.txt or one .txt; they are written there")
      ->required();
  sub->add_option("--vocabulary", o.vocabulary,
                  "Tokens: 256 for bytes, one for the end of a text, the rest learned")
      ->check(CLI::Range(257, static_cast<int>(kMaxTokens)))
      ->capture_default_str();
  sub->add_flag("--replace", o.replace, "Write over those that are there");
  return sub;
}

}  // namespace

TrainerCommand parseTrainerArguments(int argc, const char* const* argv) {
  CLI::App app(
      "Trains a network, data parallel over all ranks; without options the PyTorch guide's, on CIFAR-10",
      "lockstep-trainer");
  app.footer(kFooter);
  app.set_version_flag("--version", "lockstep-trainer " LOCKSTEP_VERSION);
  TrainOptions train;
  MakeDataOptions makeData;
  MakeTokenizerOptions makeTokenizer;
  int timeoutSeconds = static_cast<int>(train.timeout.count());
  int graceSeconds = static_cast<int>(train.grace.count());
  app.set_config("--config", "", "YAML file with options by their long names; the command line comes first");
  app.config_formatter(std::make_shared<YamlConfig>());
  app.allow_config_extras(CLI::config_extras_mode::error);
  addGuideOptions(app, train);
  addOwnOptions(app, train, timeoutSeconds);
  addModelOptions(app, train);
  addOptimizerOptions(app, train);
  addStepOptions(app, train);
  bool resume = false;
  const CLI::Option* resuming = addCheckpointOptions(app, train, resume, graceSeconds);
  addBenchOptions(app, train);
  const CLI::App* drawing = addMakeData(app, makeData);
  const CLI::App* tokenizing = addMakeTokenizer(app, makeTokenizer);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return EarlyExit{app.exit(error) == 0 ? kExitDone : kExitUsage};
  }
  if (drawing->parsed()) return makeData;
  if (tokenizing->parsed()) return makeTokenizer;
  train.timeout = std::chrono::seconds(timeoutSeconds);
  train.grace = std::chrono::seconds(graceSeconds);
  if (resuming->count() > 0) train.resume = resume;
  return train;
}

}  // namespace lockstep::trainer
