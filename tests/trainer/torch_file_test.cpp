// SPDX-License-Identifier: GPL-3.0-or-later
// Weights are files that people take from strangers: whatever is in one, it is read or refused.
#include "trainer/models/torch_file.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <chrono>
#include <random>

#include "base/atomic_file.h"
#include "started_program.h"
#include "temp_dir.h"
#include "torch_zip.h"
#include "trainer/data/drawn_data.h"
#include "trainer/ddp/base/exit_codes.h"
#include "trainer/models/pickle.h"
#include "trainer/models/zip_contents.h"

namespace lockstep::trainer {
namespace {

using Steady = std::chrono::steady_clock;

const std::string kSixteenFloats(64, '\0');

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::string tensorFile(const std::string& type, std::int64_t offset, const std::vector<std::int64_t>& sizes,
                       const std::vector<std::int64_t>& strides) {
  return torchFile(pickledDict(pickledTensor(type, offset, sizes, strides)), kSixteenFloats);
}

std::string refusal(const std::string& file) {
  const auto read = readTorchFile(file, {"model"});
  return read ? "it was read" : read.error().cause;
}

constexpr std::int64_t kHuge = 1LL << 62;
const std::string kTooLarge = "it has a tensor that is larger than its bytes";

TEST(TorchFile, ReadsWhatIsWrittenByHand) {
  std::string bytes;
  for (const float value : {0.0F, 1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F})
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  const std::string program = pickledDict(pickledTensor("FloatStorage", 1, {2, 3}, {3, 1}));
  const auto read = readTorchFile(torchFile(program, bytes), {});
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_TRUE(at::equal(read->at("w"), at::arange(1, 7, at::kFloat).view({2, 3})));
}

TEST(TorchFile, RefusesTensorsThatReachOutOfTheirBytes) {
  EXPECT_EQ(refusal(tensorFile("FloatStorage", kHuge - 1'000'000'000, {4}, {1})), kTooLarge);
  EXPECT_EQ(refusal(tensorFile("FloatStorage", kHuge - 4096, {1024}, {1})), kTooLarge);
  EXPECT_EQ(refusal(tensorFile("DoubleStorage", 0, {1LL << 29, 2}, {1LL << 31, 1LL << 31})), kTooLarge);
  EXPECT_EQ(refusal(tensorFile("FloatStorage", 13, {4}, {1})), kTooLarge);
  EXPECT_EQ(refusal(tensorFile("DoubleStorage", 0, {9}, {1})), kTooLarge);
  EXPECT_EQ(refusal(tensorFile("FloatStorage", std::numeric_limits<std::int64_t>::max(), {1}, {1})),
            kTooLarge);
}

TEST(TorchFile, RefusesShapesThatAreNone) {
  const std::string none = "it has a tensor of no shape";
  EXPECT_EQ(refusal(tensorFile("FloatStorage", -1, {1}, {1})), none);
  EXPECT_EQ(refusal(tensorFile("FloatStorage", 0, {-1}, {1})), none);
  EXPECT_EQ(refusal(tensorFile("FloatStorage", 4, {2}, {-1})), none);
  EXPECT_EQ(refusal(tensorFile("FloatStorage", 0, {2, 2}, {1})), none);
  EXPECT_EQ(refusal(tensorFile("FloatStorage", 0, std::vector<std::int64_t>(17, 1),
                               std::vector<std::int64_t>(17, 1))),
            none);
  EXPECT_EQ(refusal(tensorFile("FloatStorage", 0, {0, kHuge, kHuge}, {0, 0, 0})), kTooLarge);
}

TEST(TorchFile, MakesNoMoreOfAFileThanItHasBytesFor) {
  const std::string large = "its tensors are far larger than the file";
  EXPECT_EQ(refusal(tensorFile("FloatStorage", 0, {1LL << 29}, {0})), large);
  // One record, named by a thousand tensors through the memo.
  std::string program = std::string("\x80\x02}") + pickledText("w") +
                        pickledTensor("FloatStorage", 0, {250'000}, {1}) + "q" + little(1, 1) + "s";
  for (int i = 0; i < 1000; ++i) program += pickledText(std::to_string(i)) + "h" + little(1, 1) + "s";
  EXPECT_EQ(refusal(torchFile(program + ".", std::string(1'000'000, '\0'))), large);
}

// LibTorch makes room for a whole record before it looks at what is in it: 400 MB for 2.5 MB here.
TEST(TorchFile, RecordsThatUnpackToFarMoreThanTheFileAreNotUnpacked) {
  constexpr std::uint64_t kRuns = 1'600'000;
  const std::string program = pickledDict(pickledTensor("FloatStorage", 0, {16}, {1}));
  const std::string wanted = "its records are far larger than the file";
  EXPECT_EQ(refusal(zipOf({deflatedZeros("data.pkl", kRuns), {"version", "3\n"}})), wanted);
  EXPECT_EQ(refusal(zipOf({{"data.pkl", program}, deflatedZeros("data/0", kRuns), {"version", "3\n"}})),
            wanted);
  EXPECT_EQ(
      refusal(zipOf({{"data.pkl", program}, {"data/0", kSixteenFloats}, deflatedZeros("version", kRuns)})),
      wanted);
  const std::string small = zipOf({{"data.pkl", program}, deflatedZeros("data/0", 1), {"version", "3\n"}});
  const auto read = readTorchFile(small, {});
  ASSERT_TRUE(read) << "a little that is deflated is read: " << describe(read.error());
  EXPECT_TRUE(at::equal(read->at("w"), at::zeros({16}, at::kFloat)));
}

TEST(TorchFile, DeepAndLongProgramsTakeNoStackAndLittleTime) {
  const auto begin = Steady::now();
  EXPECT_EQ(refusal(torchFile("\x80\x02N" + repeated("\x85", 3'000'000) + ".", {})), "it holds no dict");
  // A million values under one mark.
  EXPECT_EQ(refusal(torchFile("\x80\x02(" + repeated("N", 1'000'000) + "t.", {})), "it holds no dict");
  // Lists in lists by way of the memo, and one that holds itself.
  std::string chain = "\x80\x02]r" + little(0, 4);
  for (std::uint64_t i = 1; i < 100'000; ++i)
    chain += "]r" + little(i, 4) + "j" + little(i - 1, 4) + "j" + little(i, 4) + "a";
  EXPECT_EQ(refusal(torchFile(chain + "j" + little(0, 4) + "j" + little(0, 4) + "a.", {})),
            "it holds no dict");
  EXPECT_LT(Steady::now() - begin, std::chrono::seconds(60))
      << "a front that moves for each would take hours";
  EXPECT_EQ(refusal(torchFile("\x80\x02(" + repeated("N", 5'000'000) + "t.", {})),
            "it has more than 4000000 entries");
}

TEST(TorchFile, LongTextsAreNotCopiedForEveryTensor) {
  std::string program = std::string("\x80\x02}") + pickledText(std::string(1'000'000, 'k')) + "q" +
                        little(1, 1) + pickledTensor("FloatStorage", 0, {1}, {1}) + "q" + little(2, 1) + "s";
  program += repeated("h" + little(1, 1) + "h" + little(2, 1) + "s", 100'000) + ".";
  EXPECT_EQ(refusal(torchFile(program, kSixteenFloats)), "it has a name of 1000000 bytes");
}

TEST(TorchFile, ClassesOfOtherNamesAreNotRepeated) {
  EXPECT_EQ(refusal(tensorFile("Evil\x1b[2JStorage", 0, {1}, {1})), "it has a tensor of 'a strange name'");
  EXPECT_EQ(refusal(tensorFile("QInt8Storage", 0, {1}, {1})), "it has a tensor of 'QInt8Storage'");
}

std::string realFile() {
  c10::Dict<std::string, at::Tensor> state;
  state.insert("conv.weight", at::arange(0, 24, at::kFloat).view({2, 3, 2, 2}));
  state.insert("conv.bias", at::ones({2}));
  state.insert("steps", at::full({}, 7, at::kLong));
  const std::vector<char> bytes = torch::jit::pickle_save(state);
  return {bytes.begin(), bytes.end()};
}

// What a bad disk, a cut download or somebody with time makes of a file, the same in every run of the test.
std::string damaged(const std::string& file, unsigned seed) {
  std::mt19937 random(seed);
  std::string other = file;
  const auto place = [&] { return random() % other.size(); };
  for (unsigned i = 0, count = 1 + random() % 4; i < count; ++i) {
    switch (random() % 5) {
      case 0:
        other[place()] = static_cast<char>(random());
        break;
      case 1:
        other[place()] ^= static_cast<char>(1U << random() % 8);
        break;
      case 2:
        other.resize(place() + 1);
        break;
      case 3:
        other.insert(place(), other.substr(place(), random() % 64));
        break;
      default:
        other.erase(place(), random() % 64);
        if (other.empty()) other = "P";
    }
  }
  return other;
}

void expectReadOrRefused(const std::string& file, unsigned seed) {
  const auto read = readTorchFile(file, {"model"});
  if (read) {
    for (const auto& [name, tensor] : *read) (void)tensor.to(at::kFloat).sum().item<float>();
    return;
  }
  EXPECT_EQ(read.error().code, ErrorCode::DataLoss) << seed;
  EXPECT_FALSE(read.error().cause.empty()) << seed;
  EXPECT_EQ(read.error().cause.find('\n'), std::string::npos) << seed;
}

TEST(TorchFile, AThousandDamagedFilesAreReadOrRefused) {
  const std::string file = realFile();
  const auto whole = readTorchFile(file, {});
  ASSERT_TRUE(whole) << describe(whole.error());
  ASSERT_EQ(whole->size(), 3U);
  for (unsigned seed = 0; seed < 1000; ++seed) expectReadOrRefused(damaged(file, seed), seed);
}

// The same where the archive's sums are right again, so that the damage reaches the reader of the program.
TEST(TorchFile, AThousandDamagedProgramsAreReadOrRefused) {
  const std::string program =
      pickledDict("ccollections\nOrderedDict\n)R" + std::string("q\x05(") + pickledText("model") +
                  pickledTensor("FloatStorage", 2, {2, 3}, {3, 1}) + pickledText("steps") +
                  pickledTensor("LongStorage", 0, {}, {}) + "u");
  ASSERT_TRUE(readTorchFile(torchFile(program, kSixteenFloats), {"w"}));
  for (unsigned seed = 0; seed < 1000; ++seed)
    expectReadOrRefused(torchFile(damaged(program, seed), kSixteenFloats), seed);
}

TEST(ZipContents, AreCountedAsTheDirectoryHasThem) {
  const std::string file = zipOf({{"a", "12345"}, deflatedZeros("b", 10), {"c", ""}});
  EXPECT_EQ(zipContentBytes(file).value_or(0), 5U + 1U + 2580U);
  EXPECT_EQ(zipContentBytes(realFile()).has_value(), true);
  EXPECT_TRUE(checkZipContents(realFile()));
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_FALSE(zipContentBytes(file.substr(0, size))) << size;
  EXPECT_FALSE(zipContentBytes(""));
}

TEST(TorchFile, TheTrainerEndsWithOneMessage) {
  const TempDir dir;
  ASSERT_TRUE(writeDrawnData(dir.path() / "data", 160, 32, 1));
  const std::string real = realFile();
  const std::vector<std::string> files{tensorFile("FloatStorage", kHuge - 1'000'000'000, {4}, {1}),
                                       tensorFile("FloatStorage", kHuge - 4096, {1024}, {1}),
                                       tensorFile("DoubleStorage", 0, {1LL << 29, 2}, {1LL << 31, 1LL << 31}),
                                       torchFile("\x80\x02N" + repeated("\x85", 3'000'000) + ".", {}),
                                       real.substr(0, real.size() / 2)};
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto path = dir.path() / ("weights-" + std::to_string(i) + ".pt");
    ASSERT_TRUE(writeFileAtomically(path, files[i]));
    StartedProgram trainer(
        dir.path() / "output",
        {program("lockstep-trainer"), "--data-dir", (dir.path() / "data").string(), "--epochs", "1",
         "--weights", path.string(), "--output-dir", (dir.path() / "out").string()},
        {});
    const int code = trainer.exitCode();
    EXPECT_LT(code, 128) << i << ": " << trainer.output();
    EXPECT_NE(code, kExitDone) << i;
    EXPECT_TRUE(trainer.says("this is no file of torch.save")) << i << ": " << trainer.output();
    EXPECT_TRUE(trainer.says(path.filename().string())) << i;
  }
}

}  // namespace
}  // namespace lockstep::trainer
