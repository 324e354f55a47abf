// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/tokens/text_splitter.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <optional>

namespace lockstep::trainer {
namespace {

// White space as Unicode and Python have it. PCRE2's own \s counts U+180E in as well.
#define LOCKSTEP_SPACES \
  R"(\t-\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})"
constexpr std::string_view kWords =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^)" LOCKSTEP_SPACES R"(\p{L}\p{N}]+|[)" LOCKSTEP_SPACES
    R"(]+(?![^)" LOCKSTEP_SPACES R"(])|[)" LOCKSTEP_SPACES R"(]+)";
constexpr std::string_view kCut = "[^" LOCKSTEP_SPACES "](?=[" LOCKSTEP_SPACES "])";
#undef LOCKSTEP_SPACES

constexpr std::size_t kCutWindow = 1 << 16;

PCRE2_SPTR unitsOf(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR>(text.data());
}

std::string wordsFor(int error) {
  std::array<PCRE2_UCHAR, 256> text{};
  ::pcre2_get_error_message(error, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

bool isUtf8Error(int code) {
  return code <= PCRE2_ERROR_UTF8_ERR1 && code >= PCRE2_ERROR_UTF8_ERR21;
}

bool continuesSequence(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

}  // namespace

class TextSplitter::Pattern {
 public:
  static Result<std::unique_ptr<Pattern>> compile(std::string_view pattern) {
    int error = 0;
    PCRE2_SIZE at = 0;
    std::unique_ptr<Pattern> made(new Pattern);
    made->code_ =
        ::pcre2_compile(unitsOf(pattern), pattern.size(), PCRE2_UTF | PCRE2_UCP, &error, &at, nullptr);
    if (made->code_ == nullptr)
      return failure(ErrorCode::Internal, "cannot cut texts into words",
                     fmt::format("PCRE2 refuses the pattern at {}: {}", at, wordsFor(error)),
                     "install a PCRE2 that knows Unicode (libpcre2-8-0 of Debian does)");
    // Where the system forbids code made at run time, PCRE2 interprets instead: the same, slower.
    ::pcre2_jit_compile(made->code_, PCRE2_JIT_COMPLETE);
    made->match_ = ::pcre2_match_data_create_from_pattern(made->code_, nullptr);
    if (made->match_ == nullptr) throw std::bad_alloc();
    return made;
  }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  ~Pattern() {
    ::pcre2_match_data_free(match_);
    ::pcre2_code_free(code_);
  }

  // How much of the text is UTF-8, from its beginning.
  [[nodiscard]] std::size_t utf8Prefix(std::string_view text) {
    const int found = ::pcre2_match(code_, unitsOf(text), text.size(), 0, PCRE2_ANCHORED, match_, nullptr);
    return isUtf8Error(found) ? ::pcre2_get_startchar(match_) : text.size();
  }
  // In UTF-8, from `from` on: begin and end, or nullopt.
  [[nodiscard]] Result<std::optional<std::pair<std::size_t, std::size_t>>> find(std::string_view text,
                                                                                std::size_t from) {
    const int found =
        ::pcre2_match(code_, unitsOf(text), text.size(), from, PCRE2_NO_UTF_CHECK, match_, nullptr);
    if (found == PCRE2_ERROR_NOMATCH) return std::nullopt;
    if (found < 0) return failure(ErrorCode::Internal, "cannot cut a text into words", wordsFor(found));
    const PCRE2_SIZE* place = ::pcre2_get_ovector_pointer(match_);
    return std::pair{place[0], place[1]};
  }

 private:
  Pattern() = default;
  pcre2_code* code_ = nullptr;
  pcre2_match_data* match_ = nullptr;
};

TextSplitter::TextSplitter(std::unique_ptr<Pattern> words, std::unique_ptr<Pattern> cut)
    : words_(std::move(words)), cut_(std::move(cut)) {}
TextSplitter::TextSplitter(TextSplitter&&) noexcept = default;
TextSplitter& TextSplitter::operator=(TextSplitter&&) noexcept = default;
TextSplitter::~TextSplitter() = default;

Result<TextSplitter> TextSplitter::make() {
  auto words = Pattern::compile(kWords);
  if (!words) return failure(words.error());
  auto cut = Pattern::compile(kCut);
  if (!cut) return failure(cut.error());
  return TextSplitter(std::move(*words), std::move(*cut));
}

Result<void> TextSplitter::split(std::string_view text, std::vector<std::string_view>& pieces) {
  while (!text.empty()) {
    const std::size_t good = words_->utf8Prefix(text);
    if (good > 0)
      if (auto done = splitUtf8(text.substr(0, good), pieces); !done) return done;
    text.remove_prefix(good);
    std::size_t bad = 0;
    while (bad < text.size() && words_->utf8Prefix(text.substr(bad)) == 0) ++bad;
    if (bad > 0) pieces.push_back(text.substr(0, bad));
    text.remove_prefix(bad);
  }
  return {};
}

Result<void> TextSplitter::splitUtf8(std::string_view text, std::vector<std::string_view>& pieces) {
  for (std::size_t at = 0; at < text.size();) {
    const auto found = words_->find(text, at);
    if (!found) return failure(found.error());
    // Every letter, digit, sign and blank belongs to some piece, so this is where the last one ended.
    const std::size_t end = *found ? (*found)->second : text.size();
    pieces.push_back(text.substr(at, end - at));
    at = end;
  }
  return {};
}

Result<std::size_t> TextSplitter::placeToCut(std::string_view text, std::size_t from) {
  std::size_t at = std::min(from, text.size());
  while (at < text.size()) {
    if (continuesSequence(text[at])) {
      ++at;
      continue;
    }
    const std::string_view window = text.substr(at, kCutWindow);
    const std::size_t good = cut_->utf8Prefix(window);
    const auto found = cut_->find(window.substr(0, good), 0);
    if (!found) return failure(found.error());
    if (*found) return at + (*found)->second;
    at += std::max<std::size_t>(good, 1);
  }
  return text.size();
}

}  // namespace lockstep::trainer
