// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/window/start_time.h"

#include <time.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace lockstep {

std::chrono::milliseconds timeSinceProcessStart() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  // proc(5): the name in brackets may hold blanks; starttime is the 20th field after it, in clock ticks since
  // boot.
  std::istringstream fields(line.substr(line.rfind(')') + 1));
  std::string field;
  for (int i = 0; i < 20; ++i) fields >> field;
  const double started = std::stod(field.empty() ? "0" : field) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  const double seconds = static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9 - started;
  return std::chrono::milliseconds(static_cast<long long>(seconds * 1000));
}

double residentMegabytes() {
  std::ifstream file("/proc/self/statm");
  long long total = 0, resident = 0;
  file >> total >> resident;
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1024.0 * 1024.0);
}

}  // namespace lockstep
