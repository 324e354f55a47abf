// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "base/text/encoding.h"
#include "loopback_server.h"

namespace lockstep {

/// The object operations of Object Storage (oci-rest-contract 4.3), in memory, for tests of what stands on
/// them. Hands out at most `pageSize` names at once. Looks at no signature.
class TinyBucketServer {
 public:
  explicit TinyBucketServer(std::size_t pageSize = 1000)
      : pageSize_(pageSize), server_([this](const auto& in, auto& out) { serve(in, out); }) {}

  [[nodiscard]] std::string url() const { return server_.url(); }
  [[nodiscard]] const LoopbackServer& http() const { return server_; }
  [[nodiscard]] std::map<std::string, std::string> objects() const {
    const std::lock_guard lock(mutex_);
    return objects_;
  }

 private:
  static constexpr const char* kFolder = "/n/names/b/bucket/o";

  static void refuse(httplib::Response& out, int status, const char* code, const std::string& message) {
    out.status = status;
    out.set_header("opc-request-id", "tiny/1");
    out.set_content(nlohmann::json{{"code", code}, {"message", message}}.dump(), "application/json");
  }

  void serve(const httplib::Request& in, httplib::Response& out) {
    const std::lock_guard lock(mutex_);
    const std::string path = in.target.substr(0, in.target.find('?'));
    if (path == kFolder && in.method == "GET") return list(in, out);
    if (!path.starts_with(std::string(kFolder) + "/"))
      return refuse(out, 404, "BucketNotFound", "no such bucket");
    const std::string name = percentDecode(path.substr(std::string(kFolder).size() + 1));
    if (in.method == "PUT") {
      if (in.get_header_value("if-none-match") == "*" && objects_.contains(name))
        return refuse(out, 412, "IfNoneMatchFailed", "The object '" + name + "' already exists");
      objects_[name] = in.body;
      etags_[name] = "etag-" + std::to_string(++puts_);
      return;
    }
    const auto it = objects_.find(name);
    if (it == objects_.end())
      return refuse(out, 404, "ObjectNotFound", "The object '" + name + "' was not found");
    if (in.method == "DELETE") {
      objects_.erase(it);
      out.status = 204;
    } else {
      out.set_content(it->second, "application/octet-stream");
    }
  }

  void list(const httplib::Request& in, httplib::Response& out) {
    const std::string prefix = in.get_param_value("prefix");
    const std::string after = in.get_param_value("startAfter");
    auto body = nlohmann::json{{"objects", nlohmann::json::array()}, {"nextStartWith", nullptr}};
    for (auto it = objects_.lower_bound(in.get_param_value("start")); it != objects_.end(); ++it) {
      if (!it->first.starts_with(prefix) || (!after.empty() && it->first <= after)) continue;
      if (body["objects"].size() == pageSize_) {
        body["nextStartWith"] = it->first;
        break;
      }
      nlohmann::json object{{"name", it->first}};
      if (in.get_param_value("fields").find("size") != std::string::npos) object["size"] = it->second.size();
      if (in.get_param_value("fields").find("etag") != std::string::npos) object["etag"] = etags_[it->first];
      body["objects"].push_back(std::move(object));
    }
    out.set_content(body.dump(), "application/json");
  }

  const std::size_t pageSize_;
  mutable std::mutex mutex_;
  std::map<std::string, std::string> objects_, etags_;
  int puts_ = 0;
  LoopbackServer server_;  // last: it serves as soon as it is there
};

}  // namespace lockstep
