// SPDX-License-Identifier: GPL-3.0-or-later
// The log engine on a large file: time to index it, memory, searches; each as seconds and as megabytes a second of processor
// time. logs_bench draw FILE MEGABYTES | logs_bench index FILE [THREADS] | logs_bench search FILE QUERY [THREADS] [ROUNDS] |
// logs_bench facts FILE [THREADS]
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <string>

#include "base/time_text.h"
#include "logs/search/log_search.h"
#include "logs/store/log_reader.h"
#include "logs/store/text_log.h"

namespace lockstep {
namespace {

double wallSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double cpuSeconds() {
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

/// Of now, MiB; the pages that a file has in the system's cache are not among them.
double residentMib() {
  std::ifstream in("/proc/self/statm");
  long pages = 0, resident = 0;
  in >> pages >> resident;
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1048576;
}

class Stopwatch {
 public:
  /// "0.512 s, processor 0.973 s, 2048 MB/s of it"
  [[nodiscard]] std::string text(double bytes) const {
    const double wall = wallSeconds() - wall_, cpu = cpuSeconds() - cpu_;
    return fmt::format("{:.3f} s, processor {:.3f} s, {:.0f} MB/s, {:.0f} MB a processor second", wall, cpu,
                       bytes / 1e6 / wall, bytes / 1e6 / cpu);
  }

 private:
  double wall_ = wallSeconds(), cpu_ = cpuSeconds();
};

/// Lines as 64 ranks of a training write them, about 100 bytes each.
int draw(const std::string& file, std::uint64_t megabytes) {
  std::FILE* const out = std::fopen(file.c_str(), "wb");
  if (!out) return 1;
  std::mt19937 random(1);
  std::string text;
  TimePoint time = *parseRfc3339("2026-11-25T10:00:00Z");
  std::uint64_t step = 0;
  for (std::uint64_t left = megabytes * 1'000'000; left > 0;) {
    text.clear();
    while (text.size() < std::min<std::uint64_t>(left, 1 << 20)) {
      time += std::chrono::microseconds(random() % 400);
      const auto rank = random() % 64, kind = random() % 1000;
      const std::string begin = fmt::format("{} [rank {}] ", toRfc3339(time), rank);
      if (kind < 2)
        text += begin + fmt::format("WARNING all_reduce {} is waiting for rank {}: NCCL timeout soon\n", step,
                                    random() % 64);
      else if (kind < 3)
        text += begin + fmt::format("ERROR CUDA out of memory on device {}\n", random() % 8);
      else
        text += begin + fmt::format("INFO epoch {} step {} loss {:.4f} lr {:.6f} {} samples/s\n",
                                    step / 100'000, step, static_cast<double>(random() % 100'000) / 1e4,
                                    static_cast<double>(random() % 1000) / 1e6, random() % 5000);
      ++step;
    }
    text.resize(std::min<std::uint64_t>(left, text.size()));
    if (std::fwrite(text.data(), 1, text.size(), out) != text.size()) return 1;
    left -= text.size();
  }
  return std::fclose(out);
}

Result<TextLog> indexed(const std::string& file, int threads) {
  auto log = TextLog::open({file});
  if (!log) return log;
  const Stopwatch watch;
  auto read = log->refresh({}, threads);
  if (!read) return failure(std::move(read.error()));
  const auto bytes = static_cast<double>(log->snapshot()->bytes());
  fmt::print("index: {} lines, {}; {:.1f} MiB resident, index {:.3f} % of the file\n",
             log->snapshot()->size(), watch.text(bytes), residentMib(),
             static_cast<double>(log->memory()) / bytes * 100);
  return log;
}

int search(const std::string& file, const std::string& typed, int threads, int rounds) {
  auto log = indexed(file, threads);
  auto text = TextQuery::parse(typed);
  if (!log || !text) return 1;
  const auto snapshot = log->snapshot();
  LogQuery query;
  query.text = *text;
  for (int round = 0; round < rounds; ++round) {
    const Stopwatch watch;
    const double begin = wallSeconds();
    double first = -1;
    const LineSet found = searchAll(snapshot, query, threads, {}, [&](const LineSet& some, std::uint64_t) {
      if (first < 0 && !some.isEmpty()) first = wallSeconds() - begin;
    });
    fmt::print("search: {} lines, {}; first ones after {:.1f} ms; {:.1f} MiB resident\n", found.size(),
               watch.text(static_cast<double>(snapshot->bytes())), first * 1000, residentMib());
  }
  return 0;
}

int facts(const std::string& file, int threads) {
  auto log = indexed(file, threads);
  if (!log) return 1;
  LogQuery query;
  query.minLevel = LogLevel::Error;
  for (const char* name : {"errors, at first", "errors, again"}) {
    const Stopwatch watch;
    const LineSet found = searchAll(log->snapshot(), query, threads, {});
    fmt::print("{}: {} lines, {}\n", name, found.size(),
               watch.text(static_cast<double>(log->snapshot()->bytes())));
  }
  return 0;
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  using namespace lockstep;
  const std::string command = argc > 2 ? argv[1] : "", file = argc > 2 ? argv[2] : "";
  const auto number = [&](int at, int otherwise) { return argc > at ? std::atoi(argv[at]) : otherwise; };
  if (command == "draw" && argc > 3) return draw(file, std::strtoull(argv[3], nullptr, 10));
  if (command == "index") return indexed(file, number(3, 1)) ? 0 : 1;
  if (command == "search" && argc > 3) return search(file, argv[3], number(4, 1), number(5, 1));
  if (command == "facts") return facts(file, number(3, 1));
  fmt::print(
      stderr,
      "logs_bench draw FILE MEGABYTES | index FILE [THREADS] | search FILE QUERY [THREADS] [ROUNDS] | facts "
      "FILE [THREADS]\n");
  return 2;
}
