// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace lockstep::trainer {

/// A picture in memory: red, green and blue bytes, row by row.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
};

/// What Pillow holds for a picture that is made to fill memory.
inline constexpr std::int64_t kMaxPixels = 178'956'970;

/// Reads a JPEG (also grey, CMYK as Adobe writes it) or a PNG (what is transparent is black). `name` is for
/// messages. DataLoss: neither of the two, not whole, or of more pixels than that, which a file of some
/// hundred bytes can claim to have. ResourceExhausted: there is no memory for it.
Result<Picture> decodePicture(std::string_view bytes, const std::string& name,
                              std::int64_t maxPixels = kMaxPixels);

/// Whether the file's name says that it is one of the two.
[[nodiscard]] bool isPictureName(const std::filesystem::path& path);

[[nodiscard]] Result<std::string> encodePng(const Picture& picture);

/// A rectangle of a picture.
struct Crop {
  double left = 0, top = 0, width = 0, height = 0;
};

/// That part of the picture in another size, by a triangle filter that is as wide as the scale asks for: what
/// Pillow's BILINEAR does.
[[nodiscard]] Picture resized(const Picture& picture, const Crop& crop, int width, int height);

}  // namespace lockstep::trainer
