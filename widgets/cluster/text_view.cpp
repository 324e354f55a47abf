// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/text_view.h"

#include <algorithm>
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

}  // namespace

QString toView(std::string_view bytes) {
  QString view;
  view.reserve(static_cast<qsizetype>(bytes.size()));
  while (!bytes.empty()) {
    const Piece piece = nextPiece(bytes);
    if (piece.character > 0xFFFF) {
      view += QChar(QChar::highSurrogate(piece.character));
      view += QChar(QChar::lowSurrogate(piece.character));
    } else {
      view += QChar(static_cast<char16_t>(piece.character));
    }
    bytes.remove_prefix(piece.bytes);
  }
  return view;
}

std::size_t byteOffset(std::string_view bytes, qsizetype index) {
  std::size_t offset = 0;
  while (index > 0 && offset < bytes.size()) {
    const Piece piece = nextPiece(bytes.substr(offset));
    index -= unitsOf(piece.character);
    offset += piece.bytes;
  }
  return offset;
}

TextEdit editTowards(std::string_view bytes, const QString& view) {
  const QString now = toView(bytes);
  const qsizetype limit = std::min(now.size(), view.size());
  qsizetype head = 0;
  while (head < limit && now[head] == view[head]) ++head;
  if (splitsPair(now, head) || splitsPair(view, head)) --head;
  qsizetype tail = 0;
  while (tail < limit - head && now[now.size() - 1 - tail] == view[view.size() - 1 - tail]) ++tail;
  if (splitsPair(now, now.size() - tail) || splitsPair(view, view.size() - tail)) --tail;

  const std::size_t from = byteOffset(bytes, head);
  const std::size_t to = from + byteOffset(bytes.substr(from), now.size() - tail - head);
  return {from, std::string(bytes.substr(from, to - from)),
          toBytes(QStringView(view).mid(head, view.size() - tail - head), lineEndOf(bytes))};
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
