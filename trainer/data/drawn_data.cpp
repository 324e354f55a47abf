// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/drawn_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "base/atomic_file.h"
#include "trainer/data/cifar10.h"
#include "trainer/data/folder_lock.h"
#include "trainer/data/mnist.h"
#include "trainer/data/picture.h"

namespace lockstep::trainer {
namespace {

namespace fs = std::filesystem;

// Only the engine: std distributions differ between standard libraries, and the bytes must not.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  double noise() { return unit() + unit() + unit() + unit() - 2.0; }  // near normal, deviation 0.58

 private:
  std::mt19937_64 engine_;
};

struct Figure {
  double centerX = 0, centerY = 0, size = 0, turn = 0, period = 0, phase = 0;
};

double wave(double position, const Figure& f) {
  return std::sin(2 * M_PI * position / f.period + f.phase);
}

bool insideTriangle(double u, double v, double size) {
  return v < size * 0.6 && v > -size * 0.9 && std::abs(u) < (v + size * 0.9) * 0.62;
}

// Whether the point belongs to the figure of that class. u, v: relative to its centre, turned a little.
bool covers(int label, double x, double y, const Figure& f) {
  const double dx = x - f.centerX;
  const double dy = y - f.centerY;
  const double u = std::cos(f.turn) * dx + std::sin(f.turn) * dy;
  const double v = std::cos(f.turn) * dy - std::sin(f.turn) * dx;
  const double distance = std::hypot(u, v);
  switch (label) {
    case 0:
      return distance < f.size * 0.85;
    case 1:
      return distance < f.size && distance > f.size * 0.6;
    case 2:
      return std::abs(u) < f.size * 0.3 && std::abs(v) < f.size;
    case 3:
      return insideTriangle(u, v, f.size);
    case 4:
      return std::min(std::abs(u), std::abs(v)) < f.size * 0.25 &&
             std::max(std::abs(u), std::abs(v)) < f.size;
    case 5:
      return wave(y + 0.2 * f.turn * x, f) > 0;
    case 6:
      return wave(x + 0.2 * f.turn * y, f) > 0;
    case 7:
      return wave((x + y) * M_SQRT1_2, f) > 0;
    case 8:
      return wave(x, f) * wave(y, f) > 0;
    default:
      return std::hypot(std::remainder(x - f.centerX, f.period * 1.3),
                        std::remainder(y - f.centerY, f.period * 1.3)) < f.period * 0.33;
  }
}

using Color = std::array<double, kImageChannels>;

// Each class leans to a color of its own, as ships do to blue, so that a network has something to start from;
// the lean is far smaller than the spread, so that the shape has to be learned for the rest.
Color inkColor(int label, Dice& dice) {
  constexpr double kLean = 45;
  Color color{};
  for (std::size_t channel = 0; channel < kImageChannels; ++channel) {
    const double hue =
        2 * M_PI * (static_cast<double>(label) / kClassCount + static_cast<double>(channel) / 3);
    color[channel] = dice.between(120, 230) + kLean * std::cos(hue);
  }
  return color;
}

Color groundColor(Dice& dice) {
  return {dice.between(10, 110), dice.between(10, 110), dice.between(10, 110)};
}

std::uint8_t asByte(double value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0));
}

void drawRecord(int label, Dice& dice, char* record) {
  constexpr double kNoise = 22;
  const Figure figure{dice.between(11, 21),      dice.between(11, 21), dice.between(7, 12),
                      dice.between(-0.35, 0.35), dice.between(6, 10),  dice.between(0, 2 * M_PI)};
  const Color ground = groundColor(dice);
  const Color ink = inkColor(label, dice);
  record[0] = static_cast<char>(label);
  constexpr std::size_t kPlane = kImageSide * kImageSide;
  for (std::size_t i = 0; i < kPlane; ++i) {
    const bool inked =
        covers(label, static_cast<double>(i % kImageSide),
               static_cast<double>(i / kImageSide),  // NOLINT(bugprone-integer-division): its line
               figure);
    const double light = kNoise * dice.noise();
    for (std::size_t channel = 0; channel < kImageChannels; ++channel) {
      const double value = (inked ? ink : ground)[channel] + light + kNoise * 0.5 * dice.noise();
      record[1 + channel * kPlane + i] = static_cast<char>(asByte(value));
    }
  }
}

constexpr const char* kFigureNames[kClassCount] = {"disc", "ring",    "bar",       "triangle", "cross",
                                                   "rows", "columns", "diagonals", "checks",   "dots"};

// Calls action(label, planes) for each image: red, green and blue of 32 x 32 pixels.
template <class Action>
void drawImages(int images, Dice dice, Action&& action) {
  std::string record(kRecordBytes, '\0');
  for (int i = 0; i < images; ++i) {
    const int label = static_cast<int>(dice.unit() * kClassCount);
    drawRecord(label, dice, record.data());
    action(label, std::string_view(record).substr(1));
  }
}

Result<void> drawFile(const fs::path& path, int images, const Dice& dice) {
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(images) * kRecordBytes);
  drawImages(images, dice, [&bytes](int label, std::string_view planes) {
    bytes += static_cast<char>(label);
    bytes += planes;
  });
  return writeFileAtomically(path, bytes);
}

Result<void> drawCifar10(const fs::path& directory, int trainImages, int testImages, std::uint64_t seed) {
  // The names go first: whoever finds image files finds their names too.
  std::string names;
  for (const char* name : kFigureNames) names += std::string(name) + "\n";
  if (auto wrote = writeFileAtomically(directory / kClassNamesFileName, names); !wrote) return wrote;
  for (int file = 1; file <= kTrainFileCount; ++file) {
    const int share = trainImages / kTrainFileCount + (file <= trainImages % kTrainFileCount ? 1 : 0);
    const Dice dice(seed * 1000 + static_cast<std::uint64_t>(file));
    if (auto drew = drawFile(directory / trainFileName(file), share, dice); !drew) return drew;
  }
  return drawFile(directory / kTestFileName, testImages, Dice(seed * 1000));
}

// The red planes without their border.
Result<void> drawIdxPair(const fs::path& imagePath, const fs::path& labelPath, int images, const Dice& dice) {
  constexpr std::size_t kSide = 28;
  constexpr std::size_t kBorder = (kImageSide - kSide) / 2;
  std::string pixels, labels;
  drawImages(images, dice, [&](int label, std::string_view planes) {
    labels += static_cast<char>(label);
    for (std::size_t row = kBorder; row < kBorder + kSide; ++row)
      pixels += planes.substr(row * kImageSide + kBorder, kSide);
  });
  const auto count = static_cast<std::uint32_t>(images);
  if (auto wrote = writeFileAtomically(labelPath, idxBytes({count}, labels)); !wrote) return wrote;
  return writeFileAtomically(imagePath, idxBytes({count, kSide, kSide}, pixels));
}

Result<void> drawMnist(const fs::path& directory, int trainImages, int testImages, std::uint64_t seed) {
  const auto test =
      drawIdxPair(directory / kMnistTestImages, directory / kMnistTestLabels, testImages, Dice(seed * 1000));
  if (!test) return test;
  return drawIdxPair(directory / kMnistTrainImages, directory / kMnistTrainLabels, trainImages,
                     Dice(seed * 1000 + 1));
}

Result<void> drawPictures(const fs::path& folder, int images, const Dice& dice) {
  for (const char* name : kFigureNames) {
    std::error_code error;
    fs::create_directories(folder / name, error);
    if (error)
      return failure(errnoError(fmt::format("cannot create '{}'", (folder / name).string()), error.value()));
  }
  Result<void> outcome;
  int number = 0;
  drawImages(images, dice, [&](int label, std::string_view planes) {
    if (!outcome) return;
    constexpr std::size_t kPlane = kImageSide * kImageSide;
    Picture picture{kImageSide, kImageSide, std::vector<std::uint8_t>(kImageBytes)};
    for (std::size_t i = 0; i < kPlane; ++i) {
      for (std::size_t channel = 0; channel < kImageChannels; ++channel)
        picture.pixels[i * kImageChannels + channel] =
            static_cast<std::uint8_t>(planes[channel * kPlane + i]);
    }
    const auto bytes = encodePng(picture);
    const fs::path path = folder / kFigureNames[label] / fmt::format("{:06}.png", number++);
    outcome = bytes ? writeFileAtomically(path, *bytes) : Result<void>(failure(bytes.error()));
  });
  return outcome;
}

// Sentences whose words depend on each other, so that there is more to learn than which letters are frequent.
std::string drawLines(int lines, Dice dice) {
  constexpr std::array<const char*, 6> kWho{"the rank",   "a node",    "the ring",
                                            "one bucket", "the store", "a step"};
  constexpr std::array<const char*, 6> kDoes{"sums", "waits for", "sends", "keeps", "counts", "finds"};
  constexpr std::array<const char*, 6> kWhat{"gradients", "its peers", "the weights",
                                             "samples",   "a batch",   "time"};
  std::string text;
  for (int line = 0; line < lines; ++line) {
    const auto who = static_cast<std::size_t>(dice.unit() * kWho.size());
    const auto step = static_cast<std::size_t>(dice.unit() * 2);
    const std::size_t does = (who + step) % kDoes.size();
    text += fmt::format("{} {} {}.\n", kWho[who], kDoes[does], kWhat[(does + step) % kWhat.size()]);
  }
  return text;
}

Result<void> drawText(const fs::path& directory, int trainLines, int testLines, std::uint64_t seed) {
  const auto test = writeFileAtomically(directory / "val.txt", drawLines(testLines, Dice(seed * 1000)));
  if (!test) return test;
  return writeFileAtomically(directory / "train.txt", drawLines(trainLines, Dice(seed * 1000 + 1)));
}

Result<void> makeFolder(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error)
    return failure(
        errnoError(fmt::format("cannot create the data folder '{}'", directory.string()), error.value()));
  return {};
}

}  // namespace

Result<void> writeDrawnData(const fs::path& directory, int trainImages, int testImages, std::uint64_t seed) {
  return writeDrawnData(DataKind::Cifar10, directory, trainImages, testImages, seed);
}

Result<void> writeDrawnData(DataKind kind, const fs::path& directory, int trainSamples, int testSamples,
                            std::uint64_t seed) {
  if (auto made = makeFolder(directory); !made) return made;
  switch (kind) {
    case DataKind::Mnist:
      return drawMnist(directory, trainSamples, testSamples, seed);
    case DataKind::Text:
      return drawText(directory, trainSamples, testSamples, seed);
    case DataKind::Images: {
      if (auto drew = drawPictures(directory / "val", testSamples, Dice(seed * 1000)); !drew) return drew;
      return drawPictures(directory / "train", trainSamples, Dice(seed * 1000 + 1));
    }
    case DataKind::Cifar10:
      break;
  }
  return drawCifar10(directory, trainSamples, testSamples, seed);
}

int testShareOf(int trainSamples) {
  return std::max(trainSamples / 5, 1);
}

Result<bool> drawUnlessThere(DataKind kind, const fs::path& directory, int trainSamples, std::uint64_t seed) {
  auto lock = FolderLock::take(directory, ".make-data.lock");
  if (!lock) return failure(lock.error());
  if (kindIn(directory)) return false;
  const int train = std::max(trainSamples, kTrainFileCount);
  if (auto drew = writeDrawnData(kind, directory, train, testShareOf(train), seed); !drew)
    return failure(drew.error());
  return true;
}

}  // namespace lockstep::trainer
