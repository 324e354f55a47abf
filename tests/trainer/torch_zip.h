// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::trainer {

/// A number as bytes, the lowest first.
inline std::string little(std::uint64_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i) & 0xFFU);
  return text;
}

inline std::uint32_t crc32Of(const std::string& bytes) {
  std::uint32_t sum = 0xFFFFFFFFU;
  for (const char byte : bytes) {
    sum ^= static_cast<unsigned char>(byte);
    for (int i = 0; i < 8; ++i) sum = sum >> 1U ^ (0xEDB88320U & (0U - (sum & 1U)));
  }
  return ~sum;
}

/// A zip archive as torch.save writes one: nothing is compressed.
inline std::string zipOf(const std::vector<std::pair<std::string, std::string>>& records) {
  std::string file, directory;
  for (const auto& [name, bytes] : records) {
    const std::string inside = "archive/" + name;
    const std::string common = little(0, 2) + little(0, 2) + little(0, 4) + little(crc32Of(bytes), 4) +
                               little(bytes.size(), 4) + little(bytes.size(), 4) + little(inside.size(), 2) +
                               little(0, 2);
    directory += "PK\x01\x02" + little(20, 2) + little(20, 2) + common + little(0, 2) + little(0, 2) +
                 little(0, 2) + little(0, 4) + little(file.size(), 4) + inside;
    file += "PK\x03\x04" + little(20, 2) + common + inside + bytes;
  }
  const std::string counts = little(records.size(), 2) + little(records.size(), 2);
  return file + directory + "PK\x05\x06" + little(0, 4) + counts + little(directory.size(), 4) +
         little(file.size(), 4) + little(0, 2);
}

/// A file of torch.save with that pickle program and one record of storage.
inline std::string torchFile(const std::string& program, const std::string& storage) {
  return zipOf({{"data.pkl", program}, {"data/0", storage}, {"version", "3\n"}});
}

// Instructions of pickle.
inline std::string pickledText(const std::string& text) {
  return "X" + little(text.size(), 4) + text;
}
inline std::string pickledNumber(std::int64_t number) {
  return std::string("\x8a\x08") + little(static_cast<std::uint64_t>(number), 8);
}
inline std::string pickledTuple(const std::vector<std::int64_t>& numbers) {
  std::string text = "(";
  for (const std::int64_t number : numbers) text += pickledNumber(number);
  return text + "t";
}
/// torch._utils._rebuild_tensor_v2(storage '0', …)
inline std::string pickledTensor(const std::string& type, std::int64_t offset,
                                 const std::vector<std::int64_t>& sizes,
                                 const std::vector<std::int64_t>& strides) {
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + pickledText("storage") + "ctorch\n" + type + "\n" +
         pickledText("0") + pickledText("cpu") + pickledNumber(16) + "tQ" + pickledNumber(offset) +
         pickledTuple(sizes) + pickledTuple(strides) + "\x89tR";
}
/// {'w': that}
inline std::string pickledDict(const std::string& value) {
  return "\x80\x02}" + pickledText("w") + value + "s.";
}

}  // namespace lockstep::trainer
