// SPDX-License-Identifier: GPL-3.0-or-later
#include "yaml/yaml_builder.h"

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

constexpr char kBareTag[] = "?";  // the parser's tag for a scalar without quotes or tag

[[noreturn]] void refuse(const YAML::Mark& mark, const std::string& why) {
  throw YAML::ParserException(mark, why);
}

bool isCollection(const YamlValue& value) {
  return value.kind == YamlValue::Kind::Sequence || value.kind == YamlValue::Kind::Mapping;
}

std::size_t depthOf(const YamlValue& value) {
  std::size_t deepest = 0;
  for (const YamlValue& item : value.items) deepest = std::max(deepest, depthOf(item));
  for (const YamlEntry& entry : value.entries) deepest = std::max(deepest, depthOf(entry.value));
  return deepest + (isCollection(value) ? 1 : 0);
}

}  // namespace

void YamlBuilder::OnDocumentStart(const YAML::Mark& mark) {
  if (++documents_ > 1) refuse(mark, "one document is wanted, and a second one begins here");
}

void YamlBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  YamlValue value;
  value.place = placeOf_(mark);
  count(value, mark);
  remember(anchor, value, mark);
  add(std::move(value), mark, true);
}

void YamlBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const auto found = anchored_.find(anchor);
  if (found == anchored_.end()) refuse(mark, "an alias stands inside the value that it stands for");
  if (open_.size() + depthOf(found->second) > bounds_.depth) refuse(mark, "aliases nest too deep");
  count(found->second, mark);
  add(found->second, mark, false);
}

void YamlBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& text) {
  YamlValue value;
  value.kind = YamlValue::Kind::Scalar;
  value.place = placeOf_(mark);
  value.text = text;
  count(value, mark);
  remember(anchor, value, mark);
  add(std::move(value), mark, tag == kBareTag);
}

void YamlBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                                  YAML::EmitterStyle::value) {
  open(YamlValue::Kind::Sequence, mark, anchor);
}

void YamlBuilder::OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                             YAML::EmitterStyle::value) {
  open(YamlValue::Kind::Mapping, mark, anchor);
}

void YamlBuilder::open(YamlValue::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
  if (open_.size() >= bounds_.depth)
    refuse(mark, fmt::format("values are nested deeper than {} levels", bounds_.depth));
  Open opened;
  opened.value.kind = kind;
  opened.value.place = placeOf_(mark);
  opened.mark = mark;
  count(opened.value, mark);
  opened.anchor = anchor;
  open_.push_back(std::move(opened));
}

void YamlBuilder::close() {
  Open done = std::move(open_.back());
  open_.pop_back();
  mergeInto(done);
  remember(done.anchor, done.value, done.mark);
  add(std::move(done.value), done.mark, false);
}

void YamlBuilder::add(YamlValue value, const YAML::Mark& mark, bool isBare) {
  if (open_.empty())
    root_ = std::move(value);
  else if (open_.back().value.kind == YamlValue::Kind::Sequence)
    open_.back().value.items.push_back(std::move(value));
  else
    addToMapping(open_.back(), std::move(value), mark, isBare);
}

void YamlBuilder::addToMapping(Open& mapping, YamlValue value, const YAML::Mark& mark, bool isBare) {
  if (!mapping.key) {
    if (isCollection(value)) refuse(mark, "a key is a list or a mapping");
    mapping.keyMerges = isBare && value.text == "<<";
    mapping.key = std::move(value.text);
    mapping.keyPlace = value.place;
    return;
  }
  if (value.kind == YamlValue::Kind::Null) value.place = mapping.keyPlace;
  std::string key = *std::exchange(mapping.key, std::nullopt);
  if (!mapping.keyMerges) return setEntry(mapping, std::move(key), std::move(value));
  const auto isMapping = [](const YamlValue& one) { return one.kind == YamlValue::Kind::Mapping; };
  if (value.kind == YamlValue::Kind::Sequence && std::ranges::all_of(value.items, isMapping))
    std::ranges::move(value.items, std::back_inserter(mapping.merged));
  else if (isMapping(value))
    mapping.merged.push_back(std::move(value));
  else
    refuse(mark, "'<<' stands for mappings only");
}

void YamlBuilder::setEntry(Open& mapping, std::string key, YamlValue value) {
  const auto [found, isNew] = mapping.index.emplace(key, mapping.value.entries.size());
  if (isNew)
    mapping.value.entries.push_back({std::move(key), std::move(value)});
  else
    mapping.value.entries[found->second].value = std::move(value);
}

/// Own entries come first, then those of the mapping that is named first.
void YamlBuilder::mergeInto(Open& mapping) {
  for (YamlValue& from : mapping.merged)
    for (YamlEntry& entry : from.entries)
      if (!mapping.index.contains(entry.key)) setEntry(mapping, std::move(entry.key), std::move(entry.value));
}

void YamlBuilder::remember(YAML::anchor_t anchor, const YamlValue& value, const YAML::Mark& mark) {
  if (anchor == 0) return;
  count(value, mark);
  anchored_[anchor] = value;
}

void YamlBuilder::count(const YamlValue& value, const YAML::Mark& mark) {
  memory_ += sizeof(YamlEntry) + value.text.size();
  if (memory_ > bounds_.memory) refuse(mark, "it holds more values than is reasonable, aliases written out");
  for (const YamlValue& item : value.items) count(item, mark);
  for (const YamlEntry& entry : value.entries) {
    memory_ += entry.key.size();
    count(entry.value, mark);
  }
}

}  // namespace lockstep
