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

struct ZipRecord {
  std::string name, bytes;
  std::uint64_t unpacked = 0;  // of a record that is deflated; 0: it is stored
};

/// A zip archive as torch.save writes one, where nothing is deflated.
inline std::string zipOf(const std::vector<ZipRecord>& records) {
  std::string file, directory;
  for (const auto& [name, bytes, unpacked] : records) {
    const std::string inside = "archive/" + name;
    const std::string common = little(0, 2) + little(unpacked == 0 ? 0 : 8, 2) + little(0, 4) +
                               little(unpacked == 0 ? crc32Of(bytes) : 0, 4) + little(bytes.size(), 4) +
                               little(unpacked == 0 ? bytes.size() : unpacked, 4) + little(inside.size(), 2) +
                               little(0, 2);
    directory += "PK\x01\x02" + little(20, 2) + little(20, 2) + common + little(0, 2) + little(0, 2) +
                 little(0, 2) + little(0, 4) + little(file.size(), 4) + inside;
    file += "PK\x03\x04" + little(20, 2) + common + inside + bytes;
  }
  const std::string counts = little(records.size(), 2) + little(records.size(), 2);
  return file + directory + "PK\x05\x06" + little(0, 4) + counts + little(directory.size(), 4) +
         little(file.size(), 4) + little(0, 2);
}

/// 1 + 258 * `runs` zeros, deflated to a hundredth and less: one zero, then it again and again (RFC 1951
/// §3.2.6).
inline ZipRecord deflatedZeros(const std::string& name, std::uint64_t runs) {
  std::string bytes;
  unsigned bits = 0, count = 0;
  const auto put = [&](unsigned code, int size) {  // the highest bit first
    while (size-- > 0) {
      bits |= (code >> size & 1U) << count;
      if (++count < 8) continue;
      bytes += static_cast<char>(bits);
      bits = count = 0;
    }
  };
  put(0b110, 3);       // the last block, with the codes of the standard
  put(0b00110000, 8);  // the byte 0
  for (std::uint64_t i = 0; i < runs; ++i) put(0b1100010100000, 13);  // 258 bytes like the one before
  put(0, 7 + 8);                                                      // the end, and what fills the last byte
  return {name, bytes, 1 + 258 * runs};
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
