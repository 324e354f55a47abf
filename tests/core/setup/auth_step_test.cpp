// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/auth/auth_step.h"
#include "oci/signing/private_key.h"
#include "setup/auth/key_pair.h"
#include "tests/core/setup/local_world.h"

namespace lockstep::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

StepReport auth(const LocalWorld& world) {
  return makeAuthStep(world.context())->check({});
}
Result<void> takenBack(const LocalWorld& world, const AppliedChange& change) {
  // As a later process has it: through the journal's JSON.
  AppliedChange again = change;
  again.undo = json::parse(change.undo.dump());
  return makeAuthStep(world.context())->takeBack(again, {});
}

class AuthInARegion : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { region = new RegionUnderTest(); }
  static void TearDownTestSuite() { delete region; }
  static RegionUnderTest* region;
  LocalWorld world{*region};

  [[nodiscard]] std::string userId() const { return world.value("user"); }
  /// A copy of the profile's key that tests may close, open and move.
  fs::path ownKey() const {
    const fs::path key = world.dir.path() / "oci/key.pem";
    const auto text = readFile(world.value("key_file"));
    if (!text || !writeFileAtomically(key, *text, 0600)) throw std::runtime_error("no key");
    world.setValue("key_file", key.string());
    return key;
  }
  /// Another user of the tenancy: its id.
  static std::string makeUser(const std::string& name) {
    return tell(*region, "POST", "/rehearsal/users", {{"name", name}, {"groups", json::array()}})["userId"];
  }
};
RegionUnderTest* AuthInARegion::region = nullptr;

TEST_F(AuthInARegion, AGoodProfileIsReady) {
  const StepReport report = auth(world);
  EXPECT_EQ(report.state, StepState::Ready) << textOf(report);
  EXPECT_TRUE(says(report, "you are the user 'lockstep'")) << textOf(report);
  EXPECT_TRUE(says(report, "GetNamespace 200, opc-request-id")) << textOf(report);
  EXPECT_TRUE(report.fixes.empty()) << textOf(report);
}

TEST_F(AuthInARegion, FilesThatOthersCanReadAreClosedAndOpenedAgain) {
  const fs::path key = ownKey();
  for (const auto& [file, code, id] : {std::tuple{key, "readable-key", "close-key"},
                                       std::tuple{world.config(), "readable-config", "close-config"}}) {
    ::chmod(file.c_str(), 0644);
    const StepReport report = auth(world);
    EXPECT_TRUE(hasCode(report, code)) << textOf(report);
    const auto changes = applied(report, id);
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(modeOf(file), 0600U);
    EXPECT_EQ(auth(world).state, StepState::Ready) << textOf(auth(world));
    EXPECT_TRUE(takenBack(world, changes[0]));
    EXPECT_EQ(modeOf(file), 0644U);
    const auto again = takenBack(world, changes[0]);
    ASSERT_FALSE(again) << "it is not as the fix left it";
    EXPECT_EQ(again.error().code, ErrorCode::FailedPrecondition);
    ::chmod(file.c_str(), 0600);
  }
}

TEST_F(AuthInARegion, AFixThatIsNoLongerAboutWhatWasShownIsRefused) {
  const fs::path key = ownKey();
  ::chmod(key.c_str(), 0644);
  const StepReport report = auth(world);
  ::chmod(key.c_str(), 0640);
  const auto changes = fixOf(report, "close-key")->apply({});
  ASSERT_FALSE(changes);
  EXPECT_EQ(changes.error().code, ErrorCode::FailedPrecondition);
  EXPECT_EQ(modeOf(key), 0640U);
}

TEST_F(AuthInARegion, AFingerprintIsCorrectedFromTheKeyAndNothingElseChanges) {
  const std::string fine = world.text(), right = world.value("fingerprint");
  for (const char* wrong : {"00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff", "nonsense"}) {
    world.setValue("fingerprint", wrong);
    const std::string before = world.text();
    const StepReport report = auth(world);
    EXPECT_EQ(report.state, StepState::Blocked) << textOf(report);
    const auto changes = applied(report, "correct-fingerprint");
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(world.value("fingerprint"), right);
    EXPECT_EQ(world.text(), fine);
    EXPECT_EQ(modeOf(world.config()), 0600U);
    EXPECT_EQ(auth(world).state, StepState::Ready) << textOf(auth(world));
    EXPECT_TRUE(takenBack(world, changes[0]));
    EXPECT_EQ(world.text(), before);
  }
  world.setValue("fingerprint", std::nullopt);
  EXPECT_TRUE(hasCode(auth(world), "missing-fingerprint"));
  const auto changes = applied(auth(world), "correct-fingerprint");
  EXPECT_EQ(world.value("fingerprint"), right);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_TRUE(takenBack(world, changes[0]));
  EXPECT_EQ(world.value("fingerprint"), "") << "there was none before";
}

TEST_F(AuthInARegion, AKeyThatWasMovedIsFoundByItsFingerprint) {
  const fs::path key = ownKey(), other = world.dir.path() / "oci/elsewhere.pem";
  fs::rename(key, other);
  const StepReport report = auth(world);
  EXPECT_TRUE(hasCode(report, "missing-key")) << textOf(report);
  applied(report, "use-key-of-fingerprint");
  EXPECT_EQ(world.value("key_file"), other.string());
  EXPECT_EQ(auth(world).state, StepState::Ready) << textOf(auth(world));
}

TEST_F(AuthInARegion, AProfileIsMadeUploadedAndTakenBack) {
  const std::string canary = "# a comment of mine; pass_phrase of nothing\n";
  ASSERT_TRUE(writeFileAtomically(world.config(), canary + world.text(), 0600));
  const std::string before = world.text();
  const std::string user = makeUser("newcomer");
  world.setup.query.profile = "MINE";
  world.setup.choices.newTenancy = world.value("tenancy");
  world.setup.choices.newUser = user;
  world.setup.choices.newRegion = world.value("region");
  const StepReport report = auth(world);
  EXPECT_TRUE(hasCode(report, "missing-profile")) << textOf(report);
  const ProposedFix* fix = fixOf(report, "create-profile");
  ASSERT_NE(fix, nullptr) << textOf(report);
  EXPECT_FALSE(fix->isUnsafe);
  EXPECT_NE(fix->after.find("BEGIN PUBLIC KEY"), std::string::npos) << fix->after;
  EXPECT_EQ(fix->after.find("PRIVATE"), std::string::npos);
  EXPECT_EQ(world.text(), before) << "a check has written something";
  const auto changes = applied(report, "create-profile");
  ASSERT_EQ(changes.size(), 2U) << "the profile and the key that was uploaded";
  const fs::path key = world.value("key_file", "MINE");
  EXPECT_EQ(modeOf(key), 0600U);
  EXPECT_EQ(modeOf(key.parent_path()), 0700U);
  EXPECT_EQ(modeOf(world.config()), 0600U);
  EXPECT_TRUE(world.text().starts_with(before)) << "other profiles or comments were touched";
  EXPECT_NE(fix->after.find(world.value("fingerprint", "MINE")), std::string::npos)
      << "another key than the one shown";
  const StepReport after = auth(world);
  EXPECT_EQ(after.state, StepState::Ready) << textOf(after);
  EXPECT_TRUE(says(after, "you are the user 'newcomer'")) << textOf(after);

  const std::string secret = readFile(key).value_or("").substr(200, 60);
  ASSERT_EQ(secret.size(), 60U);
  EXPECT_EQ(filesWith(world.dir.path(), secret), std::vector<std::string>{key.string()});
  for (const AppliedChange& change : changes)
    EXPECT_EQ((change.undo.dump() + change.title).find("PRIVATE"), std::string::npos);

  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    const auto done = takenBack(world, *change);
    EXPECT_TRUE(done) << (done ? "" : describe(done.error()));
  }
  EXPECT_EQ(world.text(), before);
  EXPECT_FALSE(fs::exists(key));
  EXPECT_EQ(region->caller().get("/20160918/users/" + user + "/apiKeys").json().size(), 1U)
      << "only the key that the user came with";
}

TEST_F(AuthInARegion, AProfileThatSomebodyHasChangedSinceIsNotTakenBack) {
  world.setup.query.profile = "MINE";
  world.setup.choices.newTenancy = world.value("tenancy");
  world.setup.choices.newUser = makeUser("changed");
  world.setup.choices.newRegion = world.value("region");
  const auto changes = applied(auth(world), "create-profile");
  ASSERT_FALSE(changes.empty());
  world.setValue("region", "us-phoenix-1");
  const auto done = takenBack(world, changes[0]);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::FailedPrecondition);
  EXPECT_TRUE(fs::exists(world.value("key_file", "MINE")));
}

TEST_F(AuthInARegion, WithoutChoicesNothingCanBeMade) {
  world.setup.query.profile = "MINE";
  const StepReport report = auth(world);
  EXPECT_EQ(report.state, StepState::Blocked);
  EXPECT_TRUE(report.fixes.empty());
  EXPECT_TRUE(says(report, "choose its tenancy, user and region")) << textOf(report);
}

TEST_F(AuthInARegion, AKeyThatIsNotUploadedIsToldFromOneThatIs) {
  const auto keys = makeKeyPair();
  ASSERT_TRUE(keys);
  const fs::path key = world.dir.path() / "oci/fresh.pem";
  ASSERT_TRUE(writeNewFile(key, keys->privatePem.reveal(), 0600));
  const auto text = withProfile(world.text(), "FRESH",
                                {{"tenancy", world.value("tenancy")},
                                 {"user", makeUser("fresh")},
                                 {"region", world.value("region")},
                                 {"lockstep_endpoint", world.value("lockstep_endpoint")},
                                 {"fingerprint", keys->fingerprint},
                                 {"key_file", key.string()}});
  ASSERT_TRUE(text && writeFileAtomically(world.config(), *text, 0600));
  world.setup.query.profile = "FRESH";
  StepReport report = auth(world);
  EXPECT_TRUE(hasCode(report, "key-not-uploaded")) << textOf(report);
  const auto changes = applied(report, "upload-key");
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(auth(world).state, StepState::Ready) << textOf(auth(world));
  EXPECT_TRUE(takenBack(world, changes[0]));
  EXPECT_EQ(auth(world).state, StepState::Blocked);

  // Alone in its file, nobody can tell; what is to be pasted is written.
  const auto alone = withoutProfile(world.text(), "REHEARSAL");
  ASSERT_TRUE(alone && writeFileAtomically(world.config(), *alone, 0600));
  report = auth(world);
  EXPECT_TRUE(hasCode(report, "not-authenticated")) << textOf(report);
  const auto written = applied(report, "write-public-key");
  ASSERT_EQ(written.size(), 1U);
  const fs::path publicFile = world.dir.path() / "oci/fresh_public.pem";
  EXPECT_EQ(readFile(publicFile).value_or(""), keys->publicPem);
  EXPECT_NE(fixOf(report, "write-public-key")->after.find(keys->publicPem), std::string::npos);
  EXPECT_TRUE(takenBack(world, written[0]));
  EXPECT_FALSE(fs::exists(publicFile));
}

TEST_F(AuthInARegion, ALostKeyIsReplacedOnlyWhenThatIsAskedFor) {
  world.setValue("key_file", (world.dir.path() / "oci/lost.pem").string());
  const std::string before = world.text();
  const StepReport report = auth(world);
  const ProposedFix* fix = fixOf(report, "new-key");
  ASSERT_NE(fix, nullptr) << textOf(report);
  EXPECT_FALSE(fix->isDoneUnasked());
  const auto changes = applied(report, "new-key");
  const fs::path key = world.value("key_file");
  EXPECT_EQ(modeOf(key), 0600U);
  EXPECT_TRUE(hasCode(auth(world), "not-authenticated")) << "nobody has uploaded it yet";
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_TRUE(takenBack(world, changes[0]));
  EXPECT_EQ(world.text(), before);
  EXPECT_FALSE(fs::exists(key));
}

TEST_F(AuthInARegion, ASessionThatEndsSoonIsRenewed) {
  const json begun = tell(*region, "POST", "/rehearsal/sessions", {{"minutes", 10}});
  const fs::path token = world.dir.path() / "oci/token", key = world.dir.path() / "oci/session.pem";
  ASSERT_TRUE(writeFileAtomically(token, begun["token"].get<std::string>(), 0600));
  ASSERT_TRUE(writeFileAtomically(key, begun["privateKey"].get<std::string>(), 0600));
  const auto text = withProfile(world.text(), "SESSION",
                                {{"tenancy", world.value("tenancy")},
                                 {"region", world.value("region")},
                                 {"lockstep_endpoint", world.value("lockstep_endpoint")},
                                 {"key_file", key.string()},
                                 {"security_token_file", token.string()}});
  ASSERT_TRUE(text && writeFileAtomically(world.config(), *text, 0600));
  world.setup.query.profile = "SESSION";
  StepReport report = auth(world);
  EXPECT_EQ(report.state, StepState::Warning) << textOf(report);
  EXPECT_TRUE(hasCode(report, "session-ends-soon")) << textOf(report);
  EXPECT_TRUE(applied(report, "refresh").empty()) << "an old token must be kept nowhere";
  const std::string fresh = readFile(token).value_or("");
  EXPECT_NE(fresh, begun["token"]);
  EXPECT_EQ(modeOf(token), 0600U);
  EXPECT_EQ(auth(world).state, StepState::Warning) << "it works, for ten minutes again";
  ASSERT_TRUE(writeFileAtomically(token, "a.eyJleHAiOjF9.c", 0600));  // ended in 1970
  report = auth(world);
  EXPECT_TRUE(hasCode(report, "expired-token")) << textOf(report);
  EXPECT_TRUE(says(report, "oci session authenticate")) << textOf(report);
  EXPECT_EQ(filesWith(world.dir.path(), fresh.substr(0, 60)).size(), 0U);
}

TEST_F(AuthInARegion, ARegionThatTheTenancyDoesNotHaveIsAWarning) {
  world.setValue("region", "us-phoenix-1");
  const StepReport report = auth(world);
  EXPECT_TRUE(hasCode(report, "region-not-subscribed")) << textOf(report);
}

TEST_F(AuthInARegion, EveryKeyThatIsMissingIsNamed) {
  for (const char* key : {"user", "tenancy", "region"}) {
    LocalWorld other(*region);
    if (std::string(key) == "region") other.setValue("lockstep_endpoint", std::nullopt);
    other.setValue(key, std::nullopt);
    EXPECT_TRUE(hasCode(auth(other), std::string("missing-") + key)) << textOf(auth(other));
  }
}

// ---- the text of config files

constexpr const char* kText =
    "# mine\r\n[DEFAULT]\r\nuser=a\r\n\r\n; about B\r\n[B]\r\nkey_file = ~/x ; y\r\n pass_phrase=s3cret\r\n";

TEST(ProfileWriter, KeepsEverythingElseByteForByte) {
  const std::string marked = "\xEF\xBB\xBF[A]\nuser=a";
  for (const std::string& text :
       {std::string(kText), std::string(), std::string("[A]"), marked, std::string("# only a comment\n")}) {
    const auto more = withProfile(text, "NEW", {{"user", "u=v"}, {"region", "r"}});
    ASSERT_TRUE(more);
    EXPECT_TRUE(more->starts_with(text)) << text;
    EXPECT_EQ(ownValues(*more, "NEW").value().at("user"), "u=v");
    const auto less = withoutProfile(*more, "NEW");
    ASSERT_TRUE(less);
    EXPECT_TRUE(*less == text || *less == text + "\n" || *less == text + "\r\n") << *less;
  }
}

TEST(ProfileWriter, ReplacesAddsAndRemovesOneValue) {
  std::string text = withValue(kText, "B", "key_file", "/new").value();
  EXPECT_NE(text.find("key_file = /new\r\n"), std::string::npos) << text;
  text = withValue(text, "B", "region", "r").value();
  EXPECT_TRUE(text.ends_with(" pass_phrase=s3cret\r\nregion=r\r\n")) << text;
  text = withValue(text, "B", "region", std::nullopt).value();
  EXPECT_EQ(text, withValue(kText, "B", "key_file", "/new").value());
  text = withValue(kText, "DEFAULT", "region", "r").value();
  EXPECT_NE(text.find("user=a\r\nregion=r\r\n\r\n; about B"), std::string::npos) << text;
  EXPECT_EQ(withValue("[A]\nuser=a", "A", "b", "c").value(), "[A]\nuser=a\nb=c\n");
}

TEST(ProfileWriter, RefusesWhatWouldBreakTheFile) {
  EXPECT_EQ(withProfile(kText, "B", {}).error().code, ErrorCode::AlreadyExists);
  for (const char* name : {"", "a]b", "a\nb", " a"}) EXPECT_FALSE(withProfile("", name, {})) << name;
  EXPECT_FALSE(withProfile("", "A", {{"user", "a\nkey_file=/x"}}));
  EXPECT_FALSE(withValue(kText, "B", "user", "a\r\n[C]"));
  EXPECT_EQ(withValue(kText, "C", "user", "a").error().code, ErrorCode::NotFound);
  EXPECT_EQ(withoutProfile(kText, "C").error().code, ErrorCode::NotFound);
}

TEST(ProfileWriter, ShowsNoSecret) {
  EXPECT_EQ(shownProfile(kText, "B"), "[B]\nkey_file = ~/x ; y\npass_phrase=…\n");
  EXPECT_EQ(shownProfile("[A]\n# pass_phrase=s3cret\nkey_content=s3cret\n", "A"), "[A]\nkey_content=…\n");
}

TEST(KeyPairs, AreFreshOfTheRightSizeAndPrivate) {
  const auto one = makeKeyPair(), other = makeKeyPair();
  ASSERT_TRUE(one && other);
  EXPECT_NE(one->fingerprint, other->fingerprint);
  const auto key = oci::parsePrivateKey(one->privatePem.reveal(), Secret(), "a test's");
  ASSERT_TRUE(key);
  EXPECT_EQ(EVP_PKEY_get_bits(key->get()), 2048);
  EXPECT_EQ(oci::fingerprintOf(key->get()), one->fingerprint);
  EXPECT_EQ(publicPemOf(key->get()).value_or(""), one->publicPem);
  const TempDir dir;
  const fs::path file = dir.path() / "new/key.pem";
  ASSERT_TRUE(writeNewFile(file, "first", 0600));
  EXPECT_EQ(modeOf(file), 0600U);
  EXPECT_EQ(modeOf(file.parent_path()), 0700U);
  EXPECT_EQ(writeNewFile(file, "second", 0600).error().code, ErrorCode::AlreadyExists);
  EXPECT_EQ(readFile(file).value_or(""), "first");
}

}  // namespace
}  // namespace lockstep::testing
