// SPDX-License-Identifier: GPL-3.0-or-later
// Text of services, jobs and files is shown through few doors. This reads the sources and refuses every way
// around them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {
namespace fs = std::filesystem;

const fs::path kRoot = LOCKSTEP_SOURCE_DIR;

std::string contentOf(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Where the string or character that begins at `at` ends.
std::size_t endOfQuoted(const std::string& text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == quote)
      return i + 1;
  }
  return text.size();
}

std::string withoutComments(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const bool isDigitMark =
        text[i] == '\'' && i > 0 && std::isdigit(static_cast<unsigned char>(text[i - 1]));
    if ((text[i] == '"' || text[i] == '\'') && !isDigitMark) {
      const std::size_t end = endOfQuoted(text, i);
      out += text.substr(i, end - i);
      i = end;
    } else if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else {
      out += text[i++];
    }
  }
  return out;
}

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\n") + 1 - begin);
}

/// The parts between top-level separators, up to the end of the bracket that `at` is in.
std::vector<std::string> partsFrom(const std::string& text, std::size_t at, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    std::size_t end = at + 1;
    if (c == '"' || c == '\'') end = endOfQuoted(text, at);
    if (text.compare(at, 2, "::") == 0) end = at + 2;
    if (c == ')' || c == '}' || c == ']') --depth;
    if (depth < 0) break;
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (depth == 0 && c == separator && end == at + 1)
      parts.emplace_back();
    else
      parts.back() += text.substr(at, end - at);
    at = end;
  }
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

/// "condition ? yes : no" in its two; nothing: it is none.
std::optional<std::pair<std::string, std::string>> branchesOf(const std::string& expression) {
  const auto parts = partsFrom(expression, 0, '?');
  if (parts.size() < 2) return std::nullopt;
  std::string rest = parts[1];
  for (std::size_t i = 2; i < parts.size(); ++i) rest += "?" + parts[i];
  const auto branches = partsFrom(rest, 0, ':');
  if (branches.size() < 2) return std::nullopt;
  std::string other = branches[1];
  for (std::size_t i = 2; i < branches.size(); ++i) other += ":" + branches[i];
  return std::pair(branches[0], other);
}

bool isWholeCallOf(const std::string& expression, const std::string& name) {
  if (expression.rfind(name + "(", 0) != 0) return false;
  int depth = 0;
  for (std::size_t at = name.size(); at < expression.size(); ++at) {
    if (expression[at] == '"' || expression[at] == '\'') at = endOfQuoted(expression, at) - 1;
    if (expression[at] == '(') ++depth;
    if (expression[at] == ')' && --depth == 0) return at + 1 == expression.size();
  }
  return false;
}

bool isLiteralOnly(const std::string& arguments) {
  static const std::regex kString(R"("(?:[^"\\]|\\.)*")");
  return trimmed(std::regex_replace(arguments, kString, "")).find_first_not_of(", \n") == std::string::npos;
}

/// Text that was made plain, or that this program's translators wrote.
bool isOurs(const std::string& expression) {
  if (expression == "{}" || expression == "QString()" || expression == "QVariant()") return true;
  if (const auto branches = branchesOf(expression))
    return isOurs(branches->first) && isOurs(branches->second);
  if (isWholeCallOf(expression, "plainToolTip") || isWholeCallOf(expression, "toolTipLines")) return true;
  static const std::regex kHandedOn(R"(\w+->toolTip\(\)|(\w+\.)?issueTextAt\([^;]*\))");
  if (std::regex_match(expression, kHandedOn)) return true;
  static const std::regex kTranslated(R"((\w+::)?tr\(([\s\S]*)\))");
  std::smatch match;
  return std::regex_match(expression, match, kTranslated) && isLiteralOnly(match[2]);
}

void forEachSource(const std::vector<std::string>& folders,
                   const std::function<void(const std::string&, const std::string&)>& action) {
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      const std::string extension = entry.path().extension().string();
      if (entry.is_regular_file() && (extension == ".cpp" || extension == ".h"))
        action(fs::relative(entry.path(), kRoot).string(), withoutComments(contentOf(entry.path())));
    }
}

const std::vector<std::string> kWindow{"widgets", "app/desktop"};

/// What is wrong with the tool tips that are set in this source.
std::vector<std::string> badToolTips(const std::string& text) {
  std::vector<std::string> bad;
  const std::map<std::string, std::size_t> calls{
      {"setToolTip(", 0}, {"setTabToolTip(", 1}, {"QToolTip::showText(", 1}};
  for (const auto& [call, which] : calls)
    for (std::size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 1)) {
      if (at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_')) continue;
      const auto parts = partsFrom(text, at + call.size(), ',');
      if (which >= parts.size() || !isOurs(parts[which]))
        bad.push_back(call + (which < parts.size() ? parts[which] : ""));
    }
  return bad;
}

/// What a model returns for Qt::ToolTipRole at `at`: its returns up to the next label, or the next one of an
/// "if".
std::vector<std::string> returnsAfter(const std::string& text, std::size_t at, bool isLabel) {
  static const std::regex kReturn(R"(\breturn\b([^;]*);)");
  static const std::regex kNextLabel(R"(\b(case|default)\b)");
  std::string region = text.substr(at);
  std::smatch next;
  if (isLabel && std::regex_search(region, next, kNextLabel))
    region = region.substr(0, static_cast<std::size_t>(next.position()));
  std::vector<std::string> found;
  for (std::sregex_iterator it(region.begin(), region.end(), kReturn), end; it != end; ++it) {
    found.push_back(trimmed((*it)[1]));
    if (!isLabel) break;
  }
  return found;
}

std::vector<std::string> badRoles(const std::string& text) {
  static const std::string kRole = "Qt::ToolTipRole";
  std::vector<std::string> bad;
  for (std::size_t at = text.find(kRole); at != std::string::npos; at = text.find(kRole, at + 1)) {
    const std::string before = trimmed(text.substr(at > 20 ? at - 20 : 0, at > 20 ? 20 : at));
    const auto endsWith = [&](const std::string& end) {
      return before.size() >= end.size() && before.compare(before.size() - end.size(), end.size(), end) == 0;
    };
    const bool isLabel = endsWith("case");
    if (!isLabel && !endsWith("==")) {
      bad.push_back(before + " " + kRole + ": neither a case nor a comparison");
      continue;
    }
    const auto returns = returnsAfter(text, at + kRole.size(), isLabel);
    if (returns.empty()) bad.push_back(before + " " + kRole + " falls through to the text of another role");
    for (const std::string& value : returns)
      if (!isOurs(value)) bad.push_back(kRole + ": return " + value);
  }
  return bad;
}

TEST(OutsideText, TheReaderOfSourcesKnowsGoodFromBad) {
  for (const char* good :
       {"x->setToolTip(plainToolTip(name));", "x->setToolTip(tr(\"a, (b)\" \"c\"));", "x->setToolTip({});",
        "x->setToolTip(on ? tr(\"a: b\") : QString());",
        "x->setToolTip(a::b() ? plainToolTip(a::b(c)) : A::tr(\"d\"));", "x->setToolTip(action->toolTip());",
        "QToolTip::showText(p, plainToolTip(x), this);"})
    EXPECT_TRUE(badToolTips(good).empty()) << good;
  for (const char* bad : {"x->setToolTip(name);", "x->setToolTip(tr(\"run %1\").arg(name));",
                          "x->setToolTip(on ? name : QString());", "x->setToolTip(plainToolTip(a) + b);",
                          "x->setToolTip(QStringLiteral(\"<p>%1</p>\").arg(a));", "setTabToolTip(1, why);",
                          "QToolTip::showText(p, name, this);"})
    EXPECT_FALSE(badToolTips(bad).empty()) << bad;
  for (const char* good :
       {"case Qt::ToolTipRole: return plainToolTip(a); case X: return a;",
        "if (role == Qt::ToolTipRole) return tr(\"a\"); return b;",
        "case Qt::ToolTipRole: if (x) return {}; return plainToolTip(f(a)); default: return a;"})
    EXPECT_TRUE(badRoles(good).empty()) << good;
  for (const char* bad : {"case Qt::ToolTipRole: case Qt::AccessibleTextRole: return plainToolTip(a);",
                          "case Qt::ToolTipRole: return a ? QVariant(b) : QVariant();",
                          "if (role != Qt::ToolTipRole) return {}; return b;",
                          "if (role == Qt::ToolTipRole) return text;", "item->setData(x, Qt::ToolTipRole);"})
    EXPECT_FALSE(badRoles(bad).empty()) << bad;
}

TEST(OutsideText, EveryToolTipIsMadePlain) {
  int seen = 0;
  forEachSource(kWindow, [&](const std::string& path, const std::string& text) {
    if (text.find("setToolTip(") != std::string::npos) ++seen;
    for (const std::string& bad : badToolTips(text))
      ADD_FAILURE() << path << ": " << bad << "\n  use plainToolTip() of widgets/common/text/plain_text.h";
    for (const std::string& bad : badRoles(text))
      ADD_FAILURE() << path << ": " << bad << "\n  use plainToolTip() of widgets/common/text/plain_text.h";
  });
  EXPECT_GT(seen, 20);
}

// These build their own markup, and escape what they put into it.
const std::map<std::string, int> kRichLabels{{"widgets/metrics/charts/metric_plot_build.cpp", 1},
                                             {"widgets/metrics/charts/plot_readout.cpp", 1},
                                             {"widgets/runs/run_header.cpp", 6},
                                             {"widgets/cluster/canvas/cluster_canvas_card.cpp", 1}};

TEST(OutsideText, EveryLabelIsPlain) {
  static const std::regex kLabel(R"(\bnew QLabel\b|\bQLabel\s+\w+\s*[({;])");
  static const std::regex kGuesses(
      "#include <(QMessageBox|QErrorMessage|QStaticText|QTextBrowser|QTextEdit)>");
  forEachSource(kWindow, [&](const std::string& path, const std::string& text) {
    const auto labels =
        std::distance(std::sregex_iterator(text.begin(), text.end(), kLabel), std::sregex_iterator());
    const auto rich = kRichLabels.find(path);
    EXPECT_EQ(labels, rich == kRichLabels.end() ? 0 : rich->second)
        << path << ": use PlainLabel of widgets/common/text/plain_text.h";
    const bool isRich = text.find("setTextFormat(Qt::RichText)") != std::string::npos;
    EXPECT_TRUE(isRich || rich == kRichLabels.end()) << path;
    EXPECT_FALSE(std::regex_search(text, kGuesses)) << path << ": takes what looks like markup for markup";
  });
}

// The doors to a terminal. The progress bar writes its own control codes, its text has gone through the
// filter.
TEST(OutsideText, ProgramsPrintThroughTheFilterOnly) {
  static const std::regex kPrints(
      R"(fmt::print\(|std::cout|std::cerr|\b(printf|fprintf|fputs|puts|fwrite|perror)\()");
  const std::map<std::string, std::string> doors{{"app/cli/output.cpp", "forTerminal("},
                                                 {"app/cli/progress_bar.cpp", "onOneLine("},
                                                 {"app/rehearsal/region/print.h", "forTerminal("},
                                                 {"trainer/node/agent/main.cpp", "forTerminal("},
                                                 {"trainer/ddp/base/put_line.h", "forTerminal("}};
  for (const auto& [path, filter] : doors)
    EXPECT_NE(contentOf(kRoot / path).find(filter), std::string::npos) << path;
  forEachSource({"app/cli", "app/rehearsal", "trainer/node", "trainer/ddp"},
                [&](const std::string& path, const std::string& text) {
                  std::smatch match;
                  if (!doors.count(path) && std::regex_search(text, match, kPrints))
                    ADD_FAILURE() << path << " writes " << match[0] << " past the filter";
                });
}

}  // namespace
