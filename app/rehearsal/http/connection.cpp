// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/http/connection.h"

namespace lockstep::rehearsal {

bool greetsInTls(const Connection& connection) {
  return connection.input.starts_with('\x16');
}

void dropEmptyLines(Connection& connection) {
  std::size_t n = 0;
  while (n < connection.input.size() && (connection.input[n] == '\r' || connection.input[n] == '\n')) ++n;
  if (n == 0) return;
  connection.input.erase(0, n);
  connection.searched = 0;
}

}  // namespace lockstep::rehearsal
