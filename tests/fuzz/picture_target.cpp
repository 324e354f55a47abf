// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "trainer/data/picture.h"

namespace lockstep {
namespace {

using namespace trainer;

constexpr int kSide = 9;
// A picture of few bytes may be large: memory for 100 MiB of pixels beside that of four other fuzzers shows nothing that 12
// MiB do not, and the fuzzer need not draw even these.
constexpr std::int64_t kMaxDecoded = 1 << 22;
constexpr std::size_t kMaxResized = 1 << 20;

bool isWhole(const Picture& picture) {
  return picture.width > 0 && picture.height > 0 &&
         picture.pixels.size() ==
             3 * static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height);
}

}  // namespace

std::string tryPicture(std::string_view input) {
  const auto picture = decodePicture(input, "a.jpg", kMaxDecoded);
  if (!picture) return wordless(picture.error(), ErrorCode::DataLoss);
  if (!isWhole(*picture)) return "a picture without all of its pixels";
  if (picture->pixels.size() > kMaxResized) return {};
  const Crop crop{0, 0, static_cast<double>(picture->width), static_cast<double>(picture->height)};
  return isWhole(resized(*picture, crop, kSide, kSide)) ? "" : "resized, it is not whole";
}

}  // namespace lockstep
