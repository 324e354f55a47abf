// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/document/text_view.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

namespace lockstep {
namespace {

struct Piece {
  std::size_t bytes = 1;
  char32_t character = 0xFFFD;
};

bool isContinuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// A well-formed UTF-8 sequence at the beginning of `bytes`; a malformed one is one byte long.
Piece decodeUtf8(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes[0]);
  if (lead < 0x80) return {1, lead};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || bytes.size() < length) return {};
  char32_t value = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (!isContinuation(bytes[i])) return {};
    value = (value << 6) | (static_cast<unsigned char>(bytes[i]) & 0x3FU);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  if (overlong || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return {};
  return {length, value};
}

/// What the widget shows for the bytes at the beginning of `bytes`.
Piece nextPiece(std::string_view bytes) {
  if (bytes[0] == '\r') return {bytes.size() > 1 && bytes[1] == '\n' ? 2U : 1U, U'\n'};
  Piece piece = decodeUtf8(bytes);
  if (piece.character == 0x2029) piece.character = U'\n';                                // Qt's own line end
  if (piece.character == 0xFDD0 || piece.character == 0xFDD1) piece.character = 0xFFFD;  // Qt's frame marks
  if (piece.character == 0) piece.character = 0xFFFD;
  return piece;
}

qsizetype unitsOf(char32_t character) {
  return character > 0xFFFF ? 2 : 1;
}

std::string lineEndOf(std::string_view bytes) {
  const auto at = bytes.find('\n');
  return at != std::string_view::npos && at > 0 && bytes[at - 1] == '\r' ? "\r\n" : "\n";
}

/// The length of the run of ASCII at the beginning in which every byte is one unit; looks at eight at a time.
std::size_t plainRun(std::string_view bytes, std::size_t max) {
  constexpr std::uint64_t kHigh = 0x8080808080808080U;
  constexpr std::uint64_t kLow = 0x0101010101010101U;
  max = std::min(max, bytes.size());
  std::size_t at = 0;
  while (at + 8 <= max) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    const std::uint64_t returns = word ^ (kLow * std::uint64_t{'\r'});
    const bool hasReturn = ((returns - kLow) & ~returns & kHigh) != 0;
    const bool hasNul = ((word - kLow) & ~word & kHigh) != 0;
    if ((word & kHigh) != 0 || hasReturn || hasNul) break;
    at += 8;
  }
  while (at < max && static_cast<unsigned char>(bytes[at]) < 0x80 && bytes[at] != '\r' && bytes[at] != '\0')
    ++at;
  return at;
}

/// Equal units at the beginning of both.
qsizetype commonHead(QStringView a, QStringView b) {
  constexpr qsizetype kChunk = 256;
  const qsizetype max = std::min(a.size(), b.size());
  qsizetype at = 0;
  while (at + kChunk <= max && std::memcmp(a.utf16() + at, b.utf16() + at, kChunk * sizeof(char16_t)) == 0)
    at += kChunk;
  while (at < max && a[at] == b[at]) ++at;
  return at;
}

qsizetype commonTail(QStringView a, QStringView b) {
  constexpr qsizetype kChunk = 256;
  const qsizetype max = std::min(a.size(), b.size());
  const char16_t* aEnd = a.utf16() + a.size();
  const char16_t* bEnd = b.utf16() + b.size();
  qsizetype count = 0;
  while (count + kChunk <= max &&
         std::memcmp(aEnd - count - kChunk, bEnd - count - kChunk, kChunk * sizeof(char16_t)) == 0)
    count += kChunk;
  while (count < max && aEnd[-count - 1] == bEnd[-count - 1]) ++count;
  return count;
}

/// A lone "\r" and a "\n" that come to stand side by side would become one line end: keeps them two.
std::string keptApart(std::string_view bytes, std::size_t from, std::size_t to, std::string inserted) {
  const bool afterReturn = from > 0 && bytes[from - 1] == '\r';
  const bool beforeFeed = inserted.empty() ? to < bytes.size() && bytes[to] == '\n' : inserted[0] == '\n';
  const bool wasOne = inserted.empty() && from == to;
  if (afterReturn && beforeFeed && !wasOne) inserted.insert(inserted.begin(), '\n');
  return inserted;
}

std::string toBytes(QStringView view, const std::string& lineEnd) {
  std::string bytes = view.toUtf8().toStdString();
  if (lineEnd == "\n") return bytes;
  std::string out;
  for (const char c : bytes) c == '\n' ? out += lineEnd : out += c;
  return out;
}

bool splitsPair(QStringView text, qsizetype index) {
  return index > 0 && index < text.size() && text[index].isLowSurrogate() &&
         text[index - 1].isHighSurrogate();
}

/// toView(bytes).size()
qsizetype unitCount(std::string_view bytes) {
  qsizetype units = 0;
  while (!bytes.empty()) {
    const std::size_t run = plainRun(bytes, bytes.size());
    units += static_cast<qsizetype>(run);
    bytes.remove_prefix(run);
    if (bytes.empty()) break;
    const Piece piece = nextPiece(bytes);
    units += unitsOf(piece.character);
    bytes.remove_prefix(piece.bytes);
  }
  return units;
}

}  // namespace

QString toView(std::string_view bytes) {
  QString view(static_cast<qsizetype>(bytes.size()), Qt::Uninitialized);  // no byte makes two units
  QChar* out = view.data();
  while (!bytes.empty()) {
    const std::size_t run = plainRun(bytes, bytes.size());
    for (std::size_t i = 0; i < run; ++i) *out++ = QLatin1Char(bytes[i]);
    bytes.remove_prefix(run);
    if (bytes.empty()) break;
    const Piece piece = nextPiece(bytes);
    if (piece.character > 0xFFFF) {
      *out++ = QChar(QChar::highSurrogate(piece.character));
      *out++ = QChar(QChar::lowSurrogate(piece.character));
    } else {
      *out++ = QChar(static_cast<char16_t>(piece.character));
    }
    bytes.remove_prefix(piece.bytes);
  }
  view.truncate(out - view.constData());
  return view;
}

std::size_t byteOffset(std::string_view bytes, qsizetype index) {
  std::size_t offset = 0;
  while (index > 0 && offset < bytes.size()) {
    const std::size_t run = plainRun(bytes.substr(offset), static_cast<std::size_t>(index));
    offset += run;
    index -= static_cast<qsizetype>(run);
    if (index <= 0 || offset >= bytes.size()) break;
    const Piece piece = nextPiece(bytes.substr(offset));
    index -= unitsOf(piece.character);
    offset += piece.bytes;
  }
  return offset;
}

ViewEdit viewDifference(QStringView from, QStringView to) {
  qsizetype head = commonHead(from, to);
  if (splitsPair(from, head) || splitsPair(to, head)) --head;
  qsizetype tail = commonTail(from.mid(head), to.mid(head));
  if (splitsPair(from, from.size() - tail) || splitsPair(to, to.size() - tail)) --tail;
  return {head, from.size() - tail - head, to.mid(head, to.size() - tail - head).toString()};
}

ViewEdit viewEditOf(std::string_view bytes, const TextEdit& edit) {
  // Whole lines: what one of them shows does not depend on its neighbours.
  const std::size_t begin = edit.offset == 0 ? 0 : bytes.rfind('\n', edit.offset - 1) + 1;
  const std::size_t editEnd = edit.offset + edit.removed.size();
  const std::size_t end = std::min(bytes.find('\n', editEnd), bytes.size() - 1) + 1;
  const std::string_view old = bytes.substr(begin, end - begin);
  const std::string now = applyEdit(std::string(old), {edit.offset - begin, edit.removed, edit.inserted});
  ViewEdit change = viewDifference(toView(old), toView(now));
  change.position += unitCount(bytes.substr(0, begin));
  return change;
}

TextEdit editTowards(std::string_view bytes, const QString& view) {
  return editTowards(bytes, toView(bytes), view);
}

TextEdit editTowards(std::string_view bytes, const QString& now, const QString& view) {
  const ViewEdit change = viewDifference(now, view);
  const std::size_t from = byteOffset(bytes, change.position);
  const std::size_t to = from + byteOffset(bytes.substr(from), change.removed);
  return {from, std::string(bytes.substr(from, to - from)),
          keptApart(bytes, from, to, toBytes(change.inserted, lineEndOf(bytes)))};
}

TextEdit difference(std::string_view from, std::string_view to) {
  const auto head = static_cast<std::size_t>(
      std::mismatch(from.begin(), from.end(), to.begin(), to.end()).first - from.begin());
  from.remove_prefix(head);
  to.remove_prefix(head);
  const auto tail = static_cast<std::size_t>(
      std::mismatch(from.rbegin(), from.rend(), to.rbegin(), to.rend()).first - from.rbegin());
  from.remove_suffix(tail);
  to.remove_suffix(tail);
  return {head, std::string(from), std::string(to)};
}

std::optional<TextEdit> composed(const TextEdit& first, const TextEdit& second) {
  const std::size_t firstEnd = first.offset + first.inserted.size();
  const std::size_t secondEnd = second.offset + second.removed.size();
  if (secondEnd < first.offset || second.offset > firstEnd) return std::nullopt;
  const std::size_t before = first.offset > second.offset ? first.offset - second.offset : 0;
  const std::size_t after = secondEnd > firstEnd ? secondEnd - firstEnd : 0;
  const std::size_t kept = second.offset > first.offset ? second.offset - first.offset : 0;
  TextEdit both;
  both.offset = std::min(first.offset, second.offset);
  both.removed =
      second.removed.substr(0, before) + first.removed + second.removed.substr(second.removed.size() - after);
  both.inserted = first.inserted.substr(0, kept) + second.inserted;
  if (firstEnd > secondEnd) both.inserted += first.inserted.substr(secondEnd - first.offset);
  return both;
}

TextEdit composedAcross(const TextEdit& first, TextEdit second, std::string_view after) {
  const std::size_t firstEnd = first.offset + first.inserted.size();
  const std::size_t secondEnd = second.offset + second.removed.size();
  if (second.offset > firstEnd) {
    const std::string gap(after.substr(firstEnd, second.offset - firstEnd));
    second = {firstEnd, gap + second.removed, gap + second.inserted};
  } else if (secondEnd < first.offset) {
    const std::string gap(after.substr(second.offset + second.inserted.size(), first.offset - secondEnd));
    second.removed += gap;
    second.inserted += gap;
  }
  return *composed(first, second);
}

}  // namespace lockstep
