// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "workdir/object_store.h"

namespace lockstep {

/// An object store in memory that can be told to fail, to be slow or to lie. Thread-safe.
class MemoryObjectStore : public ObjectStore {
 public:
  /// Called before each put, with the name; an Error makes the put fail. `storeAnyway`: it is stored all the
  /// same, as when an answer is lost on its way back.
  std::function<std::optional<Error>(const std::string&)> failPut;
  bool storeAnyway = false;
  std::function<std::optional<Error>(const std::string&)> failGet;
  std::atomic<int> putMilliseconds{0};
  std::atomic<int> puts{0}, gets{0}, lists{0};

  Result<void> put(const std::string& name, std::string_view bytes, const std::stop_token& stop) override {
    ++puts;
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(putMilliseconds);
    while (std::chrono::steady_clock::now() < until && !stop.stop_requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (stop.stop_requested()) return failure(ErrorCode::Cancelled, "the put was cancelled");
    const std::lock_guard lock(mutex_);
    if (failPut) {
      if (auto status = failPut(name)) {
        if (storeAnyway) objects_[name] = std::string(bytes);
        return failure(*status);
      }
    }
    if (objects_.contains(name) && objects_[name] != bytes) ++rewrites;
    objects_[name] = std::string(bytes);
    ++versions_[name];
    return {};
  }
  Result<void> putNew(const std::string& name, std::string_view bytes, const std::stop_token& stop) override {
    const std::lock_guard one(newMutex_);
    if (get(name, stop)) return failure(ErrorCode::AlreadyExists, "there is an object '" + name + "'");
    return put(name, bytes, stop);
  }
  Result<std::string> get(const std::string& name, const std::stop_token&) override {
    ++gets;
    const std::lock_guard lock(mutex_);
    if (failGet)
      if (auto status = failGet(name)) return failure(*status);
    const auto found = objects_.find(name);
    if (found == objects_.end()) return failure(ErrorCode::NotFound, "no object '" + name + "'");
    return found->second;
  }
  Result<std::vector<ObjectInfo>> list(const std::string& prefix, const std::string& startAfter,
                                       const std::stop_token&) override {
    ++lists;
    const std::lock_guard lock(mutex_);
    std::vector<ObjectInfo> found;
    for (const auto& [name, bytes] : objects_)
      if (name.starts_with(prefix) && name > startAfter)
        found.push_back({name, bytes.size(), versionOf(name)});
    return found;
  }
  Result<void> remove(const std::string& name, const std::stop_token&) override {
    const std::lock_guard lock(mutex_);
    objects_.erase(name);
    return {};
  }
  [[nodiscard]] std::string describe() const override { return "memory://"; }

  void set(const std::string& name, std::string bytes) {
    const std::lock_guard lock(mutex_);
    objects_[name] = std::move(bytes);
    ++versions_[name];
  }
  [[nodiscard]] std::map<std::string, std::string> objects() const {
    const std::lock_guard lock(mutex_);
    return objects_;
  }
  int rewrites = 0;  // puts that changed the bytes of an object that was there

 private:
  [[nodiscard]] std::string versionOf(const std::string& name) const {
    const auto found = versions_.find(name);
    return found == versions_.end() ? "0" : std::to_string(found->second);
  }

  std::mutex newMutex_;  // of several putNew() one wins
  mutable std::mutex mutex_;
  std::map<std::string, std::string> objects_;
  std::map<std::string, int> versions_;
};

}  // namespace lockstep
