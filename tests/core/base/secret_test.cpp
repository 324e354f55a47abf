// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/secret.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <string>

namespace lockstep {
namespace {

// Short enough for a string's own buffer.
constexpr std::string_view kShort = "hunter2hunter2";

/// Room for secrets that can be looked through after they are gone.
class Room {
 public:
  template <class... Arguments>
  Secret* make(Arguments&&... arguments) {
    return new (bytes_.data() + sizeof(Secret) * used_++) Secret(std::forward<Arguments>(arguments)...);
  }
  [[nodiscard]] bool holds(std::string_view text) const {
    const std::string all(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
    return all.find(text) != std::string::npos;
  }

 private:
  alignas(Secret) std::array<std::byte, 8 * sizeof(Secret)> bytes_{};
  std::size_t used_ = 0;
};

TEST(Secret, LeavesNoCopyInWhatItWasMovedFromSwappedWithOrDestroyedIn) {
  Room room;
  Secret* first = room.make(kShort);
  Secret* second = room.make(std::move(*first));
  EXPECT_TRUE(first->empty());
  EXPECT_EQ(second->reveal(), kShort);
  Secret* third = room.make();
  *third = std::move(*second);
  std::swap(*third, *second);
  *first = *second;
  EXPECT_EQ(first->reveal(), kShort);
  *second = Secret("another");
  for (Secret* one : {first, second, third}) std::destroy_at(one);
  EXPECT_FALSE(room.holds(kShort.substr(0, 7)));
  EXPECT_FALSE(room.holds("another"));
}

TEST(Secret, ACopyOutlivesItsOriginal) {
  auto original = std::make_unique<Secret>(kShort);
  const Secret copy = *original;
  original.reset();
  EXPECT_EQ(copy.reveal(), kShort);
}

TEST(Secret, ATextThatIsHandedOverIsWiped) {
  for (std::string text : {std::string(kShort), std::string(200, 'x')}) {
    const std::string expected = text;
    const Secret secret(std::move(text));
    EXPECT_EQ(secret.reveal(), expected);
    EXPECT_TRUE(text.empty());  // NOLINT(bugprone-use-after-move): that is what is asked here
    EXPECT_EQ(std::string(text.data(), 14).find(expected.substr(0, 14)), std::string::npos);
  }
}

}  // namespace
}  // namespace lockstep
