// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/foreign_names.h"

#include <gtest/gtest.h>

#include "metrics/metric_catalogue.h"

namespace lockstep {
namespace {

TEST(ForeignNames, AreThoseOfTheCatalogueWhereTheyMeanTheSame) {
  const std::pair<const char*, const char*> kSame[] = {{"loss", "loss"},
                                                       {"Loss/train", "loss"},
                                                       {"train/loss", "loss"},
                                                       {"train_loss", "loss"},
                                                       {"train_loss_step", "loss"},
                                                       {"epoch_loss", "loss"},
                                                       {"lm loss", "loss"},
                                                       {"lr", "learning_rate"},
                                                       {"lr-Adam", "learning_rate"},
                                                       {"train/learning_rate", "learning_rate"},
                                                       {"grad_norm", "gradient_norm"},
                                                       {"train/grad_norm", "gradient_norm"},
                                                       {"train/epoch", "epoch"},
                                                       {"images/sec", "samples_per_second"},
                                                       {"train/samples_per_second", "samples_per_second"},
                                                       {"tokens_per_sec", "tokens_per_second"},
                                                       {"acc", "accuracy"},
                                                       {"train_acc", "accuracy"},
                                                       {"accuracy_percent", "accuracy_percent"}};
  for (const auto& [name, same] : kSame) EXPECT_EQ(metricNameOf(name, ""), same) << name;
}

TEST(ForeignNames, OfOtherDataStayApart) {
  for (const char* name :
       {"val_loss", "Loss/val", "eval/loss", "validation/epoch_loss", "test_loss", "valid_loss_epoch"})
    EXPECT_EQ(metricNameOf(name, ""), "val_loss") << name;
  EXPECT_EQ(metricNameOf("epoch_loss", "logs/validation"), "val_loss");
  EXPECT_EQ(metricNameOf("epoch_loss", "logs/train"), "loss");
  EXPECT_EQ(metricNameOf("train_loss", "validation"), "loss") << "the name itself says it";
  EXPECT_EQ(metricNameOf("val_acc", ""), "val_accuracy");
  EXPECT_EQ(metricNameOf("eval/epoch", ""), "epoch");
}

TEST(ForeignNames, KeepWhatMeansNothingHere) {
  for (const char* name : {"my/own", "global_step", "Reward", "val/bleu", "/", "_", "", "train/", "lr-"})
    EXPECT_EQ(metricNameOf(name, ""), name);
  for (const MetricInfo& metric : metricCatalogue()) {
    if (metric.source == MetricSource::Rank) {
      EXPECT_EQ(metricNameOf(metric.name, ""), metric.name);
    }
  }
}

}  // namespace
}  // namespace lockstep
