// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/picture.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdio>  // jpeglib.h needs it and does not include it
#include <new>

#include <jpeglib.h>

namespace lockstep::trainer {
namespace {

constexpr std::size_t kColors = 3;
constexpr std::uint32_t kLongestSide = 65'500;  // JPEG's own limit

tl::unexpected<Error> unreadable(const std::string& name, const std::string& cause) {
  return failure(ErrorCode::DataLoss, fmt::format("the picture '{}' cannot be read", name), cause,
                 "replace it or take it out of the data set");
}

std::string tooLarge(std::int64_t width, std::int64_t height, std::int64_t maxPixels) {
  return fmt::format("it has {} x {} pixels, and more than {} are not read (--max-image-pixels)", width,
                     height, maxPixels);
}

struct JpegErrors {
  jpeg_error_mgr manager;  // first, so that the library's pointer is ours
  std::jmp_buf back;
  char text[JMSG_LENGTH_MAX];
};

[[noreturn]] void leaveJpeg(j_common_ptr info) {
  auto* errors = reinterpret_cast<JpegErrors*>(info->err);
  errors->manager.format_message(info, errors->text);
  std::longjmp(errors->back, 1);
}

void countWarning(j_common_ptr info, int level) {
  if (level < 0) ++info->err->num_warnings;  // nothing is printed
}

// Every block of 8 x 8 pixels costs a Huffman coded file at least one bit (ITU-T T.81, F.1.2.1), so that a file of few bytes
// which says that it is large is not whole; that is seen before memory is taken for what it says. Arithmetic coding may
// spend less on a block.
bool mayHoldItsPixels(const jpeg_decompress_struct& info, std::size_t bytes) {
  const std::size_t blocks = ((info.image_width + 7UL) / 8) * ((info.image_height + 7UL) / 8);
  return info.arith_code || blocks / 8 <= bytes;
}

enum class JpegEnd { Read, Failed, TooLarge, NotWhole };

// Between setjmp and its return nothing with a destructor may be made: pixels belong to the caller.
JpegEnd readJpeg(std::string_view bytes, std::int64_t maxPixels, Picture& picture, JpegErrors& errors,
                 jpeg_decompress_struct& info) {
  info.err = ::jpeg_std_error(&errors.manager);
  errors.manager.error_exit = leaveJpeg;
  errors.manager.emit_message = countWarning;
  if (setjmp(errors.back) != 0) return JpegEnd::Failed;
  jpeg_create_decompress(&info);
  ::jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  ::jpeg_read_header(&info, TRUE);
  // Before anything is allocated by these numbers.
  if (static_cast<std::int64_t>(info.image_width) * info.image_height > maxPixels) return JpegEnd::TooLarge;
  if (!mayHoldItsPixels(info, bytes.size())) return JpegEnd::NotWhole;
  const bool isCmyk = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
  info.out_color_space = isCmyk ? JCS_CMYK : JCS_RGB;
  ::jpeg_start_decompress(&info);
  picture.width = static_cast<int>(info.output_width);
  picture.height = static_cast<int>(info.output_height);
  const std::size_t row = static_cast<std::size_t>(info.output_width) * (isCmyk ? 4 : kColors);
  picture.pixels.resize(row * info.output_height);
  while (info.output_scanline < info.output_height) {
    JSAMPROW to = picture.pixels.data() + row * info.output_scanline;
    ::jpeg_read_scanlines(&info, &to, 1);
  }
  ::jpeg_finish_decompress(&info);
  return JpegEnd::Read;
}

// Adobe's programs write CMYK upside down, and nobody else writes it.
void cmykToRgb(Picture& picture) {
  const std::size_t count = picture.pixels.size() / 4;
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned black = picture.pixels[4 * i + 3];
    for (std::size_t color = 0; color < kColors; ++color)
      picture.pixels[kColors * i + color] =
          static_cast<std::uint8_t>(picture.pixels[4 * i + color] * black / 255U);
  }
  picture.pixels.resize(count * kColors);
}

// Also where pixels find no memory, which is an exception.
struct JpegDecoder {
  jpeg_decompress_struct info{};
  JpegDecoder() = default;
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;
  ~JpegDecoder() { ::jpeg_destroy_decompress(&info); }
};

Result<Picture> decodeJpeg(std::string_view bytes, const std::string& name, std::int64_t maxPixels) {
  Picture picture;
  JpegErrors errors{};
  JpegDecoder decoder;
  const JpegEnd end = readJpeg(bytes, maxPixels, picture, errors, decoder.info);
  const bool isCmyk = decoder.info.out_color_space == JCS_CMYK;
  if (end == JpegEnd::TooLarge)
    return unreadable(name, tooLarge(decoder.info.image_width, decoder.info.image_height, maxPixels));
  if (end == JpegEnd::Failed) return unreadable(name, errors.text);
  if (end == JpegEnd::NotWhole || errors.manager.num_warnings > 0)
    return unreadable(name, "it is damaged or not whole");
  if (isCmyk) cmykToRgb(picture);
  return picture;
}

Result<Picture> decodePng(std::string_view bytes, const std::string& name, std::int64_t maxPixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (::png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0)
    return unreadable(name, image.message);
  const struct Freed {
    png_image* image;
    ~Freed() { ::png_image_free(image); }
  } freed{&image};
  if (image.width > kLongestSide || image.height > kLongestSide ||
      static_cast<std::int64_t>(image.width) * image.height > maxPixels)
    return unreadable(name, tooLarge(image.width, image.height, maxPixels));
  image.format = PNG_FORMAT_RGB;
  Picture picture;
  picture.width = static_cast<int>(image.width);
  picture.height = static_cast<int>(image.height);
  picture.pixels.resize(PNG_IMAGE_SIZE(image));
  const png_color black{0, 0, 0};
  if (::png_image_finish_read(&image, &black, picture.pixels.data(), 0, nullptr) == 0)
    return unreadable(name, image.message);
  return picture;
}

// What each pixel of the new row takes of the old one.
struct Weights {
  int first = 0;
  std::vector<float> parts;
};

std::vector<Weights> weightsFor(double from, double length, int oldSize, int newSize) {
  const double scale = length / newSize;
  const double reach = std::max(scale, 1.0);
  std::vector<Weights> all(static_cast<std::size_t>(newSize));
  for (int i = 0; i < newSize; ++i) {
    Weights& weights = all[static_cast<std::size_t>(i)];
    const double center = from + (i + 0.5) * scale;
    const int last = std::min(oldSize, static_cast<int>(std::lround(center + reach)));
    weights.first = std::clamp(static_cast<int>(std::lround(center - reach)), 0, oldSize - 1);
    double sum = 0;
    for (int x = weights.first; x < std::max(last, weights.first + 1); ++x) {
      const double part = std::max(1 - std::abs((x + 0.5 - center) / reach), 0.0);
      weights.parts.push_back(static_cast<float>(part));
      sum += part;
    }
    if (sum == 0) weights.parts.assign(1, 1.0F);
    for (float& part : weights.parts) part = sum > 0 ? part / static_cast<float>(sum) : part;
  }
  return all;
}

}  // namespace

bool isPictureName(const std::filesystem::path& path) {
  std::string end = path.extension().string();
  std::ranges::transform(end, end.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return end == ".jpg" || end == ".jpeg" || end == ".png";
}

Result<Picture> decodePicture(std::string_view bytes, const std::string& name, std::int64_t maxPixels) {
  try {
    if (bytes.starts_with("\xFF\xD8")) return decodeJpeg(bytes, name, maxPixels);
    if (bytes.starts_with("\x89PNG")) return decodePng(bytes, name, maxPixels);
    return unreadable(name, "it is neither a JPEG nor a PNG file");
  } catch (const std::bad_alloc&) {
    return failure(ErrorCode::ResourceExhausted, fmt::format("the picture '{}' cannot be read", name),
                   "out of memory",
                   "use fewer --workers, or take pictures as large as this out of the data set");
  }
}

Result<std::string> encodePng(const Picture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  if (::png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.pixels.data(), 0, nullptr) == 0)
    return failure(ErrorCode::Internal, "cannot make a PNG", image.message);
  bytes.resize(size);
  return bytes;
}

Picture resized(const Picture& picture, const Crop& crop, int width, int height) {
  const auto across = weightsFor(crop.left, crop.width, picture.width, width);
  const auto down = weightsFor(crop.top, crop.height, picture.height, height);
  const int firstRow = down.front().first;
  const int rows = down.back().first + static_cast<int>(down.back().parts.size()) - firstRow;
  const std::size_t row = static_cast<std::size_t>(width) * kColors;
  std::vector<float> narrowed(row * static_cast<std::size_t>(rows));
  for (int y = 0; y < rows; ++y) {
    const std::uint8_t* from = picture.pixels.data() + static_cast<std::size_t>(firstRow + y) *
                                                           static_cast<std::size_t>(picture.width) * kColors;
    float* to = narrowed.data() + static_cast<std::size_t>(y) * row;
    for (const Weights& weights : across) {
      const std::uint8_t* pixel = from + static_cast<std::size_t>(weights.first) * kColors;
      float sums[kColors] = {};
      for (const float part : weights.parts)
        for (float& sum : sums) sum += part * static_cast<float>(*pixel++);
      for (const float sum : sums) *to++ = sum;
    }
  }
  Picture result{width, height, std::vector<std::uint8_t>(row * static_cast<std::size_t>(height))};
  std::vector<float> sums(row);
  for (int y = 0; y < height; ++y) {
    const Weights& weights = down[static_cast<std::size_t>(y)];
    std::ranges::fill(sums, 0.5F);  // rounds
    for (std::size_t i = 0; i < weights.parts.size(); ++i) {
      const float* from = narrowed.data() + (static_cast<std::size_t>(weights.first - firstRow) + i) * row;
      for (std::size_t x = 0; x < row; ++x) sums[x] += weights.parts[i] * from[x];
    }
    std::uint8_t* to = result.pixels.data() + static_cast<std::size_t>(y) * row;
    for (std::size_t x = 0; x < row; ++x)
      to[x] = static_cast<std::uint8_t>(std::clamp(sums[x], 0.0F, 255.0F));
  }
  return result;
}

}  // namespace lockstep::trainer
