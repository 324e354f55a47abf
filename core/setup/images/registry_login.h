// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <stop_token>
#include <string>

#include "base/secret.h"
#include "http/http_client.h"
#include "setup/images/container_engine.h"

namespace lockstep {

/// The registry of a region, as engines name it.
struct RegistryAddress {
  std::string host;  // "iad.ocir.io", "127.0.0.1:8080": what stands before the first '/' of an image
  std::string url;   // "https://iad.ocir.io"
  [[nodiscard]] bool isInsecure() const { return url.starts_with("http:"); }
};

// ---- the registry itself, without any engine

struct LoginAnswer {
  bool isAccepted = false;
  std::string evidence;  // "GetDockerToken 401, opc-request-id …"
};
/// Whether the registry lets a user in: its token exchange over HTTP, which changes nothing
/// (oci-rest-contract 5). Told to the log of calls, without the password. Blocks for some seconds.
Result<LoginAnswer> askRegistry(HttpClient& http, const RegistryAddress& place, const std::string& user,
                                const Secret& password, const std::stop_token& stop);

// ---- what an engine has

struct EngineLogin {
  bool isThere = false;
  std::string user;   // where the engine says so without its secret
  std::string where;  // "/home/me/.docker/config.json", "docker-credential-pass"
};
/// Whether an engine keeps a login for a registry. Takes no secret out of where it lies: of Docker's file the
/// names alone are kept, helpers are asked for their list, Podman for its user. Blocks on disk and programs.
[[nodiscard]] EngineLogin engineLogin(const ContainerEngine& engine, const std::string& host,
                                      const std::map<std::string, std::string>& environment,
                                      const CommandRunner& run, const std::stop_token& stop);

/// Whether the login that is kept still opens the registry, shown by a look at an image there, which need not
/// exist. Nothing when that cannot be told.
[[nodiscard]] std::optional<bool> doesLoginWork(const ContainerEngine& engine, const RegistryAddress& place,
                                                const std::string& repository, const CommandRunner& run,
                                                const std::stop_token& stop);

/// `docker login`, the password on its stdin only. Unauthenticated when the registry refuses.
Result<void> logIn(const ContainerEngine& engine, const RegistryAddress& place, const std::string& user,
                   const Secret& password, const CommandRunner& run, const std::stop_token& stop);
Result<void> logOut(const std::filesystem::path& engineProgram, const std::string& host,
                    const CommandRunner& run, const std::stop_token& stop);
/// The command of logIn(), as a person would type it.
[[nodiscard]] std::string loginCommandText(const ContainerEngine& engine, const RegistryAddress& place,
                                           const std::string& user);

}  // namespace lockstep
