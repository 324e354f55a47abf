// SPDX-License-Identifier: GPL-3.0-or-later
#include "interrupt.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <thread>

namespace lockstep::cli {
namespace {

volatile sig_atomic_t wakeFd = -1;  // the only thing that a signal handler can reach

extern "C" void onSignal(int) {
  const int saved = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = ::write(wakeFd, &one, sizeof one);
  errno = saved;
}

}  // namespace

struct Interrupt::Impl {
  int fd = ::eventfd(0, EFD_CLOEXEC);
  std::stop_source source;
  std::thread watcher;
};

Interrupt::Interrupt() : impl_(std::make_unique<Impl>()) {
  wakeFd = impl_->fd;
  // A stop callback may do anything, a signal handler next to nothing: hence the thread between them.
  impl_->watcher = std::thread([impl = impl_.get()] {
    std::uint64_t count = 0;
    while (::read(impl->fd, &count, sizeof count) < 0 && errno == EINTR) {
    }
    impl->source.request_stop();
  });
  struct sigaction action {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

Interrupt::~Interrupt() {
  onSignal(0);  // ends the watcher
  impl_->watcher.join();
  // Not back to the default: a second Ctrl-C that comes while the command says its last words must change
  // nothing.
  for (const int signal : {SIGINT, SIGTERM}) ::signal(signal, SIG_IGN);
  wakeFd = -1;
  ::close(impl_->fd);
}

std::stop_token Interrupt::token() const {
  return impl_->source.get_token();
}

}  // namespace lockstep::cli
