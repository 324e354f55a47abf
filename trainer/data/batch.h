// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::trainer {

/// What one sample of a data set is, as a network sees it.
struct SampleShape {
  enum class Kind { Image, Tokens };
  Kind kind = Kind::Image;
  int channels = 3, height = 32, width = 32;  // Image
  int length = 0;                             // Tokens: so many in a row
  int classes = 10;                           // Image: of labels; Tokens: size of the vocabulary

  [[nodiscard]] bool isImage() const { return kind == Kind::Image; }
  /// Pixels values or tokens of one sample.
  [[nodiscard]] std::size_t inputsPerSample() const {
    return isImage() ? static_cast<std::size_t>(channels) * static_cast<std::size_t>(height) *
                           static_cast<std::size_t>(width)
                     : static_cast<std::size_t>(length);
  }
  /// Classes to guess in one sample: one of an image, one after each token.
  [[nodiscard]] std::size_t targetsPerSample() const {
    return isImage() ? 1 : static_cast<std::size_t>(length);
  }
  bool operator==(const SampleShape&) const = default;
};

/// Samples side by side. Images lie channel-last (row, column, colour), the layout that the fast kernels
/// want.
struct Batch {
  int samples = 0;
  std::vector<float> pixels;         // images
  std::vector<std::int64_t> tokens;  // text
  std::vector<std::int64_t> targets;

  void resize(const SampleShape& shape, std::size_t count) {
    samples = static_cast<int>(count);
    (shape.isImage() ? pixels.resize(count * shape.inputsPerSample())
                     : tokens.resize(count * shape.inputsPerSample()));
    targets.resize(count * shape.targetsPerSample());
  }
};

}  // namespace lockstep::trainer
