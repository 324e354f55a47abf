// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "trainer/data/mnist.h"

namespace lockstep {

std::string tryIdx(std::string_view input) {
  Parts parts(input);
  const std::string labels(parts.counted()), images(parts.rest());
  const auto set = trainer::idxImagesFrom({"images", images}, {"labels", labels});
  if (!set) return wordless(set.error(), ErrorCode::DataLoss);
  if (set->height <= 0 || set->width <= 0) return "images without a size";
  const std::size_t count = set->images.labels.size();
  const std::size_t each = static_cast<std::size_t>(set->height) * static_cast<std::size_t>(set->width);
  if (count == 0 || set->images.pixels.size() != count * each) return "images without all of their pixels";
  for (const auto label : set->images.labels)
    if (label > 9) return "a label above 9";
  return {};
}

}  // namespace lockstep
