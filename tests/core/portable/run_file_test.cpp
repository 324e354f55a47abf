// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/run_file.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>
#include <map>
#include <random>

#include "base/atomic_file.h"
#include "object_store_conformance.h"
#include "portable/open_saved_run.h"
#include "portable/run_file_format.h"
#include "portable/run_file_writer.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::map<std::string, std::string>& objects) {
  auto writer = RunFileWriter::create(path);
  ASSERT_TRUE(writer) << describe(writer.error());
  for (const auto& [name, bytes] : objects) ASSERT_TRUE(writer->add(name, bytes));
  const auto done = writer->finish();
  ASSERT_TRUE(done) << describe(done.error());
}

/// Every put writes the whole file anew, so that what is asked of any store can be asked of what reads such a file.
class RewrittenFile final : public ObjectStore {
 public:
  explicit RewrittenFile(fs::path path) : path_(std::move(path)) { rewrite(); }
  Result<void> put(const std::string& name, std::string_view bytes, const std::stop_token&) override {
    objects_["inside/" + name] = std::string(bytes);
    rewrite();
    return {};
  }
  Result<void> putNew(const std::string& name, std::string_view, const std::stop_token&) override {
    return failure(ErrorCode::AlreadyExists, name);
  }
  Result<std::string> get(const std::string& name, const std::stop_token& stop) override {
    return store_->get(name, stop);
  }
  Result<std::vector<ObjectInfo>> list(const std::string& prefix, const std::string& startAfter,
                                       const std::stop_token& stop) override {
    return store_->list(prefix, startAfter, stop);
  }
  Result<void> remove(const std::string& name, const std::stop_token&) override {
    if (objects_.erase("inside/" + name) == 0) return failure(ErrorCode::NotFound, name);
    rewrite();
    return {};
  }
  [[nodiscard]] std::string describe() const override { return store_->describe(); }

 private:
  void rewrite() {
    auto objects = objects_;
    objects["outside"] = "of no folder";
    write(path_, objects);
    const auto file = RunFile::open(path_);
    ASSERT_TRUE(file) << lockstep::describe(file.error());
    store_ = storeIn(*file, "inside/", "");
  }
  fs::path path_;
  std::map<std::string, std::string> objects_;
  std::shared_ptr<ObjectStore> store_;
};

struct RunFileTest : testing::Test {
  TempDir temp;
  fs::path path = temp.path() / "a run?#%.lockstep";

  void writeRun() {
    write(path, {{"run.json", R"({"id":"cifar-1","name":"cifar","jobId":"ocid1.job","nodes":[]})"},
                 {"work-dir/lockstep/metrics/rank-00000/raw/0000000000.lsm", std::string(100'000, 's')},
                 {"work-dir/lockstep/run.json", "{}"}});
  }
  void alter(const std::function<void(SQLite::Database&)>& how) const {
    SQLite::Database db(path.string(), SQLite::OPEN_READWRITE);
    how(db);
  }
  Error refusalOf() const {
    const auto opened = openSavedRun(path);
    EXPECT_FALSE(opened) << "it was taken";
    return opened ? Error{} : opened.error();
  }
  void expectRefused(ErrorCode code, const std::string& says) const {
    const Error why = refusalOf();
    EXPECT_EQ(why.code, code) << describe(why);
    EXPECT_NE(why.cause.find(says), std::string::npos) << describe(why);
    EXPECT_NE(why.what.find(path.string()), std::string::npos) << describe(why);
    EXPECT_FALSE(why.remedy.empty()) << describe(why);
  }
};

TEST_F(RunFileTest, IsAStoreLikeAnyOther) {
  RewrittenFile store(path);
  ObjectStoreConformance conformance(store);
  conformance.emptyStoreIsEmpty();
  conformance.bytesComeBack();
  conformance.listingIsInByteOrder();
  conformance.prefixAndStartAfter();
  conformance.removedIsGone();
  conformance.oddNames();
}

TEST_F(RunFileTest, LooksLikeTheFolderOfARun) {
  writeRun();
  const auto opened = openSavedRun(path);
  ASSERT_TRUE(opened) << describe(opened.error());
  EXPECT_EQ(opened->run.name, "cifar");
  EXPECT_TRUE(isReadOnly(opened->run));
  const auto names = [&](const std::string& prefix, const std::string& after) {
    std::vector<std::string> found;
    const auto listed = opened->workDir->list(prefix, after, {});
    EXPECT_TRUE(listed);
    for (const ObjectInfo& one : *listed) found.push_back(one.name);
    return found;
  };
  const std::vector<std::string> all{"ocid1.job/lockstep/metrics/rank-00000/raw/0000000000.lsm",
                                     "ocid1.job/lockstep/run.json"};
  EXPECT_EQ(names("", ""), all);
  EXPECT_EQ(names("ocid1.job/", ""), all);
  EXPECT_EQ(names("ocid1.job/lockstep/m", ""), std::vector(1, all[0]));
  EXPECT_EQ(names("ocid1.job/", all[0]), std::vector(1, all[1]));
  EXPECT_EQ(names("", "ocid1.joc"), std::vector<std::string>());
  EXPECT_EQ(names("another/", ""), std::vector<std::string>());
  EXPECT_EQ(opened->workDir->get(all[1], {}).value(), "{}");
  EXPECT_EQ(opened->workDir->get("another/lockstep/run.json", {}).error().code, ErrorCode::NotFound);
  EXPECT_EQ(opened->workDir->put("ocid1.job/x", "", {}).error().code, ErrorCode::FailedPrecondition);
  EXPECT_EQ(opened->workDir->putNew("ocid1.job/x", "", {}).error().code, ErrorCode::FailedPrecondition);
  EXPECT_EQ(opened->workDir->remove(all[1], {}).error().code, ErrorCode::FailedPrecondition);
}

TEST_F(RunFileTest, IsKnownByItsNameOrItsBytes) {
  EXPECT_TRUE(namesRunFile("x.lockstep"));
  EXPECT_TRUE(namesRunFile("file:///nowhere/x.lockstep"));
  EXPECT_FALSE(namesRunFile("oci://bucket@names/x.lockstep"));
  EXPECT_FALSE(namesRunFile("last"));
  EXPECT_FALSE(namesRunFile(temp.path().string()));
  fs::create_directory(temp.path() / "folder.lockstep");
  EXPECT_FALSE(namesRunFile((temp.path() / "folder.lockstep").string()));
  writeRun();
  fs::rename(path, temp.path() / "renamed");
  EXPECT_TRUE(namesRunFile((temp.path() / "renamed").string()));
  ASSERT_TRUE(writeFileAtomically(temp.path() / "text", "runId: x"));
  EXPECT_FALSE(namesRunFile((temp.path() / "text").string()));
}

TEST_F(RunFileTest, WhatIsNoRunFileIsRefusedInWords) {
  EXPECT_EQ(refusalOf().code, ErrorCode::NotFound);
  ASSERT_TRUE(writeFileAtomically(path, ""));
  expectRefused(ErrorCode::DataLoss, "it is empty");
  ASSERT_TRUE(writeFileAtomically(path, "run: no database"));
  expectRefused(ErrorCode::InvalidArgument, "it is no run file");
  fs::remove(path);
  {
    SQLite::Database(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE x (y)");
  }
  expectRefused(ErrorCode::InvalidArgument, "another program");
  write(path, {{"work-dir/lockstep/run.json", "{}"}});
  expectRefused(ErrorCode::DataLoss, "does not say which run");
  write(path, {{"run.json", "[]"}});
  expectRefused(ErrorCode::DataLoss, "");
  write(path, {{"run.json", R"({"id":"x"})"}});
  expectRefused(ErrorCode::DataLoss, "names no nodes");
}

TEST_F(RunFileTest, AFolderAndAPipeAreRefused) {
  fs::create_directory(path);
  EXPECT_EQ(RunFile::open(path).error().code, ErrorCode::InvalidArgument);
  fs::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(RunFile::open(path).error().code, ErrorCode::InvalidArgument);
}

TEST_F(RunFileTest, ANewerVersionSaysSo) {
  writeRun();
  alter([](SQLite::Database& db) { db.exec("PRAGMA user_version=2"); });
  expectRefused(ErrorCode::FailedPrecondition, "newer Lockstep (format 2, this one knows 1)");
}

TEST_F(RunFileTest, ACutFileSaysHowMuchIsThere) {
  writeRun();
  const auto whole = readFile(path);
  ASSERT_TRUE(whole);
  for (std::size_t size = 0; size < whole->size(); size += size < 200 ? 7 : 4099) {
    ASSERT_TRUE(writeFileAtomically(path, std::string_view(*whole).substr(0, size)));
    const Error why = refusalOf();
    EXPECT_TRUE(why.code == ErrorCode::DataLoss || (size < 16 && why.code == ErrorCode::InvalidArgument))
        << size << ": " << describe(why);
    if (size >= 100) {
      EXPECT_NE(why.cause.find(std::to_string(size) + " of "), std::string::npos) << describe(why);
    }
  }
}

TEST_F(RunFileTest, NothingButOurTableIsTaken) {
  for (const char* more :
       {"CREATE TABLE more (x)", "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER more AFTER INSERT ON object BEGIN SELECT 1; END",
        "CREATE INDEX more ON object (size)", "DROP INDEX object_name", "ALTER TABLE object ADD COLUMN more",
        "ALTER TABLE object RENAME COLUMN bytes TO x", "CREATE VIRTUAL TABLE more USING fts5(x)"}) {
    writeRun();
    alter([more](SQLite::Database& db) { db.exec(more); });
    expectRefused(ErrorCode::DataLoss, "tables that no run file has");
  }
  writeRun();
  alter([](SQLite::Database& db) {
    db.exec("DROP INDEX object_name");
    db.exec("DROP TABLE object");
    db.exec("CREATE VIEW object AS SELECT 1 AS id, 'run.json' AS name, 2 AS size, '{}' AS bytes");
  });
  expectRefused(ErrorCode::DataLoss, "tables that no run file has");
  writeRun();
  alter([](SQLite::Database& db) { db.exec("PRAGMA journal_mode=WAL"); });
  EXPECT_EQ(refusalOf().code, ErrorCode::DataLoss);
}

TEST_F(RunFileTest, WhatLiesBesideTheFileIsNoneOfIt) {
  writeRun();
  std::ofstream(path.string() + "-journal") << "a journal of somebody";
  std::ofstream(path.string() + "-wal") << "a log of somebody";
  EXPECT_TRUE(openSavedRun(path));
  EXPECT_TRUE(fs::exists(path.string() + "-journal"));
}

TEST_F(RunFileTest, SizesThatAreNotThoseOfTheBytesAreRefused) {
  for (const char* lie :
       {"UPDATE object SET size = 3 WHERE name = 'work-dir/lockstep/run.json'",
        "UPDATE object SET size = 'x' WHERE name = 'work-dir/lockstep/run.json'",
        "UPDATE object SET bytes = zeroblob(60000000) WHERE name = 'work-dir/lockstep/run.json'"}) {
    writeRun();
    alter([lie](SQLite::Database& db) { db.exec(lie); });
    const auto opened = openSavedRun(path);
    ASSERT_TRUE(opened) << describe(opened.error());
    EXPECT_EQ(opened->workDir->get("ocid1.job/lockstep/run.json", {}).error().code, ErrorCode::DataLoss)
        << lie;
  }
  for (const char* lie :
       {"UPDATE object SET size = -1 WHERE name = 'work-dir/lockstep/run.json'",
        "UPDATE object SET size = 99999999999 WHERE name = 'work-dir/lockstep/run.json'",
        "INSERT INTO object (name, size, bytes) VALUES ('work-dir/lockstep/run.json', 3, 'abc')",
        "INSERT INTO object (name, size, bytes) VALUES ('work-dir/' || "
        "hex(zeroblob(2000)), 0, '')"}) {
    writeRun();
    alter([lie](SQLite::Database& db) { db.exec(lie); });
    const auto opened = openSavedRun(path);
    ASSERT_TRUE(opened) << describe(opened.error());
    EXPECT_EQ(opened->workDir->list("", "", {}).error().code, ErrorCode::DataLoss) << lie;
  }
}

TEST_F(RunFileTest, DamagedBytesAreAnErrorOrOtherBytes) {
  writeRun();
  const auto whole = readFile(path);
  ASSERT_TRUE(whole);
  std::mt19937 random(4711);
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    std::string bytes = *whole;
    for (int i = 0; i < 20; ++i) bytes[100 + random() % (bytes.size() - 100)] = static_cast<char>(random());
    std::ofstream(path, std::ios::binary) << bytes;
    const auto opened = openSavedRun(path);
    if (!opened) {
      ++refused;
      EXPECT_FALSE(opened.error().cause.empty());
      continue;
    }
    const auto found = opened->workDir->list("", "", {});
    for (const ObjectInfo& one : found ? *found : std::vector<ObjectInfo>())
      (void)opened->workDir->get(one.name, {});
  }
  EXPECT_GT(refused, 0);
}

TEST_F(RunFileTest, UntilItIsWholeTheFormerFileIsThere) {
  writeRun();
  const auto before = readFile(path);
  {
    auto writer = RunFileWriter::create(path);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->add("run.json", std::string(5'000'000, 'x')));
    EXPECT_EQ(readFile(path).value(), *before);
  }
  EXPECT_EQ(readFile(path).value(), *before);
  EXPECT_EQ(std::distance(fs::directory_iterator(temp.path()), {}), 1);
  EXPECT_EQ(RunFileWriter::create(temp.path()).error().code, ErrorCode::InvalidArgument);
  EXPECT_FALSE(RunFileWriter::create(temp.path() / "none" / "x.lockstep"));
  auto writer = RunFileWriter::create(path);
  ASSERT_TRUE(writer);
  EXPECT_FALSE(writer->add("large", std::string(run_file::kMaxObjectBytes + 1, 'x')));
  EXPECT_FALSE(writer->add(std::string(2000, 'n'), ""));
  EXPECT_TRUE(writer->add("once", ""));
  EXPECT_FALSE(writer->add("once", "")) << "a name stands for one object";
}

TEST_F(RunFileTest, IsWrittenThroughALinkAndKeepsItsMode) {
  writeRun();
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(path, temp.path() / "link");
  write(temp.path() / "link", {{"run.json", "{}"}});
  EXPECT_TRUE(fs::is_symlink(temp.path() / "link"));
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(RunFile::open(path).value()->get("run.json", {}).value(), "{}");
}

}  // namespace
}  // namespace lockstep
