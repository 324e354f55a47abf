// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <elf.h>

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace lockstep {

/// What the linker left in a finished 64-bit program, as `readelf -lWd --dyn-syms` shows it.
struct ElfProgram {
  std::string trouble;  // why it could not be read; empty: it was
  bool positionIndependent = false, bindsNow = false;
  bool relocationsReadOnly = false, executableStack = true;
  std::set<std::string> symbols;  // of its dynamic symbol table, without versions

  static ElfProgram read(const std::filesystem::path& path);
};

namespace elf {

template <class Entry>
std::span<const Entry> table(std::string_view bytes, std::size_t offset, std::size_t count) {
  if (offset > bytes.size() || count > (bytes.size() - offset) / sizeof(Entry)) return {};
  return {reinterpret_cast<const Entry*>(bytes.data() + offset), count};
}

inline void readSegments(std::string_view bytes, const Elf64_Ehdr& head, ElfProgram& program) {
  for (const auto& segment : table<Elf64_Phdr>(bytes, head.e_phoff, head.e_phnum)) {
    if (segment.p_type == PT_GNU_RELRO) program.relocationsReadOnly = true;
    if (segment.p_type == PT_GNU_STACK) program.executableStack = (segment.p_flags & PF_X) != 0;
  }
}

inline void readDynamic(std::span<const Elf64_Dyn> entries, ElfProgram& program) {
  for (const auto& entry : entries) {
    const auto value = entry.d_un.d_val;
    if (entry.d_tag == DT_BIND_NOW) program.bindsNow = true;
    if (entry.d_tag == DT_FLAGS && (value & DF_BIND_NOW) != 0) program.bindsNow = true;
    if (entry.d_tag == DT_FLAGS_1 && (value & DF_1_NOW) != 0) program.bindsNow = true;
    if (entry.d_tag == DT_FLAGS_1 && (value & DF_1_PIE) != 0) program.positionIndependent = true;
  }
}

inline void readSections(std::string_view bytes, const Elf64_Ehdr& head, ElfProgram& program) {
  const auto sections = table<Elf64_Shdr>(bytes, head.e_shoff, head.e_shnum);
  for (const auto& section : sections) {
    if (section.sh_type == SHT_DYNAMIC)
      readDynamic(table<Elf64_Dyn>(bytes, section.sh_offset, section.sh_size / sizeof(Elf64_Dyn)), program);
    if (section.sh_type != SHT_DYNSYM || section.sh_link >= sections.size()) continue;
    const Elf64_Shdr& names = sections[section.sh_link];
    for (const auto& symbol : table<Elf64_Sym>(bytes, section.sh_offset, section.sh_size / sizeof(Elf64_Sym)))
      if (symbol.st_name < names.sh_size && names.sh_offset + names.sh_size <= bytes.size())
        program.symbols.insert(bytes.data() + names.sh_offset + symbol.st_name);
  }
}

}  // namespace elf

inline ElfProgram ElfProgram::read(const std::filesystem::path& path) {
  ElfProgram program;
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto head = elf::table<Elf64_Ehdr>(bytes, 0, 1);
  if (head.empty() || std::memcmp(head[0].e_ident, ELFMAG, SELFMAG) != 0 ||
      head[0].e_ident[EI_CLASS] != ELFCLASS64) {
    program.trouble = path.string() + " is not there, or is no 64-bit program";
    return program;
  }
  elf::readSegments(bytes, head[0], program);
  elf::readSections(bytes, head[0], program);
  program.positionIndependent = program.positionIndependent && head[0].e_type == ET_DYN;
  return program;
}

}  // namespace lockstep
