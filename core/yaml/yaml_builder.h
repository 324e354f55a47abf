// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "yaml/yaml_document.h"

namespace lockstep {

/// Makes a value of the parser's events, and throws YAML::ParserException as soon as it goes beyond the bounds.
class YamlBuilder final : public YAML::EventHandler {
 public:
  using PlaceOf = std::function<TextPosition(const YAML::Mark&)>;
  YamlBuilder(PlaceOf placeOf, const YamlBounds& bounds) : placeOf_(std::move(placeOf)), bounds_(bounds) {}

  [[nodiscard]] YamlValue taken() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { close(); }

 private:
  /// A list or mapping whose end has not come yet.
  struct Open {
    YamlValue value;
    YAML::Mark mark;
    YAML::anchor_t anchor = 0;
    std::optional<std::string> key;  // its value is still to come
    TextPosition keyPlace;
    bool keyMerges = false;                              // that key is a bare <<
    std::vector<YamlValue> merged;                       // values of <<
    std::unordered_map<std::string, std::size_t> index;  // of the entries, by key
  };

  void open(YamlValue::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor);
  void close();
  void add(YamlValue value, const YAML::Mark& mark, bool isBare);
  void addToMapping(Open& mapping, YamlValue value, const YAML::Mark& mark, bool isBare);
  static void setEntry(Open& mapping, std::string key, YamlValue value);
  static void mergeInto(Open& mapping);
  void remember(YAML::anchor_t anchor, const YamlValue& value, const YAML::Mark& mark);
  void count(const YamlValue& value, const YAML::Mark& mark);

  PlaceOf placeOf_;
  YamlBounds bounds_;
  YamlValue root_;
  int documents_ = 0;
  std::size_t memory_ = 0;
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, YamlValue> anchored_;
};

}  // namespace lockstep
