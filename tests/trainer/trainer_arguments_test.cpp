// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/base/trainer_arguments.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "temp_dir.h"
#include "trainer/ddp/base/exit_codes.h"

namespace lockstep::trainer {
namespace {

TrainerCommand parsed(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "lockstep-trainer");
  std::vector<const char*> argv;
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  return parseTrainerArguments(static_cast<int>(argv.size()), argv.data());
}

std::string configOf(const TempDir& dir, const std::string& text) {
  const auto path = dir.path() / "train.yaml";
  if (!writeFileAtomically(path, text)) throw std::runtime_error("cannot write");
  return path.string();
}

TEST(TrainerArguments, WithoutAnyAreTheGuides) {
  const auto command = parsed({});
  const auto* options = std::get_if<TrainOptions>(&command);
  ASSERT_NE(options, nullptr);
  EXPECT_EQ(options->batchSize, 16);
  EXPECT_EQ(options->epochs, 10);
  EXPECT_DOUBLE_EQ(options->learningRate, 0.001);
  EXPECT_EQ(options->model, "cifar");
  EXPECT_EQ(options->optimizer, "sgd");
  EXPECT_FALSE(options->weightDecay);
}

TEST(TrainerArguments, ComeFromAYamlFileUnlessTheCommandLineSaysThem) {
  const TempDir dir;
  const std::string file = configOf(dir,
                                    "# a recipe\nmodel: resnet18\nlearning_rate: 0.4\nbatch-size: 64\n"
                                    "augment: true\nresume: false\nschedule: 'cosine'\n");
  const auto command = parsed({"--config", file, "--batch-size", "8"});
  const auto* options = std::get_if<TrainOptions>(&command);
  ASSERT_NE(options, nullptr);
  EXPECT_EQ(options->model, "resnet18");
  EXPECT_DOUBLE_EQ(options->learningRate, 0.4);
  EXPECT_EQ(options->batchSize, 8);
  EXPECT_TRUE(options->augment);
  EXPECT_EQ(options->resume, false);
  EXPECT_EQ(options->schedule, "cosine");
}

TEST(TrainerArguments, ResumingIsLeftToTheRestartUnlessSomebodySaysIt) {
  const auto resumeOf = [](const std::vector<std::string>& arguments) {
    const auto command = parsed(arguments);
    return std::get<TrainOptions>(command).resume;
  };
  EXPECT_FALSE(resumeOf({}).has_value());
  EXPECT_EQ(resumeOf({"--resume"}), true);
  EXPECT_EQ(resumeOf({"--no-resume"}), false);
}

TEST(TrainerArguments, AConfigFileThatIsWrongIsAUsageError) {
  const TempDir dir;
  for (const auto& [text, message] :
       std::vector<std::pair<std::string, std::string>>{{"model: vgg\n", "vgg"},
                                                        {"no-such-option: 1\n", "no-such-option"},
                                                        {"epochs: many\n", "many"},
                                                        {"epochs:\n  deep: 1\n", "line 2"},
                                                        {"- a\n", "line 1"},
                                                        {"model: cifar\nepochs:\n", "line 2"},
                                                        {"epochs: 1\nmodel: \"x\n", "--config:3:"},
                                                        {"a: [\n", "YAML"}}) {
    testing::internal::CaptureStderr();
    const auto command = parsed({"--config", configOf(dir, text)});
    const std::string said = testing::internal::GetCapturedStderr();
    const auto* early = std::get_if<EarlyExit>(&command);
    ASSERT_NE(early, nullptr) << text;
    EXPECT_EQ(early->exitCode, kExitUsage) << text;
    EXPECT_NE(said.find(message), std::string::npos) << said;
  }
}

TEST(TrainerArguments, OfATokenizerAreItsFolderAndItsSize) {
  const auto command = parsed({"make-tokenizer", "books", "--vocabulary", "1000", "--replace"});
  const auto* options = std::get_if<MakeTokenizerOptions>(&command);
  ASSERT_NE(options, nullptr);
  EXPECT_EQ(options->directory, "books");
  EXPECT_EQ(options->vocabulary, 1000);
  EXPECT_TRUE(options->replace);
  for (const char* size : {"256", "65537"}) {
    testing::internal::CaptureStderr();
    EXPECT_TRUE(std::holds_alternative<EarlyExit>(parsed({"make-tokenizer", "books", "--vocabulary", size})));
    testing::internal::GetCapturedStderr();
  }
}

TEST(TrainerArguments, NeitherModelNorPrecisionIsGuessed) {
  for (const char* wrong :
       {"--model=vgg", "--precision=int8", "--optimizer=lion", "--schedule=linear", "--tokens=words"}) {
    testing::internal::CaptureStderr();
    const auto command = parsed({wrong});
    testing::internal::GetCapturedStderr();
    EXPECT_TRUE(std::holds_alternative<EarlyExit>(command)) << wrong;
  }
}

}  // namespace
}  // namespace lockstep::trainer
