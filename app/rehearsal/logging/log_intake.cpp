// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/logging/log_intake.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "rehearsal/state/resources.h"
#include "rehearsal/support/line_capture.h"

namespace lockstep::rehearsal {
namespace {

constexpr std::size_t kChunk = 256 * 1024;
constexpr std::size_t kMaxCharacters = 10'000;  // the service cuts longer fields (oci-rest-contract 4.8)

struct CapturedLine {
  long long time = 0;
  char stream = 'o';
  std::string_view text;
};

bool parse(std::string_view line, CapturedLine& captured) {
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), captured.time);
  const std::size_t at = static_cast<std::size_t>(end - line.data());
  if (error != std::errc{} || line.size() < at + 3) return false;
  captured.stream = line[at + 1];
  captured.text = line.substr(at + 3);
  return true;
}

void insertLine(Transaction& transaction, const LogIntake& intake, const CapturedLine& line, long long now) {
  auto& insert = transaction.sql(
      "INSERT INTO log_records(log, time, id, source, type, subject, ingested, data) "
      "VALUES(?,?,?,?,?,?,?,?)");
  insert.bind(1, intake.logId);
  insert.bind(2, static_cast<int64_t>(line.time));
  insert.bind(3, makeUuid());
  insert.bind(4, intake.runId);
  insert.bind(5, "com.oraclecloud.datascience.jobrun.container");
  insert.bind(6, line.stream == 'e' ? "stderr" : "stdout");
  insert.bind(7, static_cast<int64_t>(now));
  insert.bind(8, nlohmann::json{{"message", cutToCharacters(line.text, kMaxCharacters)}}.dump());
  insert.exec();
}

long long offsetOf(Transaction& transaction, const std::string& runId) {
  auto& select = transaction.sql("SELECT offset FROM run_tails WHERE run = ?");
  select.bind(1, runId);
  return select.executeStep() ? select.getColumn(0).getInt64() : 0;
}

void saveOffset(Transaction& transaction, const std::string& runId, long long offset) {
  auto& save = transaction.sql(
      "INSERT INTO run_tails(run, offset) VALUES(?,?) ON CONFLICT(run) DO UPDATE SET offset = "
      "excluded.offset");
  save.bind(1, runId);
  save.bind(2, static_cast<int64_t>(offset));
  save.exec();
}

}  // namespace

bool copySomeLines(Database& database, const LogIntake& intake, TimePoint now) {
  const int fd = ::open(intake.file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  Transaction transaction(database);
  const long long offset = offsetOf(transaction, intake.place);
  std::string bytes(kChunk, '\0');
  const ssize_t n = ::pread(fd, bytes.data(), bytes.size(), offset);
  ::close(fd);
  if (n <= 0) return false;
  std::string_view rest(bytes.data(), static_cast<std::size_t>(n));
  long long taken = 0;
  for (std::size_t end = 0; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1)) {
    CapturedLine line;
    if (parse(rest.substr(0, end), line)) insertLine(transaction, intake, line, toMillis(now));
    taken += static_cast<long long>(end) + 1;
  }
  if (taken == 0) return false;
  saveOffset(transaction, intake.place, offset + taken);
  transaction.commit();
  return true;
}

}  // namespace lockstep::rehearsal
