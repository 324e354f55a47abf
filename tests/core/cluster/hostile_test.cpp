// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that were made to hurt: each is refused with a message and a place, soon and without a crash.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <random>

#include "cluster/document/cluster_document.h"
#include "golden_texts.h"

namespace lockstep {
namespace {

std::string repeated(const std::string& text, std::size_t count) {
  std::string out;
  out.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

std::string aliasBomb() {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i <= 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before +
            repeated(", " + before, 9) + "]\n";
  }
  return text;
}

std::string mergeBomb() {
  std::string text = "a0: &a0 {k: v}\n";
  for (int i = 1; i <= 30; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    text +=
        "a" + std::to_string(i) + ": &a" + std::to_string(i) + " {<<: [" + before + ", " + before + "]}\n";
  }
  return text;
}

std::string aliasChain() {
  std::string text = "a0: &a0 {k: v}\n";
  for (int i = 1; i < 1000; ++i)
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " {<<: *a" + std::to_string(i - 1) + "}\n";
  return text;
}

void expectRefused(const std::string& name, const std::string& text, const std::string& code) {
  const ClusterDocument document(text);
  EXPECT_FALSE(document.isParsable()) << name;
  ASSERT_EQ(document.issues().size(), 1U) << name;
  const Issue& issue = document.issues()[0];
  EXPECT_EQ(issue.code, code) << name << ": " << issue.message;
  EXPECT_GT(issue.place.line, 0) << name;
  EXPECT_GT(issue.place.column, 0) << name;
}

TEST(Hostile, IsRefusedWithAReason) {
  expectRefused("alias bomb", aliasBomb(), "alias-bomb");
  expectRefused("merge bomb", mergeBomb(), "alias-bomb");
  expectRefused("long scalar", "a: " + std::string(9U << 20U, 'x'), "too-large");
  expectRefused("deep flow", repeated("[", 100'000), "too-deep");
  expectRefused("deep mappings", repeated("{a: ", 5'000), "too-deep");
  expectRefused("deep dashes", repeated("- ", 5'000), "too-deep");
  expectRefused("many values", repeated("- x\n", 400'000), "too-large");
  expectRefused("NUL", std::string("a: b\nc: \0d\n", 11), "not-text");
  expectRefused("invalid UTF-8", "a: b\nc: x\xFFz\n", "not-utf8");
  expectRefused("cut UTF-8", "a: \xE2\x98", "not-utf8");
  expectRefused("control character", "a: b\x01\n", "yaml-syntax");
  expectRefused("recursive alias", "a: &a [*a]\n", "recursive-alias");
  expectRefused("unknown alias", "a: *b\n", "unknown-alias");
  expectRefused("tab", "a:\n\tb: c\n", "yaml-syntax");
  expectRefused("unclosed quote", "a: \"b\nc: d\n", "yaml-syntax");
  expectRefused("chain of aliases", aliasChain(), "too-deep");
  expectRefused("endless merge", "a: &a {}\nb: {<<: [*a" + repeated(", *a", 100) + "]}\n", "too-large");
  expectRefused("open brackets", repeated("a: [\n", 20), "yaml-syntax");
}

TEST(Hostile, NamesTheLineAndColumn) {
  const ClusterDocument tab("kind: x\nspec:\n\tb: c\n");
  ASSERT_EQ(tab.issues().size(), 1U);
  EXPECT_EQ(tab.issues()[0].place, (TextPosition{3, 1}));
  EXPECT_NE(tab.issues()[0].remedy.find("tab"), std::string::npos);
  const ClusterDocument bytes("a: b\né: x\xFFz\n");
  EXPECT_EQ(bytes.issues()[0].place, (TextPosition{2, 5}));
  const ClusterDocument nul(std::string("a: b\nc: \0d\n", 11));
  EXPECT_EQ(nul.issues()[0].place, (TextPosition{2, 4}));
}

TEST(Hostile, BigButHonestTextsAreRead) {
  const ClusterDocument scalar("a: " + std::string(7U << 20U, 'x') + "\n");
  EXPECT_TRUE(scalar.isParsable());
  std::string env = "kind: distributed\nspec:\n  cluster:\n    spec:\n      config:\n        env:\n";
  for (int i = 0; i < 5'000; ++i) env += "          - {name: V" + std::to_string(i) + ", value: \"1\"}\n";
  const ClusterDocument variables(env);
  EXPECT_EQ(variables.spec().clusterEnv.size(), 5'000U);
}

TEST(Hostile, ManyBadKeysAreCountedAndNotAllListed) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "k" + std::to_string(i) + ": 2024-13-01\n";
  const ClusterDocument document(text);
  ASSERT_TRUE(document.isParsable());
  ASSERT_EQ(document.issues().size(), 1001U);
  EXPECT_EQ(document.issues().back().code, "more-issues");
  EXPECT_EQ(document.issues().back().severity, Severity::Error);
}

TEST(Hostile, ManyKeysBesideManyVariablesAreReadInTime) {
  std::string text = "kind: distributed\nspec:\n  cluster:\n    spec:\n      config:\n        env:\n";
  for (int i = 0; i < 30'000; ++i) text += "        - {name: a, value: b}\n";
  for (int i = 0; i < 50'000; ++i) text += "x-" + std::to_string(i) + ": y\n";
  const ClusterDocument document(text);
  EXPECT_EQ(document.spec().clusterEnv.size(), 30'000U);
}

struct Cost {
  int status = -1;
  long peakKilobytes = 0;
  long milliseconds = 0;  // of the processor
};

/// Reads a text and asks for everything, in a process of its own.
Cost costOfReading(const std::function<std::string()>& text) {
  const pid_t child = fork();
  if (child == 0) {
    const ClusterDocument document(text());
    _exit(document.issues().size() <= 1001 && document.spec().clusterEnv.size() < 1'000'000 ? 0 : 1);
  }
  Cost cost;
  rusage usage{};
  wait4(child, &cost.status, 0, &usage);
  cost.peakKilobytes = usage.ru_maxrss;
  cost.milliseconds = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
                      (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
  return cost;
}

TEST(AHostileText, StaysBelowAHundredMegabytes) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers keep memory of their own";
#endif
  constexpr std::size_t kMax = 8U << 20U;
  const auto numbered = [](const char* before, const char* after, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += before + std::to_string(i) + after;
    return text;
  };
  const std::pair<const char*, std::function<std::string()>> texts[] = {
      {"line breaks", [] { return std::string(kMax, '\n'); }},
      {"carriage returns", [] { return std::string(kMax, '\r'); }},
      {"one scalar", [] { return "a: " + std::string(kMax - 4, 'x') + "\n"; }},
      {"a hundred megabytes", [] { return std::string(12U << 20U, 'x'); }},
      {"letters of two bytes", [] { return "a: " + repeated("\u00e9", kMax / 2 - 8); }},
      {"values", [] { return repeated("- x\n", 299'000); }},
      {"values in brackets", [] { return "a: [" + repeated("x,", 299'000) + "]\n"; }},
      {"mappings", [] { return repeated("- {a: b}\n", 99'000); }},
      {"keys", [&] { return numbered("k", ": v\n", 149'000); }},
      {"bad dates", [&] { return numbered("k", ": 2024-13-01\n", 149'000); }},
      {"placeholders", [&] { return numbered("k", ": <your value>\n", 149'000); }},
      {"a huge key", [] { return std::string(kMax - 8, 'k') + ": v\n"; }},
      {"a huge key asked for", [] { return "? " + std::string(kMax - 8, 'k') + "\n: v\n"; }},
      {"alias bomb", aliasBomb},
      {"merge bomb", mergeBomb},
      {"brackets", [] { return std::string(kMax, '['); }},
      {"anchors", [&] { return numbered("- &a", " x\n", 149'000); }},
  };
  for (const auto& [name, text] : texts) {
    const Cost cost = costOfReading(text);
    EXPECT_EQ(cost.status, 0) << name;
    EXPECT_LT(cost.peakKilobytes, 100 * 1024) << name;
    RecordProperty(name,
                   std::to_string(cost.peakKilobytes) + " KiB, " + std::to_string(cost.milliseconds) + " ms");
  }
}

/// What an unlucky keyboard, editor or disk does to a text.
std::string mutated(std::string text, std::mt19937& random) {
  static const std::string kPieces[] = {":",      "- ",     "{",     "}",     "[",   "]",    "&a ", "*a",
                                        "<<: *a", "!!int ", "\"",    "'",     "|\n", ">-\n", "#",   "\n",
                                        "\r\n",   "\t",     "  ",    "? ",    "%",   "@",    "`",   "~",
                                        "\xC3",   "é",      "---\n", "...\n", ", ",  "0x",   "$"};
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  for (std::size_t n = 1 + below(4); n > 0; --n) {
    const std::size_t at = below(text.size() + 1);
    switch (below(4)) {
      case 0:
        text.insert(at, kPieces[below(std::size(kPieces))]);
        break;
      case 1:
        text.erase(at, below(12));
        break;
      case 2:
        text.insert(at, text.substr(below(text.size() + 1), below(60)));
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(random() % 256);
    }
  }
  return text;
}

TEST(Hostile, ThousandsOfMutationsDoNoHarm) {
  const auto goldens = goldenTexts();
  std::mt19937 random(20260101);  // always the same ones
  std::size_t parsed = 0;
  std::size_t edited = 0;
  const char* paths[] = {"spec.cluster.spec.worker.replicas", "spec.cluster.spec.config.env[0].value",
                         "spec.runtime.spec.args[1]", "spec.infrastructure.spec.shapeConfigDetails.ocpus",
                         "spec.cluster.spec.main.name"};
  for (int i = 0; i < 4'000; ++i) {
    const std::string text = mutated(goldens[random() % goldens.size()].second, random);
    const ClusterDocument document(text);
    EXPECT_EQ(document.text(), text);
    if (!document.isParsable()) {
      ASSERT_EQ(document.issues().size(), 1U);
      continue;
    }
    ++parsed;
    const FieldPath path = FieldPath::parse(paths[random() % std::size(paths)]);
    const auto edit = document.setScalar(path, "va: lue");
    if (edit) {
      ++edited;
      const std::string changed = applyEdit(text, *edit);
      const auto scalar = ClusterDocument(changed).scalar(path);
      ASSERT_TRUE(scalar) << text << "\n----\n" << changed;
      EXPECT_EQ(scalar->value, "va: lue");
      EXPECT_EQ(applyEdit(changed, {edit->offset, edit->inserted, edit->removed}), text);
    }
    const auto gone = document.remove(path);
    if (gone) {
      EXPECT_TRUE(ClusterDocument(applyEdit(text, *gone)).isParsable());
    }
    (void)document.appendEnv({"spec", "cluster", "spec", "config", "env"}, {"A", "b"});
  }
  EXPECT_GT(parsed, 500U);
  EXPECT_GT(edited, 100U);
}

}  // namespace
}  // namespace lockstep
