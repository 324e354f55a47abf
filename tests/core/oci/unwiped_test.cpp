// SPDX-License-Identifier: GPL-3.0-or-later
// What a profile's secrets leave behind in memory that is given back.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/atomic_file.h"
#include "oci/signing/profile.h"
#include "temp_dir.h"

namespace {

constexpr char kLong[] = "a pass phrase of more letters than a string keeps within itself";
constexpr char kShort[] = "hunter2hunter2";

std::atomic<bool> isWatched{false};
std::atomic<int> unwiped{0};

void look(void* memory) {
  if (!isWatched || memory == nullptr) return;
  const std::size_t size = ::malloc_usable_size(memory);
  for (const char* secret : {kLong, kShort})
    if (::memmem(memory, size, secret, std::strlen(secret)) != nullptr) ++unwiped;
}

}  // namespace

// Stand before the library's: every block is looked at when it is given back.
void* operator new(std::size_t size) {
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  look(memory);
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}

namespace lockstep::oci {
namespace {

TEST(Unwiped, NoCopyOfASecretIsLeftOfReadingAProfile) {
  const TempDir dir;
  const std::string file = (dir.path() / "config").string();
  for (const char* key : {"pass_phrase", "passphrase", "key_content"}) {
    for (const char* secret : {kLong, kShort}) {
      ASSERT_TRUE(
          writeFileAtomically(file, std::string("[DEFAULT]\ntenancy=t\nuser=u\nfingerprint=f\nregion=iad\n"
                                                "key_file=k\n") +
                                        key + "=" + secret + "\n[OTHER]\nuser=v\n"));
      for (const char* profile : {"DEFAULT", "OTHER"}) {
        unwiped = 0;
        isWatched = true;
        const auto loaded = loadProfile({file, profile}, {});
        isWatched = false;
        ASSERT_TRUE(loaded) << describe(loaded.error());
        EXPECT_EQ((loaded->keyContent.empty() ? loaded->passPhrase : loaded->keyContent).reveal(), secret);
        EXPECT_EQ(unwiped, 0) << key << " of [" << profile << "]: " << secret;
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::oci
