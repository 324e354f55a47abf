// SPDX-License-Identifier: GPL-3.0-or-later
// Comments, data and documents name numbered sections, pages, headings and files. This reads all of them and
// demands that what they name is in the repository.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {
namespace fs = std::filesystem;

const fs::path kRoot = LOCKSTEP_SOURCE_DIR;
constexpr const char* kThis = "tests/architecture/references_test.cpp";  // names what is not there
constexpr const char* kContracts = "docs/contracts/";  // these also name files of other repositories
constexpr const char* kFolders[] = {".ci",       "app",   "cmake",   "core",         "docs",   "packaging",
                                    "resources", "tests", "trainer", "translations", "widgets"};

/// Something that a text names, and where.
struct Mention {
  std::string what;     // "ads-contract", "docs/setup.md"
  std::string section;  // "4.3", "a-heading"; empty: none
  int line = 0;
};

bool isDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool isWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

int lineAt(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

// A comment goes on in the next line behind its mark.
std::size_t skipBreak(std::string_view text, std::size_t at) {
  at = std::min(text.find_first_not_of(' ', at), text.size());
  if (at >= text.size() || text[at] != '\n') return at;
  return std::min(text.find_first_not_of(" \t/*#", at + 1), text.size());
}

/// "4", "4.3" or "4.3.1", and `at` moves behind it; empty, and `at` stays: there is none.
std::string parseNumber(std::string_view text, std::size_t& at) {
  std::size_t end = at;
  do {
    if (end != at) ++end;  // the point
    while (end < text.size() && isDigit(text[end])) ++end;
  } while (end > at && end + 1 < text.size() && text[end] == '.' && isDigit(text[end + 1]));
  if (end == at || (end < text.size() && isWordPart(text[end]) && text[end] != '-')) return {};
  const std::size_t begin = std::exchange(at, end);
  return std::string(text.substr(begin, end - begin));
}

/// What goes on with another section of the same document: "4.1, 4.3", "4.3 and 4.4", "4.1 to 4.6",
/// "2.2-2.5".
std::size_t behindConjunction(std::string_view text, std::size_t at) {
  for (const std::string_view word : {",", " and", " to", "-"})
    if (text.substr(at).starts_with(word)) return skipBreak(text, at + word.size());
  return at;
}

std::vector<Mention> sectionsNamed(std::string_view text, const std::string& document) {
  std::vector<Mention> found;
  for (std::size_t at = text.find(document); at != std::string_view::npos; at = text.find(document, at)) {
    const int line = lineAt(text, at);
    const bool isWhole = at == 0 || !isWordPart(text[at - 1]);
    at += document.size();
    if (!isWhole || (at < text.size() && isWordPart(text[at]))) continue;
    std::size_t next = skipBreak(text, at);
    std::string number = next == at ? std::string() : parseNumber(text, next);
    found.push_back({document, number, line});
    while (!number.empty()) {
      at = next;
      next = behindConjunction(text, at);
      number = next == at ? std::string() : parseNumber(text, next);
      if (!number.empty()) found.push_back({document, number, line});
    }
  }
  return found;
}

/// Names of documents: "docs/setup.md#heading", "SECURITY.md".
std::vector<Mention> pagesNamed(std::string_view text) {
  constexpr std::string_view kEnd = ".md";
  const auto isPart = [](char c) { return isWordPart(c) || c == '/' || c == '.'; };
  std::vector<Mention> found;
  for (std::size_t at = text.find(kEnd); at != std::string_view::npos; at = text.find(kEnd, at + 1)) {
    std::size_t begin = at, end = at + kEnd.size();
    if (end < text.size() && isWordPart(text[end])) continue;
    while (begin > 0 && isPart(text[begin - 1])) --begin;
    const bool isLinkText = begin > 0 && text[begin - 1] == '[' && text.substr(end, 2) == "](";
    if (begin == at || isLinkText || text.substr(begin, 2) == "//") continue;  // the last: a URL
    const std::string name(text.substr(begin, end - begin));
    std::size_t last = end;
    if (last < text.size() && text[last] == '#')
      while (++last < text.size() && isWordPart(text[last])) {
      }
    found.push_back({name, std::string(text.substr(std::min(end + 1, last), last - std::min(end + 1, last))),
                     lineAt(text, at)});
  }
  return found;
}

/// The lines of a document that are no code, without spans of code.
std::vector<std::pair<int, std::string>> proseOf(const std::string& text) {
  std::vector<std::pair<int, std::string>> lines;
  std::istringstream in(text);
  bool isCode = false;
  int number = 1;
  for (std::string line; std::getline(in, line); ++number) {
    const auto begin = line.find_first_not_of(' ');
    const bool isMark = begin != std::string::npos && line.compare(begin, 3, "```") == 0;
    if (isMark) isCode = !isCode;
    const bool isIndented =
        begin != std::string::npos && begin > 3 && !isDigit(line[begin]) && line[begin] != '-';
    if (!isCode && !isMark && !isIndented) lines.emplace_back(number, line);
  }
  return lines;
}

std::string withoutSpans(const std::string& line) {
  std::string out;
  bool isCode = false;
  for (const char c : line) {
    if (c == '`') isCode = !isCode;
    if (!isCode && c != '`') out += c;
  }
  return out;
}

/// What the links and pictures of a document point to.
std::vector<Mention> linksOf(const std::string& text) {
  std::vector<Mention> found;
  for (const auto& [number, line] : proseOf(text)) {
    const std::string prose = withoutSpans(line);
    for (std::size_t at = prose.find("]("); at != std::string::npos; at = prose.find("](", at + 1)) {
      const std::size_t end = prose.find_first_of(") ", at);
      if (end == std::string::npos) continue;
      const std::string target = prose.substr(at + 2, end - at - 2);
      if (target.find("://") != std::string::npos || target.starts_with("mailto:")) continue;
      const std::size_t mark = std::min(target.find('#'), target.size());
      found.push_back({target.substr(0, mark), target.substr(std::min(mark + 1, target.size())), number});
    }
  }
  return found;
}

std::string contentOf(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> headingsOf(const std::string& text) {
  std::vector<std::string> headings;
  for (const auto& [number, line] : proseOf(text)) {
    const std::size_t marks = std::min(line.find_first_not_of('#'), line.size());
    if (marks >= 1 && marks <= 6 && marks < line.size() && line[marks] == ' ')
      headings.push_back(line.substr(marks + 1));
  }
  return headings;
}

/// "4", "4.3": the numbers that headings begin with.
std::set<std::string> numbersIn(const std::string& text) {
  std::set<std::string> numbers;
  for (const std::string& heading : headingsOf(text)) {
    std::size_t at = 0;
    if (const std::string number = parseNumber(heading, at); !number.empty()) numbers.insert(number);
  }
  return numbers;
}

/// The anchor that a forge makes of a heading: small letters, hyphens for blanks, no punctuation.
std::string anchorOf(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    if (c == ' ') anchor += '-';
    if (isWordPart(c) || (c & 0x80) != 0)
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return anchor;
}

bool hasAnchor(const fs::path& document, const std::string& anchor) {
  std::map<std::string, int> seen;
  for (const std::string& heading : headingsOf(contentOf(document))) {
    const auto plain = anchorOf(heading);
    const int before = seen[plain]++;
    if (anchor == plain + (before == 0 ? "" : "-" + std::to_string(before))) return true;
  }
  return false;
}

// Inputs of the fuzzers, and what the contract test fetches, are nobody's words.
bool isOurs(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name != "node_modules" && name != "build" && name != ".git" && folder != kRoot / "tests/data/fuzz";
}

/// Every text file of the repository, by its path in it.
const std::map<std::string, std::string>& texts() {
  static const std::map<std::string, std::string> kTexts = [] {
    std::map<std::string, std::string> all;
    const auto take = [&](const fs::path& path) {
      std::string text = contentOf(path);
      if (text.find('\0') == std::string::npos)
        all.emplace(fs::relative(path, kRoot).string(), std::move(text));
    };
    for (const auto& top : fs::directory_iterator(kRoot))
      if (top.is_regular_file()) take(top.path());
    for (const char* folder : kFolders)
      for (auto it = fs::recursive_directory_iterator(kRoot / folder); it != fs::end(it); ++it) {
        if (it->is_directory() && !isOurs(it->path())) it.disable_recursion_pending();
        if (it->is_regular_file()) take(it->path());
      }
    return all;
  }();
  return kTexts;
}

/// Where a document that is named in `path` may lie; nothing: nowhere.
std::optional<fs::path> documentNamed(const std::string& name, const std::string& path) {
  for (const fs::path& folder : {kRoot, (kRoot / path).parent_path(), kRoot / "resources/export"})
    if (fs::is_regular_file(folder / name)) return folder / name;
  return std::nullopt;
}

// Exports and starters write these for their users.
bool isWritten(const std::string& name) {
  const std::string file = fs::path(name).filename().string();
  return file == "README.md" || file == "commands.md";
}

void expectThere(bool isThere, const std::string& path, int line, const std::string& otherwise) {
  if (!isThere) ADD_FAILURE() << path << ":" << line << ": " << otherwise;
}

TEST(References, TheReaderOfReferencesKnowsThem) {
  const auto named = [](const std::string& text) {
    std::string all;
    for (const Mention& one : sectionsNamed(text, "ads-contract"))
      all += (all.empty() ? "" : " ") + one.section + "@" + std::to_string(one.line);
    return all;
  };
  EXPECT_EQ(named("x\n// (ads-contract 4.1, 4.3); ads-contract 5)"), "4.1@2 4.3@2 5@2");
  EXPECT_EQ(named("/// ads-contract\n  /// 2.3 and 2.4. Then 3 more"), "2.3@1 2.4@1");
  EXPECT_EQ(named("ads-contract 4.1 to 4.11, 5)."), "4.1@1 4.11@1 5@1");
  EXPECT_EQ(named("ads-contract 2.2-2.5.1 has"), "2.2@1 2.5.1@1");
  EXPECT_EQ(named("ads-contract 1.2. What cannot, ads-contract"), "1.2@1 @1");
  EXPECT_EQ(named("loads-contract 4.1, ads-contracts 3"), "");

  const auto pages = pagesNamed("see docs/a.md#b-c, (SECURITY.md), https://x.org/d.md and e.mdx");
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages[0].what + " " + pages[0].section, "docs/a.md b-c");
  EXPECT_EQ(pages[1].what + " " + pages[1].section, "SECURITY.md ");

  const auto links = linksOf("```\n[a](b)\n```\n`[c](d)` ![e](f.png)\n[g](h.md#i) [j](https://k)\n");
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0].what, "f.png");
  EXPECT_EQ(links[1].what + " " + links[1].section + " " + std::to_string(links[1].line), "h.md i 5");

  EXPECT_EQ(numbersIn("# A\n## 4 B\n### 4.3 C\n#### 4.10. D\n```\n# 9 E\n```\n## 5th\n"),
            (std::set<std::string>{"4", "4.10", "4.3"}));
  EXPECT_EQ(anchorOf("What is `enforced`, and what is not (4.1)"), "what-is-enforced-and-what-is-not-41");
}

TEST(References, TheTextsAreFound) {
  EXPECT_GT(texts().size(), 1500U);
  for (const char* path : {"README.md", "core/CMakeLists.txt", "tests/data/iam/access.json", ".ci/run"})
    EXPECT_TRUE(texts().count(path)) << path;
}

// Pages whose sections are named by their number, and how often at least.
struct NumberedPage {
  std::string name, file;
  std::size_t mentions;
};

TEST(References, EverySectionThatIsNamedIsThere) {
  const NumberedPage pages[] = {
      {"ads-contract", "docs/contracts/ads-contract.md", 100},
      {"oci-rest-contract", "docs/contracts/oci-rest-contract.md", 100},
      {"docs/formats/metric-segments.md", "docs/formats/metric-segments.md", 3},
  };
  for (const auto& [name, file, mentions] : pages) {
    EXPECT_TRUE(texts().count(file)) << file << " is missing";
    const auto numbers = texts().count(file) ? numbersIn(texts().at(file)) : std::set<std::string>();
    std::size_t count = 0;
    for (const auto& [path, text] : texts())
      for (const Mention& one : sectionsNamed(text, name)) {
        if (path == kThis) continue;
        ++count;
        expectThere(one.section.empty() || numbers.count(one.section), path, one.line,
                    file + " has no section " + one.section);
      }
    EXPECT_GE(count, mentions) << name;
  }
}

TEST(References, EveryPageThatIsNamedIsThere) {
  for (const auto& [path, text] : texts())
    for (const Mention& one : pagesNamed(text)) {
      if (path == kThis || isWritten(one.what) || path.starts_with(kContracts)) continue;
      const auto document = documentNamed(one.what, path);
      expectThere(document.has_value(), path, one.line, "there is no " + one.what);
      expectThere(!document || one.section.empty() || hasAnchor(*document, one.section), path, one.line,
                  one.what + " has no heading #" + one.section);
    }
}

TEST(References, EveryLinkLeadsSomewhere) {
  std::size_t count = 0;
  for (const auto& [path, text] : texts()) {
    if (!path.ends_with(".md")) continue;
    for (const Mention& link : linksOf(text)) {
      ++count;
      const fs::path target =
          link.what.empty() ? kRoot / path : (kRoot / path).parent_path() / fs::path(link.what);
      expectThere(fs::exists(target), path, link.line, "there is no " + link.what);
      expectThere(link.section.empty() || !fs::is_regular_file(target) || hasAnchor(target, link.section),
                  path, link.line, target.filename().string() + " has no heading #" + link.section);
    }
  }
  EXPECT_GT(count, 50U);
}

/// `core/metrics/metric_segment.h`: files and folders that a document names in spans of code.
std::vector<Mention> filesNamed(const std::string& text) {
  std::vector<Mention> found;
  for (const auto& [number, line] : proseOf(text))
    for (std::size_t at = line.find('`'); at != std::string::npos;) {
      const std::size_t end = line.find('`', at + 1);
      if (end == std::string::npos) break;
      const std::string span = line.substr(at + 1, end - at - 1);
      const bool isOfOurs = std::any_of(std::begin(kFolders), std::end(kFolders), [&](const char* folder) {
        return span.starts_with(std::string(folder) + "/");
      });
      if (isOfOurs && span.find_first_of(" *{<$") == std::string::npos && span.find("…") == std::string::npos)
        found.push_back({span, {}, number});
      at = line.find('`', end + 1);
    }
  return found;
}

TEST(References, EveryFileThatADocumentNamesIsThere) {
  std::size_t count = 0;
  for (const auto& [path, text] : texts()) {
    const bool isForUsers = path.starts_with("resources/") || path.starts_with("tests/data/");
    if (!path.ends_with(".md") || isForUsers || path.starts_with(kContracts)) continue;
    for (const Mention& one : filesNamed(text)) {
      ++count;
      expectThere(fs::exists(kRoot / one.what), path, one.line, "there is no " + one.what);
    }
  }
  EXPECT_GT(count, 20U);
}

// Notes that were never part of the repository: whoever reads the comment needs the fact itself.
TEST(References, NoNoteIsNamedThatNobodyHas) {
  const std::string notes[] = {
      "product-"
      "anchors",
      "style-"
      "anchors",
      "trainer-"
      "notes",
      "machine-"
      "notes",
      "house"
      ".md"};
  const std::string findings =
      "find"
      "ings-";
  for (const auto& [path, text] : texts()) {
    for (const std::string& note : notes) {
      const std::size_t at = text.find(note);
      expectThere(at == std::string::npos, path, lineAt(text, std::min(at, text.size())),
                  note + " is not in the repository");
    }
    for (std::size_t at = text.find(findings); at != std::string::npos; at = text.find(findings, at + 1)) {
      const std::size_t next = at + findings.size();
      expectThere(next == text.size() || !std::islower(static_cast<unsigned char>(text[next])), path,
                  lineAt(text, at), text.substr(at, 20) + " is not in the repository");
    }
  }
}

}  // namespace
