// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/processes/rank_group.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace lockstep::node {
namespace {

struct Pipe {
  int readEnd = -1, writeEnd = -1;
};

Result<Pipe> openPipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return failure(errnoError("cannot open a pipe for the output of a rank", errno));
  ::fcntl(ends[0], F_SETFL, ::fcntl(ends[0], F_GETFL) | O_NONBLOCK);
  return Pipe{ends[0], ends[1]};
}

}  // namespace

RankGroup::~RankGroup() {
  signalAll(SIGKILL);
  for (Member& member : members_) {
    for (Stream& stream : member.streams) {
      if (stream.fd >= 0) ::close(stream.fd);
    }
    if (!member.end) member.process.waitFor(std::chrono::seconds(5));
  }
}

Result<void> RankGroup::start(const std::vector<RankSpec>& specs, bool prefixed) {
  for (const RankSpec& spec : specs) {
    if (auto started = startOne(spec, prefixed); !started) return started;
  }
  return {};
}

Result<void> RankGroup::startOne(const RankSpec& spec, bool prefixed) {
  auto out = openPipe();
  if (!out) return failure(out.error());
  auto err = openPipe();
  if (!err) {
    ::close(out->readEnd);
    ::close(out->writeEnd);
    return failure(err.error());
  }
  ProcessOptions options;
  options.command = spec.command;
  options.environment = spec.environment;
  options.stdoutFd = out->writeEnd;
  options.stderrFd = err->writeEnd;
  options.dieWithParent = true;
  auto process = ChildProcess::start(options);
  ::close(out->writeEnd);
  ::close(err->writeEnd);
  if (!process) {
    ::close(out->readEnd);
    ::close(err->readEnd);
    return failure(process.error());
  }
  std::string prefix = prefixed ? fmt::format("[rank {}] ", spec.rank) : std::string();
  if (!spec.label.empty()) prefix = fmt::format("[{}] ", spec.label);
  Member member{spec.rank, *process, {}, {}};
  member.streams.push_back({out->readEnd, LinePump(STDOUT_FILENO, prefix)});
  member.streams.push_back({err->readEnd, LinePump(STDERR_FILENO, prefix)});
  members_.push_back(std::move(member));
  return {};
}

void RankGroup::pump(std::chrono::milliseconds time) {
  // Output is waited for, ends are not: look for them in between.
  constexpr int kLookMs = 50;
  std::vector<pollfd> fds;
  for (const Member& member : members_) {
    for (const Stream& stream : member.streams) fds.push_back({stream.fd, POLLIN, 0});
  }
  ::poll(fds.data(), fds.size(), std::min<int>(kLookMs, static_cast<int>(time.count())));
  for (Member& member : members_) {
    for (Stream& stream : member.streams) readStream(member.rank, stream);
    if (!member.end && member.process.poll()) collect(member);
  }
}

void RankGroup::readStream(int rank, Stream& stream) const {
  char buffer[16 * 1024];
  while (stream.fd >= 0) {
    const ssize_t n = ::read(stream.fd, buffer, sizeof buffer);
    if (n > 0) {
      const std::string_view bytes(buffer, static_cast<std::size_t>(n));
      stream.pump.add(bytes);
      if (listener_) listener_(rank, bytes);
    } else if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
      return;
    } else {
      stream.pump.finish();
      ::close(stream.fd);
      stream.fd = -1;
    }
  }
}

void RankGroup::collect(Member& member) {
  // What it wrote before its end is in the pipe now. A grandchild may hold the pipe open; that one is ended
  // as well.
  for (Stream& stream : member.streams) {
    readStream(member.rank, stream);
    stream.pump.finish();
  }
  member.process.signalAll(SIGKILL);
  std::string last = member.streams[1].pump.lastLine();
  if (last.empty()) last = member.streams[0].pump.lastLine();
  member.end = RankEnd{member.rank, *member.process.poll(), last};
  if (!member.end->exit.ok() && !firstFailure_) firstFailure_ = member.end;
}

std::optional<RankEnd> RankGroup::endOf(int rank) const {
  for (const Member& member : members_) {
    if (member.rank == rank) return member.end;
  }
  return std::nullopt;
}

bool RankGroup::allEnded() const {
  return std::all_of(members_.begin(), members_.end(),
                     [](const Member& member) { return member.end.has_value(); });
}

std::vector<pid_t> RankGroup::pids() const {
  std::vector<pid_t> all;
  for (const Member& member : members_) {
    if (!member.end) all.push_back(member.process.pid());
  }
  return all;
}

pid_t RankGroup::pidOf(int rank) const {
  for (const Member& member : members_) {
    if (member.rank == rank && !member.end) return member.process.pid();
  }
  return 0;
}

void RankGroup::signalAll(int signal) const {
  for (const Member& member : members_) {
    if (!member.end) member.process.signalAll(signal);
  }
}

}  // namespace lockstep::node
