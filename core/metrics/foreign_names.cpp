// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/foreign_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "metrics/metric_catalogue.h"

namespace lockstep {
namespace {

using Row = std::pair<std::string_view, std::string_view>;

constexpr std::string_view kAccuracyOfIt = "accuracy";

// What it is, without the part that says of which data, in lower case, with '_' between the words.
constexpr Row kNames[] = {
    {"lm_loss", metric::kLoss},
    {"running_loss", metric::kLoss},
    {"batch_loss", metric::kLoss},
    {"total_loss", metric::kLoss},
    {"acc", kAccuracyOfIt},
    {"binary_accuracy", kAccuracyOfIt},
    {"categorical_accuracy", kAccuracyOfIt},
    {"sparse_categorical_accuracy", kAccuracyOfIt},
    {"lr", metric::kLearningRate},
    {"lr_adam", metric::kLearningRate},
    {"lr_adamw", metric::kLearningRate},
    {"lr_sgd", metric::kLearningRate},
    {"grad_norm", metric::kGradientNorm},
    {"gnorm", metric::kGradientNorm},
    {"total_grad_norm", metric::kGradientNorm},
    {"samples/s", metric::kSamplesPerSecond},
    {"samples/sec", metric::kSamplesPerSecond},
    {"samples_per_sec", metric::kSamplesPerSecond},
    {"images/s", metric::kSamplesPerSecond},
    {"images/sec", metric::kSamplesPerSecond},
    {"images_per_sec", metric::kSamplesPerSecond},
    {"images_per_second", metric::kSamplesPerSecond},
    {"img/s", metric::kSamplesPerSecond},
    {"img/sec", metric::kSamplesPerSecond},
    {"examples/sec", metric::kSamplesPerSecond},
    {"examples_per_second", metric::kSamplesPerSecond},
    {"tokens/s", metric::kTokensPerSecond},
    {"tokens/sec", metric::kTokensPerSecond},
    {"tokens_per_sec", metric::kTokensPerSecond},
    {"tok/s", metric::kTokensPerSecond},
    {"tps", metric::kTokensPerSecond},
};

enum class Data { Unsaid, Training, Other };

struct DataWord {
  std::string_view word;
  Data data;
};
constexpr DataWord kDataWords[] = {
    {"train", Data::Training},   {"training", Data::Training}, {"val", Data::Other},
    {"valid", Data::Other},      {"validation", Data::Other},  {"eval", Data::Other},
    {"evaluation", Data::Other}, {"test", Data::Other},
};

Data dataOf(std::string_view word) {
  const auto* const found = std::find_if(std::begin(kDataWords), std::end(kDataWords),
                                         [&](const DataWord& one) { return one.word == word; });
  return found == std::end(kDataWords) ? Data::Unsaid : found->data;
}

std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    c = c == ' ' || c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// Takes the word that says of which data off the begin or the end: "train_loss", "Loss/val".
Data takeData(std::string& name) {
  constexpr std::string_view kBetween = "/_.";
  const std::size_t first = name.find_first_of(kBetween);
  if (first == std::string::npos) return Data::Unsaid;
  if (const Data data = dataOf(name.substr(0, first)); data != Data::Unsaid) {
    name.erase(0, first + 1);
    return data;
  }
  const std::size_t last = name.find_last_of(kBetween);
  const Data data = dataOf(name.substr(last + 1));
  if (data != Data::Unsaid) name.erase(last);
  return data;
}

std::string_view lastPart(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);  // npos + 1 is 0
}

}  // namespace

std::string metricNameOf(std::string_view name, std::string_view run) {
  std::string plain = lowered(name);
  Data data = takeData(plain);
  // Keras and Lightning say after what the value was taken.
  for (const std::string_view when : {"epoch_", "batch_", "evaluation_"})
    if (plain.starts_with(when) && plain.size() > when.size()) plain.erase(0, when.size());
  for (const std::string_view when : {"_step", "_epoch"})
    if (plain.ends_with(when) && plain.size() > when.size() && plain != "global_step")
      plain.resize(plain.size() - when.size());
  if (data == Data::Unsaid) data = dataOf(lowered(lastPart(run)));
  const auto* const row =
      std::find_if(std::begin(kNames), std::end(kNames), [&](const Row& one) { return one.first == plain; });
  const std::string_view known = row == std::end(kNames) ? std::string_view(plain) : row->second;
  const bool isKnown = row != std::end(kNames) || findMetric(known) != nullptr || known == kAccuracyOfIt;
  if (!isKnown) return std::string(name);
  if (data != Data::Other) return std::string(known);
  // The rate is the same whatever it was printed with; the loss is not.
  const bool isOfTraining = known == metric::kLearningRate || known == metric::kEpoch;
  return isOfTraining ? std::string(known) : "val_" + std::string(known);
}

}  // namespace lockstep
