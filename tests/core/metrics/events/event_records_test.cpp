// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/events/event_records.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "event_bytes.h"

namespace lockstep {
namespace {

using namespace events;

struct Outcome {
  std::vector<EventScalar> scalars;
  std::uint64_t skipped = 0;
  std::optional<ErrorCode> refused;

  bool operator==(const Outcome&) const = default;
};

Outcome read(std::string_view text, std::size_t atOnce = SIZE_MAX) {
  EventRecords records;
  Outcome outcome;
  for (std::size_t i = 0; i < text.size(); i += std::min(atOnce, text.size() - i)) {
    const auto some = records.add(text.substr(i, atOnce));
    if (!some) break;
    outcome.scalars.insert(outcome.scalars.end(), some->begin(), some->end());
  }
  outcome.skipped = records.skipped();
  if (const Error* why = records.refused()) outcome.refused = why->code;
  return outcome;
}

/// The one value of a file with an event of this summary; NaN: there is none.
double valueOf(std::string_view values) {
  const Outcome outcome = read(version() + record(summary(1, 1, values)));
  EXPECT_EQ(outcome.skipped, 0U);
  return outcome.scalars.size() == 1 ? outcome.scalars[0].value : std::nan("");
}

bool isPassedOver(std::string_view values) {
  return read(version() + record(summary(1, 1, values))) == Outcome();
}
bool isSkipped(std::string_view event) {
  return read(version() + record(event) + scalar("after", 1, 1)).skipped == 1;
}

std::string smallFile() {
  return version() + scalar("loss", 0, 2.5F) + record(summary(1.5, 1, simple("a", 1) + simple("b", 2))) +
         record(summary(2, 2, bytes(1, bytes(1, "h") + bytes(5, "histogram")))) +
         record(summary(2, 2, tensor("t", number(1, 1) + bytes(2, {}) + bytes(4, little(0x40490FDBU)))));
}

TEST(EventRecords, GiveWhatTrainingProgramsWrite) {
  const Outcome outcome = read(smallFile());
  ASSERT_EQ(outcome.scalars.size(), 4U);
  const EventScalar first{0, TimePoint(std::chrono::seconds(1'700'000'000)), "loss", 2.5};
  EXPECT_EQ(outcome.scalars[0], first);
  EXPECT_EQ(outcome.scalars[2].name, "b");
  EXPECT_EQ(outcome.scalars[2].step, 1);
  EXPECT_EQ(outcome.scalars[2].time, TimePoint(std::chrono::milliseconds(1500)));
  EXPECT_FLOAT_EQ(static_cast<float>(outcome.scalars[3].value), 3.14159274F);
  EXPECT_EQ(outcome.skipped, 0U);
  EXPECT_EQ(outcome.refused, std::nullopt);
}

TEST(EventRecords, AreTheSameInWhateverPiecesTheyCome) {
  const std::string file = smallFile();
  for (std::size_t length = 0; length <= file.size(); ++length) {
    const std::string_view part = std::string_view(file).substr(0, length);
    const Outcome whole = read(part);
    EXPECT_EQ(whole.refused, std::nullopt) << length;
    for (std::size_t atOnce = 1; atOnce <= length; ++atOnce)
      ASSERT_EQ(read(part, atOnce), whole) << length << " bytes, " << atOnce << " at once";
  }
}

TEST(EventRecords, NeverMakeAValueOfABitThatChanged) {
  const std::string file = smallFile();
  const Outcome truth = read(file);
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
    std::string changed = file;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    const Outcome outcome = read(changed, 7);
    EXPECT_NE(outcome.skipped > 0, outcome.refused.has_value()) << bit;
    for (const EventScalar& one : outcome.scalars)
      EXPECT_EQ(std::count(truth.scalars.begin(), truth.scalars.end(), one), 1) << bit;
  }
}

TEST(EventRecords, RefuseWhatIsNoEventFile) {
  for (const std::string& file :
       {std::string(100, '\0'), std::string("a text of more than twelve bytes"), record("not a message"),
        scalar("loss", 0, 1), record(bytes(3, "another format")), record({}), head(100 << 20)}) {
    EventRecords records;
    const auto some = records.add(file);
    ASSERT_FALSE(some) << file.size();
    EXPECT_EQ(some.error().code, ErrorCode::InvalidArgument);
    EXPECT_FALSE(some.error().cause.empty());
    EXPECT_FALSE(records.isTorn());
    EXPECT_FALSE(records.add(smallFile())) << "it is for good";
  }
}

TEST(EventRecords, StopWhereALengthIsWrong) {
  EventRecords records;
  std::string bad = head(5);
  bad[0] = 6;
  const auto some = records.add(version() + scalar("loss", 1, 1) + bad + scalar("loss", 2, 1));
  ASSERT_TRUE(some) << "what stood before it is given";
  EXPECT_EQ(some->size(), 1U);
  EXPECT_TRUE(records.isTorn());
  const auto more = records.add(scalar("loss", 3, 1));
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, ErrorCode::DataLoss);
}

TEST(EventRecords, SkipAnEventWithoutItsChecksum) {
  std::string bad = scalar("loss", 1, 1);
  bad.back() = static_cast<char>(bad.back() + 1);
  const Outcome outcome = read(version() + bad + scalar("loss", 2, 1));
  ASSERT_EQ(outcome.scalars.size(), 1U);
  EXPECT_EQ(outcome.scalars[0].step, 2);
  EXPECT_EQ(outcome.skipped, 1U);
}

TEST(EventRecords, SkipWhatIsTooLarge) {
  EventRecords records;
  ASSERT_TRUE(records.add(version() + head(100 << 20)));
  EXPECT_EQ(records.skipped(), 1U);
  const std::string piece(1 << 20, 'x');
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(records.add(piece));
  const auto some = records.add("sum." + scalar("loss", 1, 1));
  ASSERT_TRUE(some);
  EXPECT_EQ(some->size(), 1U);

  EventRecords endless;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(endless.add(i == 0 ? version() + head(UINT64_MAX) : piece));
  EXPECT_EQ(endless.skipped(), 1U);
}

TEST(EventRecords, TakeLargeOnes) {
  const std::string picture = bytes(1, bytes(1, "image") + bytes(4, std::string(3 << 20, 'x')));
  const Outcome outcome =
      read(version() + record(summary(1, 1, picture + simple("loss", 1))) + scalar("loss", 2, 1), 100'000);
  EXPECT_EQ(outcome.scalars.size(), 2U);
  EXPECT_EQ(outcome.skipped, 0U);
}

TEST(EventRecords, ReadTensorsOfEachType) {
  const std::string shape = bytes(2, {});
  const auto of = [&](std::uint64_t type, const std::string& rest) {
    return valueOf(tensor("t", number(1, type) + shape + rest));
  };
  EXPECT_EQ(of(1, bytes(4, little(std::bit_cast<std::uint32_t>(0.5F)))), 0.5);
  EXPECT_EQ(of(1, fixed32(5, 0.5F)), 0.5);
  EXPECT_EQ(of(1, bytes(5, little(std::bit_cast<std::uint32_t>(0.5F)))), 0.5) << "packed";
  EXPECT_EQ(of(2, bytes(4, little(std::bit_cast<std::uint64_t>(0.1)))), 0.1);
  EXPECT_EQ(of(2, fixed64(6, 0.1)), 0.1);
  EXPECT_EQ(of(2, bytes(6, little(std::bit_cast<std::uint64_t>(0.1)))), 0.1);
  EXPECT_EQ(of(3, bytes(4, little(std::uint32_t(-7)))), -7);
  EXPECT_EQ(of(3, number(7, std::uint64_t(-7))), -7);
  EXPECT_EQ(of(3, bytes(7, varint(std::uint64_t(-7)))), -7);
  EXPECT_EQ(of(9, bytes(4, little(std::uint64_t(-1) << 40))), -std::ldexp(1, 40));
  EXPECT_EQ(of(9, number(10, 1ULL << 40)), std::ldexp(1, 40));
  EXPECT_EQ(of(9, bytes(10, varint(1ULL << 40))), std::ldexp(1, 40));
  EXPECT_EQ(of(14, bytes(4, little(std::uint16_t(0xBF80)))), -1);
  EXPECT_EQ(of(14, number(13, 0x3F80)), 1);
  EXPECT_EQ(of(14, bytes(13, varint(0x4000))), 2);
}

TEST(EventRecords, ReadHalves) {
  const auto of = [](std::uint16_t bits) {
    return valueOf(tensor("t", number(1, 19) + bytes(2, {}) + bytes(13, varint(bits))));
  };
  EXPECT_EQ(of(0x3C00), 1);
  EXPECT_EQ(of(0xC100), -2.5);
  EXPECT_EQ(of(0x7BFF), 65504);
  EXPECT_EQ(of(0x0001), std::ldexp(1, -24));
  EXPECT_EQ(of(0xFC00), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(valueOf(tensor("t", number(1, 19) + bytes(4, little(std::uint16_t(0x3C00))))), 1);
  EXPECT_TRUE(std::isnan(of(0x7C01)));
}

TEST(EventRecords, TakeOnlyTensorsOfOneElement) {
  const std::string one = number(1, 1) + fixed32(5, 1), four = bytes(4, little(0U));
  EXPECT_EQ(valueOf(tensor("t", one)), 1) << "without a shape";
  EXPECT_EQ(valueOf(tensor("t", one + bytes(2, dimension(1) + dimension(1)))), 1);
  for (const std::string& other : {
           one + bytes(2, dimension(2)),
           one + bytes(2, dimension(0)),
           one + bytes(2, bytes(2, {})),
           one + bytes(2, dimension(std::uint64_t(-1))),
           one + bytes(2, dimension(1ULL << 32) + dimension(1ULL << 32)),
           one + bytes(2, number(3, 1)),
           one + fixed32(5, 2),
           number(1, 1) + bytes(5, std::string(8, 'x')),
           number(1, 1),
           number(1, 7) + bytes(8, "a text"),
           number(1, 2) + four,
           four,
       })
    EXPECT_TRUE(isPassedOver(tensor("t", other)));
}

TEST(EventRecords, PassOverOtherPlugins) {
  const std::string one = number(1, 1) + fixed32(5, 1);
  EXPECT_EQ(valueOf(tensor("t", one, "scalars")), 1);
  EXPECT_EQ(valueOf(tensor("t", one, "")), 1);
  for (const char* other : {"histograms", "images", "audio", "text", "hparams", "pr_curves", "graphs"})
    EXPECT_TRUE(isPassedOver(tensor("t", one, other))) << other;
  EXPECT_TRUE(isPassedOver(bytes(1, fixed32(2, 1)))) << "without a tag";
  EXPECT_TRUE(isPassedOver(bytes(1, bytes(1, "t") + fixed32(2, 1) + bytes(4, "image"))))
      << "the last of several contents counts";
  EXPECT_EQ(valueOf(bytes(1, plugin("scalars") + fixed32(2, 3) + bytes(1, "t"))), 3) << "in any order";
}

TEST(EventRecords, TakeNanAndInfinities) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Outcome outcome = read(version() + scalar("a", 1, std::nanf("")) + scalar("a", 2, -infinity));
  ASSERT_EQ(outcome.scalars.size(), 2U);
  EXPECT_TRUE(std::isnan(outcome.scalars[0].value));
  EXPECT_EQ(outcome.scalars[1].value, -infinity);
}

TEST(EventRecords, SkipStepsAndTimesOutOfBounds) {
  const long long most = 1LL << 53;
  EXPECT_EQ(read(version() + scalar("a", most, 1) + scalar("a", -most, 1)).scalars.size(), 2U);
  for (const auto& [seconds, step] :
       std::vector<std::pair<double, long long>>{{1, most + 1},
                                                 {1, -most - 1},
                                                 {1, std::numeric_limits<long long>::min()},
                                                 {-1, 1},
                                                 {7'258'118'400, 1},
                                                 {1e300, 1},
                                                 {std::nan(""), 1}})
    EXPECT_TRUE(isSkipped(summary(seconds, step, simple("a", 1)))) << seconds << ' ' << step;
}

TEST(EventRecords, SkipMessagesThatAreCutOrNoProtobuf) {
  const std::string good = summary(1, 1, simple("a", 1) + simple("b", 1));
  for (std::size_t length = 1; length < good.size(); ++length) {
    const Outcome outcome = read(version() + record(std::string_view(good).substr(0, length)));
    EXPECT_TRUE(outcome.scalars.empty()) << length;
  }
  EXPECT_TRUE(isSkipped(good + key(20, 3))) << "a group";
  EXPECT_TRUE(isSkipped(good + key(20, 7)));
  EXPECT_TRUE(isSkipped(good + number(0, 1)));
  EXPECT_TRUE(isSkipped(good + number(1ULL << 29, 1)));
  EXPECT_TRUE(isSkipped(good + std::string(11, '\x80')));
  EXPECT_TRUE(isSkipped(good + key(20, 2) + varint(UINT64_MAX)));
  EXPECT_TRUE(isSkipped(summary(1, 1, simple("a", 1) + key(1, 2) + varint(3) + "x")));
  EXPECT_TRUE(isSkipped(summary(1, 1, tensor("t", bytes(2, bytes(2, "\x08"))))));
  EXPECT_TRUE(isSkipped(summary(1, 1, tensor("t", number(1, 1) + bytes(5, "odd")))));
  EXPECT_TRUE(isSkipped(summary(1, 1, bytes(1, bytes(1, "t") + fixed32(2, 1) + bytes(9, "\x0A")))));
  EXPECT_FALSE(isSkipped(good + number(20, 1) + bytes(21, "unknown") + fixed32(22, 1) + fixed64(23, 1)));
}

TEST(EventRecords, SkipMoreScalarsThanAnyoneWrites) {
  std::string values;
  for (int i = 0; i < 65'537; ++i) values += simple("a", 1);
  EXPECT_TRUE(isSkipped(summary(1, 1, values)));
}

TEST(EventRecords, MakeNamesOfTags) {
  const auto nameOf = [](const std::string& tag) {
    const Outcome outcome = read(version() + scalar(tag, 1, 1));
    return outcome.scalars.empty() ? std::string() : outcome.scalars[0].name;
  };
  EXPECT_EQ(nameOf("train/loss (mean)"), "train/loss (mean)");
  EXPECT_EQ(nameOf("größe"), "größe");
  EXPECT_EQ(nameOf(std::string("a\nb\0c", 5)), "a␊b␀c");
  EXPECT_EQ(nameOf("a\tb"), "a b");
  EXPECT_EQ(nameOf("\xFF"), "\\xFF");
  EXPECT_EQ(nameOf(std::string(400, 'x')), std::string(300, 'x'));
  EXPECT_EQ(nameOf(std::string(299, 'x') + "ö"), std::string(299, 'x')) << "no half a character";
  EXPECT_LE(nameOf(std::string(300, '\n')).size(), 300U);
  EXPECT_LE(nameOf(std::string(1 << 20, '\x80')).size(), 300U);
}

}  // namespace
}  // namespace lockstep
