// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include "base/error.h"
#include "rehearsal/network/isolation/namespaces.h"

namespace lockstep::rehearsal {

/// Tries all that isolation needs on this machine, in a process of its own that leaves nothing. Takes some 20
/// ms, most of them spent waiting for the kernel, so whoever has something else to do begins early and asks
/// late.
class IsolationProbe {
 public:
  /// Begins. The process is a copy of this one, so best before there are threads.
  IsolationProbe();
  ~IsolationProbe();
  IsolationProbe(const IsolationProbe&) = delete;
  IsolationProbe& operator=(const IsolationProbe&) = delete;

  /// By what right nodes can be isolated; waits for the end of the trial. Unavailable: why not. To be called
  /// once.
  Result<Privilege> wait();

 private:
  OwnedFd answer_;
  pid_t child_ = -1;
  int error_ = 0;
};

/// The same, begun and waited for.
Result<Privilege> probeIsolation();

}  // namespace lockstep::rehearsal
