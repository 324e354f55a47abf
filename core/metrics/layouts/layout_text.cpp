// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/layouts/layout_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/outside_json.h"

namespace lockstep {
namespace {

using LayoutJson = nlohmann::json;

template <class Value>
struct Word {
  const char* text;
  Value value;
};
constexpr std::array kKindWords{
    Word<CardKind>{"chart", CardKind::Chart}, Word<CardKind>{"heat-map", CardKind::HeatMap},
    Word<CardKind>{"step-time", CardKind::StepTime}, Word<CardKind>{"tiles", CardKind::Tiles}};
constexpr std::array kSideWords{Word<CardAxis>{"left", CardAxis::Left},
                                Word<CardAxis>{"right", CardAxis::Right}};
constexpr std::array kXWords{
    Word<CurveAxis>{"step", CurveAxis::Steps}, Word<CurveAxis>{"epoch", CurveAxis::Epochs},
    Word<CurveAxis>{"relative-time", CurveAxis::RelativeTime},
    Word<CurveAxis>{"wall-time", CurveAxis::WallTime}, Word<CurveAxis>{"samples", CurveAxis::Samples}};
constexpr std::array kSmoothingWords{Word<CurveSmoothing>{"none", CurveSmoothing::None},
                                     Word<CurveSmoothing>{"debiased", CurveSmoothing::Debiased},
                                     Word<CurveSmoothing>{"time-weighted", CurveSmoothing::TimeWeighted},
                                     Word<CurveSmoothing>{"gaussian", CurveSmoothing::Gaussian},
                                     Word<CurveSmoothing>{"running-median", CurveSmoothing::RunningMedian}};
constexpr std::array kScaleWords{Word<CurveScale>{"usual", CurveScale::Usual},
                                 Word<CurveScale>{"linear", CurveScale::Linear},
                                 Word<CurveScale>{"logarithmic", CurveScale::Logarithmic}};

template <class Value, std::size_t kCount>
const char* wordFor(const std::array<Word<Value>, kCount>& words, Value value) {
  for (const auto& word : words)
    if (word.value == value) return word.text;
  return "";
}

/// Reads fields, and keeps the first complaint.
class LayoutReader {
 public:
  void complain(const std::string& field, const LayoutJson& value, std::string remedy) {
    if (error_) return;
    const std::string shown = value.dump(-1, ' ', true, LayoutJson::error_handler_t::replace);
    constexpr std::size_t kLongestShown = 60;
    error_ = Error{ErrorCode::DataLoss,
                   "cannot read the layout of a dashboard",
                   fmt::format("{} is {}{}", field, shown.substr(0, kLongestShown),
                               shown.size() > kLongestShown ? "…" : ""),
                   std::move(remedy),
                   field,
                   std::nullopt};
  }

  template <class Value, std::size_t kCount>
  void word(const LayoutJson& object, const std::string& path, const char* key,
            const std::array<Word<Value>, kCount>& words, Value& into) {
    if (!object.contains(key)) return;
    const std::string text = stringField(object, key);
    std::string all;
    for (const auto& one : words) {
      if (text == one.text) {
        into = one.value;
        return;
      }
      all += (all.empty() ? "" : ", ") + std::string(one.text);
    }
    complain(path + key, object.at(key), "write one of " + all);
  }

  void whole(const LayoutJson& object, const std::string& path, const char* key, int most, int& into) {
    if (!object.contains(key)) return;
    const auto number = outsideNumber(object, key, 1, most);
    if (!number) return complain(path + key, object.at(key), fmt::format("write 1 to {}", most));
    into = static_cast<int>(*number);
  }

  void text(const LayoutJson& object, const std::string& path, const char* key, bool mayBeEmpty,
            std::string& into) {
    const std::string value = stringField(object, key);
    const bool isText = !object.contains(key) || object.at(key).is_string();
    if (!isText || value.size() > DashboardLayout::kLongestText || (value.empty() && !mayBeEmpty))
      return complain(
          path + key, object.contains(key) ? object.at(key) : LayoutJson(),
          fmt::format("write a text of {} to {} bytes", mayBeEmpty ? 0 : 1, DashboardLayout::kLongestText));
    into = value;
  }

  void truth(const LayoutJson& object, const std::string& path, const char* key, bool& into) {
    if (!object.contains(key)) return;
    if (!object.at(key).is_boolean()) return complain(path + key, object.at(key), "write true or false");
    into = object.at(key).get<bool>();
  }

  /// An array of at least `least` and at most `most`; of others nothing is read.
  const LayoutJson& list(const LayoutJson& object, const std::string& path, const char* key,
                         std::size_t least, std::size_t most) {
    static const LayoutJson kNone = LayoutJson::array();
    const LayoutJson& found = arrayField(object, key);
    const bool isList = !object.contains(key) || object.at(key).is_array();
    if (isList && found.size() >= least && found.size() <= most) return found;
    complain(path + key, object.contains(key) ? object.at(key) : LayoutJson(),
             fmt::format("write a list of {} to {}", least, most));
    return kNone;
  }

  [[nodiscard]] bool isObject(const LayoutJson& value, const std::string& field) {
    if (!value.is_object()) complain(field, value, "write an object");
    return value.is_object();
  }

  CurveOptions curves(const LayoutJson& object, const std::string& path) {
    CurveOptions curves;
    word(object, path, "x", kXWords, curves.x);
    word(object, path, "smoothing", kSmoothingWords, curves.smoothing);
    word(object, path, "scale", kScaleWords, curves.scale);
    if (!object.contains("amount")) return curves;
    const auto amount = numberField(object, "amount");
    if (!amount || !(*amount >= 0 && *amount <= kMaxSmoothing))
      complain(path + "amount", object.at("amount"), fmt::format("write 0 to {}", kMaxSmoothing));
    else
      curves.amount = *amount;
    return curves;
  }

  CardQuantity quantity(const LayoutJson& object, const std::string& field) {
    CardQuantity quantity;
    if (!isObject(object, field)) return quantity;
    text(object, field + ".", "name", false, quantity.name);
    word(object, field + ".", "axis", kSideWords, quantity.axis);
    return quantity;
  }

  DashboardCard card(const LayoutJson& object, const std::string& field) {
    DashboardCard card;
    if (!isObject(object, field)) return card;
    const std::string path = field + ".";
    word(object, path, "kind", kKindWords, card.kind);
    text(object, path, "title", true, card.title);
    whole(object, path, "columns", DashboardLayout::kMaxColumns, card.columns);
    whole(object, path, "rows", DashboardLayout::kMaxRows, card.rows);
    truth(object, path, "onlyWhereMeasured", card.onlyWhereMeasured);
    truth(object, path, "overTime", card.overTime);
    if (object.contains("curves") && isObject(object.at("curves"), path + "curves"))
      card.curves = curves(object.at("curves"), path + "curves.");
    const bool isChart = card.kind == CardKind::Chart;
    const std::size_t most = isChart                          ? DashboardLayout::kMaxQuantities
                             : card.kind == CardKind::HeatMap ? 1
                                                              : 0;
    const LayoutJson& all = list(object, path, "quantities", isChart ? 1 : 0, most);
    for (std::size_t i = 0; i < all.size(); ++i)
      card.quantities.push_back(quantity(all[i], fmt::format("{}quantities[{}]", path, i)));
    return card;
  }

  DashboardLayout layout(const LayoutJson& object) {
    DashboardLayout layout;
    text(object, {}, "name", false, layout.name);
    if (object.contains("curves") && isObject(object.at("curves"), "curves"))
      layout.curves = curves(object.at("curves"), "curves.");
    const LayoutJson& all = list(object, {}, "cards", 0, DashboardLayout::kMaxCards);
    for (std::size_t i = 0; i < all.size(); ++i)
      layout.cards.push_back(card(all[i], fmt::format("cards[{}]", i)));
    return layout;
  }

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  std::optional<Error> error_;
};

LayoutJson jsonOf(const CurveOptions& curves) {
  const CurveOptions usual;
  LayoutJson json = LayoutJson::object();
  if (curves.x != usual.x) json["x"] = wordFor(kXWords, curves.x);
  if (curves.smoothing != usual.smoothing) json["smoothing"] = wordFor(kSmoothingWords, curves.smoothing);
  if (curves.amount != usual.amount) json["amount"] = curves.amount;
  if (curves.scale != usual.scale) json["scale"] = wordFor(kScaleWords, curves.scale);
  return json;
}

LayoutJson jsonOf(const DashboardCard& card) {
  LayoutJson json{{"kind", wordFor(kKindWords, card.kind)}};
  if (!card.title.empty()) json["title"] = card.title;
  for (const CardQuantity& one : card.quantities) {
    LayoutJson quantity{{"name", one.name}};
    if (one.axis != CardAxis::Left) quantity["axis"] = wordFor(kSideWords, one.axis);
    json["quantities"].push_back(std::move(quantity));
  }
  if (card.columns != 1) json["columns"] = card.columns;
  if (card.rows != 1) json["rows"] = card.rows;
  if (card.onlyWhereMeasured) json["onlyWhereMeasured"] = true;
  if (card.overTime) json["overTime"] = true;
  if (card.curves) json["curves"] = jsonOf(*card.curves);
  return json;
}

}  // namespace

Result<DashboardLayout> parseLayout(std::string_view text) {
  const auto json = parseOutsideJson(text, kMaxLayoutBytes, "the layout of a dashboard");
  if (!json) return failure(json.error());
  LayoutReader reader;
  DashboardLayout layout = reader.layout(*json);
  if (reader.error()) return failure(*reader.error());
  return layout;
}

std::string layoutText(const DashboardLayout& layout) {
  LayoutJson json{{"name", layout.name}, {"cards", LayoutJson::array()}};
  if (const LayoutJson curves = jsonOf(layout.curves); !curves.empty()) json["curves"] = curves;
  for (const DashboardCard& card : layout.cards) json["cards"].push_back(jsonOf(card));
  return json.dump(-1, ' ', false, LayoutJson::error_handler_t::replace);
}

}  // namespace lockstep
