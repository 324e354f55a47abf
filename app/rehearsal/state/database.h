// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>

#include "base/error.h"

namespace lockstep::rehearsal {

/// What is worked out from the state and kept beside it (parsed policies): dropped when what it was made from
/// changes, also when that change is rolled back.
class DerivedState {
 public:
  virtual ~DerivedState() = default;
};

/// The region's state: one SQLite file in write-ahead mode. With synchronous=NORMAL a commit is a write into
/// the log without fsync: the kernel has the pages, so a killed process loses nothing that was acknowledged,
/// and a put costs tens of microseconds. (A power cut may lose the last commits, never the file's
/// consistency. The region is a rehearsal: the process is what gets killed.)
///
/// Use it through Transaction. Thread-safe: transactions queue for the one connection.
class Database {
 public:
  /// Opens or creates it. Refuses, and leaves as it is, what is another program's, damaged, or of a newer
  /// version. `schemas`: what makes the tables of the rooms above this one, each safe to run again (CREATE … IF NOT
  /// EXISTS); carried out in this order, needed during the call only.
  static Result<std::unique_ptr<Database>> open(const std::filesystem::path& file,
                                                std::span<const char* const> schemas);
  enum class Owner { Region, Other, Unknown };  // Unknown: no database that can be read
  /// Whose the file is, whatever its version.
  static Owner ownerOf(const std::filesystem::path& file);

 private:
  friend class Transaction;
  Database(SQLite::Database connection, std::span<const char* const> schemas);

  std::mutex mutex_;
  SQLite::Database connection_;
  std::unordered_map<std::string, SQLite::Statement> statements_;
  std::shared_ptr<DerivedState> derived_;
};

/// One transaction, begun by the constructor and rolled back by the destructor unless committed. Holds the
/// connection, so it must be short, and nothing slow (network, large files) may happen inside. Throws
/// SQLite::Exception: the HTTP server turns that into a 500.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  /// A prepared statement, reset and without bindings. Do not nest two uses of the same text.
  SQLite::Statement& sql(const std::string& text);
  [[nodiscard]] long long lastId() const;
  void commit();

  /// Null when nothing was derived since the last forgetDerived().
  [[nodiscard]] const std::shared_ptr<DerivedState>& derived() const { return database_.derived_; }
  void keepDerived(std::shared_ptr<DerivedState> derived) { database_.derived_ = std::move(derived); }
  /// To be called within the transaction that changes what the derived state was made from.
  void forgetDerived();

 private:
  std::unique_lock<std::mutex> lock_;
  Database& database_;
  bool open_ = true;
  bool forgot_ = false;
};

}  // namespace lockstep::rehearsal
