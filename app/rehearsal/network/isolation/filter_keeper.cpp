// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/isolation/filter_keeper.h"

#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <thread>

#include "base/atomic_file.h"
#include "rehearsal/network/isolation/namespaces.h"
#include "rehearsal/network/isolation/packet_filter.h"

namespace lockstep::rehearsal {
namespace {

/// The five functions of libnftables (libnftables(3)) that are needed. Loaded rather than linked: without the
/// library everything else works.
class Nftables {
 public:
  static Result<std::unique_ptr<Nftables>> open() {
    auto nft = std::unique_ptr<Nftables>(new Nftables);
    nft->library_ = ::dlopen("libnftables.so.1", RTLD_NOW | RTLD_LOCAL);
    const bool whole = nft->library_ != nullptr && nft->load("nft_ctx_new", nft->make_) &&
                       nft->load("nft_ctx_free", nft->free_) &&
                       nft->load("nft_run_cmd_from_buffer", nft->run_) &&
                       nft->load("nft_ctx_buffer_error", nft->keepErrors_) &&
                       nft->load("nft_ctx_buffer_output", nft->keepOutput_) &&
                       nft->load("nft_ctx_get_error_buffer", nft->errors_);
    if (whole) nft->context_ = nft->make_(0);
    if (nft->context_ == nullptr)
      return failure(ErrorCode::Unavailable, "cannot load libnftables.so.1", "it is not installed",
                     "install libnftables1");
    nft->keepErrors_(nft->context_);
    nft->keepOutput_(nft->context_);
    return nft;
  }
  ~Nftables() {
    if (context_ != nullptr) free_(context_);
    if (library_ != nullptr) ::dlclose(library_);
  }
  Nftables(const Nftables&) = delete;
  Nftables& operator=(const Nftables&) = delete;

  Result<void> run(const std::string& script) {
    if (run_(context_, script.c_str()) == 0) return {};
    const char* text = errors_(context_);
    const std::string said = text == nullptr ? "" : text;
    return failure(ErrorCode::Unavailable, "cannot set the packet filter", said.substr(0, said.find('\n')));
  }

 private:
  Nftables() = default;
  template <typename Function>
  bool load(const char* name, Function*& into) {
    into = reinterpret_cast<Function*>(::dlsym(library_, name));
    return into != nullptr;
  }

  void* library_ = nullptr;
  void* context_ = nullptr;
  void* (*make_)(std::uint32_t) = nullptr;
  void (*free_)(void*) = nullptr;
  int (*run_)(void*, const char*) = nullptr;
  int (*keepErrors_)(void*) = nullptr;
  int (*keepOutput_)(void*) = nullptr;
  const char* (*errors_)(void*) = nullptr;
};

class KeeperThread : public FilterKeeper {
 public:
  KeeperThread(std::filesystem::path file, std::unique_ptr<Nftables> nft, OwnedFd changes, OwnedFd wake)
      : file_(std::move(file)), nft_(std::move(nft)), changes_(std::move(changes)), wake_(std::move(wake)) {
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { loop(); });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  ~KeeperThread() override {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof one);
    thread_.join();
  }

 private:
  void loop() {
    for (;;) {
      pollfd fds[2] = {{changes_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}};
      if (::poll(fds, 2, -1) < 0 && errno != EINTR) return;
      if (fds[1].revents != 0) return;
      if (fds[0].revents != 0 && isOurs()) apply();
    }
  }

  // Empties the queue; whether any change was of our file.
  bool isOurs() {
    alignas(inotify_event) char buffer[8192];
    bool ours = false;
    for (ssize_t n = 0; (n = ::read(changes_.get(), buffer, sizeof buffer)) > 0;) {
      for (char* at = buffer; at < buffer + n;) {
        const auto* event = reinterpret_cast<const inotify_event*>(at);
        ours =
            ours || (event->mask & IN_Q_OVERFLOW) != 0 || (event->len > 0 && file_.filename() == event->name);
        at += sizeof(inotify_event) + event->len;
      }
    }
    return ours;
  }

  void apply() {
    const auto script = readFile(file_);
    const auto done = script ? nft_->run(*script) : failure(script.error());
    if (done) return;
    [[maybe_unused]] const auto written =
        writeFileAtomically(std::filesystem::path(file_.string() + ".problem"), describe(done.error()), 0600);
  }

  std::filesystem::path file_;
  std::unique_ptr<Nftables> nft_;
  OwnedFd changes_, wake_;
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<FilterKeeper>> FilterKeeper::start(const std::filesystem::path& file) {
  auto nft = Nftables::open();
  if (!nft) return failure(nft.error());
  OwnedFd changes(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!changes.valid() ||
      ::inotify_add_watch(changes.get(), file.parent_path().c_str(), IN_MOVED_TO | IN_CLOSE_WRITE) < 0)
    return failure(ErrorCode::Io, "cannot watch '" + file.parent_path().string() + "'", std::strerror(errno));
  const auto script = readFile(file);  // after the watch began, so that no change falls between
  if (!script) return failure(script.error());
  if (auto done = (*nft)->run(*script); !done) return failure(done.error());
  OwnedFd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake.valid()) return failure(ErrorCode::Io, "cannot make an event", std::strerror(errno));
  return std::make_unique<KeeperThread>(file, std::move(*nft), std::move(changes), std::move(wake));
}

Result<void> tryPacketFilter() {
  auto nft = Nftables::open();
  if (!nft) return failure(nft.error());
  SecurityRule rule;
  rule.peers = {Cidr{}};
  rule.protocol = kTcp;
  rule.destinationPorts = {1, 2};
  SecurityRule stateless = rule;
  stateless.isStateless = true;
  return (*nft)->run(packetFilterScript({{rule, stateless}, false, {1}}));
}

}  // namespace lockstep::rehearsal
