// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/yaml/python_number.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace lockstep {
namespace {

constexpr std::uint64_t kLimb = 1'000'000'000;
constexpr std::size_t kMaxDecimalDigits = 4300;  // sys.int_info.default_max_str_digits
constexpr std::size_t kMaxLimbs = kMaxDecimalDigits / 9 + 1;

/// A natural number in limbs of nine decimal digits, lowest first. Grows only until it is longer than Python
/// prints.
class Natural {
 public:
  bool multiplyAdd(unsigned factor, unsigned summand) {
    std::uint64_t carry = summand;
    for (std::uint64_t& limb : limbs_) {
      const std::uint64_t value = limb * factor + carry;
      limb = value % kLimb;
      carry = value / kLimb;
    }
    if (carry > 0) limbs_.push_back(carry);
    return limbs_.size() <= kMaxLimbs;
  }
  [[nodiscard]] std::optional<std::string> text() const {
    if (limbs_.empty()) return "0";
    std::string out = std::to_string(limbs_.back());
    for (std::size_t i = limbs_.size() - 1; i > 0; --i) out += fmt::format("{:09}", limbs_[i - 1]);
    if (out.size() > kMaxDecimalDigits) return std::nullopt;
    return out;
  }

 private:
  std::vector<std::uint64_t> limbs_;
};

unsigned digitValue(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return 99;
}

bool append(Natural& number, std::string_view digits, unsigned base) {
  for (const char c : digits) {
    const unsigned value = digitValue(c);
    if (value >= base || !number.multiplyAdd(base, value)) return false;
  }
  return !digits.empty();
}

/// Which of 0 and infinity a text beyond the range of double means.
double beyondRange(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_of("123456789");
  long long exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view digits = text.substr(e + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (error == std::errc::result_out_of_range)
      exponent = digits.starts_with('-') ? -1'000'000'000'000 : 1'000'000'000'000;
  }
  const long long magnitude = static_cast<long long>(point) - static_cast<long long>(first) + exponent;
  return magnitude > 0 ? std::numeric_limits<double>::infinity() : 0.0;
}

}  // namespace

std::optional<std::string> decimalDigits(std::string_view digits, unsigned base) {
  const std::size_t first = digits.find_first_not_of('0');
  if (digits.empty()) return std::nullopt;
  if (first == std::string_view::npos) return "0";
  Natural number;
  if (!append(number, digits.substr(first), base)) return std::nullopt;
  return number.text();
}

std::optional<std::string> decimalOfSexagesimal(std::string_view parts) {
  std::size_t end = parts.find(':');
  Natural number;
  if (!append(number, parts.substr(0, end), 10)) return std::nullopt;
  while (end != std::string_view::npos) {
    const std::size_t begin = end + 1;
    end = parts.find(':', begin);
    const std::string_view part = parts.substr(begin, end == std::string_view::npos ? end : end - begin);
    unsigned value = 0;
    for (const char c : part) value = value * 10 + digitValue(c);
    if (part.empty() || part.size() > 2 || value > 99 || !number.multiplyAdd(60, value)) return std::nullopt;
  }
  return number.text();
}

double floatOf(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) return beyondRange(text);
  return value;
}

std::string floatRepr(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 64> buffer{};
  const auto done = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(value),
                                  std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(done.ptr - buffer.data()));
  const std::size_t e = text.find('e');
  std::string digits(text.substr(0, 1));
  if (e > 2) digits += text.substr(2, e - 2);
  const int exponent = std::stoi(std::string(text.substr(e + 1)));
  const int length = static_cast<int>(digits.size());
  const std::string sign = std::signbit(value) ? "-" : "";
  if (exponent < -4 || exponent >= 16) {
    const std::string fraction = length > 1 ? "." + digits.substr(1) : "";
    return fmt::format("{}{}{}e{}{:02}", sign, digits[0], fraction, exponent < 0 ? '-' : '+',
                       std::abs(exponent));
  }
  if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0') + ".0";
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

}  // namespace lockstep
