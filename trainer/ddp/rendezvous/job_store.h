// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <utility>
#include <vector>

namespace lockstep::trainer {

/// The key-value store that the ranks of a job share, with texts for values. Blocks on the network; throws
/// what c10d throws, so that only join.cpp and the communicators, which catch, include this header.
class JobStore {
 public:
  explicit JobStore(c10::intrusive_ptr<c10d::Store> store) : store_(std::move(store)) {}
  void set(const std::string& key, const std::string& value) {
    store_->set(key, std::vector<std::uint8_t>(value.begin(), value.end()));
  }
  /// Waits for the key, at most the timeout of the job.
  std::string get(const std::string& key) {
    const std::vector<std::uint8_t> bytes = store_->get(key);
    return {bytes.begin(), bytes.end()};
  }
  void remove(const std::string& key) { store_->deleteKey(key); }
  bool has(const std::string& key) { return store_->check({key}); }
  long long add(const std::string& key, long long count) { return store_->add(key, count); }
  [[nodiscard]] const c10::intrusive_ptr<c10d::Store>& native() const { return store_; }

 private:
  c10::intrusive_ptr<c10d::Store> store_;
};

}  // namespace lockstep::trainer
