// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/user_dirs.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace lockstep {
namespace fs = std::filesystem;
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

fs::path userDir(const char* own, const char* xdg, const char* fallback) {
  if (const std::string root = environment("LOCKSTEP_HOME"); !root.empty()) return fs::path(root) / own;
  if (const std::string base = environment(xdg); !base.empty() && base.front() == '/')
    return fs::path(base) / "lockstep";
  return homeDir() / fallback / "lockstep";
}

}  // namespace

fs::path homeDir() {
  if (const std::string home = environment("HOME"); !home.empty()) return home;
  const passwd* entry = ::getpwuid(::getuid());
  return entry ? entry->pw_dir : "/";
}

fs::path userDataDir() {
  return userDir("data", "XDG_DATA_HOME", ".local/share");
}
fs::path userConfigDir() {
  return userDir("config", "XDG_CONFIG_HOME", ".config");
}
fs::path userCacheDir() {
  return userDir("cache", "XDG_CACHE_HOME", ".cache");
}

fs::path expandHome(const std::string& path) {
  if (path == "~") return homeDir();
  if (path.rfind("~/", 0) == 0) return homeDir() / path.substr(2);
  return path;
}

fs::path programDir() {
  std::error_code ec;
  const fs::path self = fs::read_symlink("/proc/self/exe", ec);
  return ec ? fs::current_path() : self.parent_path();
}

int makePrivateFolder(const fs::path& folder) {
  std::error_code ec;
  if (folder.empty() || fs::is_directory(folder, ec)) return 0;
  if (folder.has_parent_path() && folder.parent_path() != folder) {
    if (const int error = makePrivateFolder(folder.parent_path()); error != 0) return error;
  }
  return ::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST ? 0 : errno;
}

}  // namespace lockstep
