// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/error.h"
#include "rehearsal/crypto/certificates.h"
#include "rehearsal/support/run_folder.h"

namespace lockstep::rehearsal {

/// Everything a region keeps, in one folder of mode 0700:
///   lock         held by the running region; says which process that is
///   region.json  what `start` printed; also remembers port and config file
///   region.log   what it has to say
///   user.pem     private key of the profile (0600)     token.pem  the key of its tokens (0600)
///   ca.pem       certificate of the authority behind https (ca.key, server.key: 0600), made once
///   admin.token  the secret of the admin calls below /rehearsal/ (0600)
///   state.sqlite, objects/, runs/, network/
///   code/        what stands for /code of the image, a copy for each launch; made by the client
struct StateFolder {
  std::filesystem::path path;
  [[nodiscard]] std::filesystem::path lock() const { return path / "lock"; }
  [[nodiscard]] std::filesystem::path info() const { return path / "region.json"; }
  [[nodiscard]] std::filesystem::path log() const { return path / "region.log"; }
  [[nodiscard]] std::filesystem::path userKey() const { return path / "user.pem"; }
  [[nodiscard]] std::filesystem::path tokenKey() const { return path / "token.pem"; }
  [[nodiscard]] std::filesystem::path adminToken() const { return path / "admin.token"; }
  [[nodiscard]] CertificateFiles certificates() const {
    return {path / "ca.pem", path / "ca.key", path / "server.pem", path / "server.key"};
  }
  [[nodiscard]] std::filesystem::path database() const { return path / "state.sqlite"; }
  [[nodiscard]] std::filesystem::path objects() const { return path / "objects"; }
  [[nodiscard]] std::filesystem::path runs() const { return path / "runs"; }
  [[nodiscard]] std::filesystem::path network() const { return path / "network"; }
  [[nodiscard]] std::filesystem::path code() const { return path / "code"; }
};

/// Makes it, or takes one that is a region's. A folder with anything else in it is refused.
Result<void> makeStateFolder(const StateFolder& folder);
/// What shows that the folder is a region's state: its database, or a lock with our word in it and nothing
/// that no region has made. The error says what is missing.
Result<void> proveState(const StateFolder& folder);
/// Removes what a region has made, and the folder when nothing else is in it.
Result<void> removeState(const StateFolder& folder);

/// Takes the lock for as long as this process lives, and writes into it who that is. False: another region
/// has it.
Result<bool> lockState(const StateFolder& folder);
[[nodiscard]] bool isLocked(const StateFolder& folder);
/// The process that has the lock; none while it has not written that yet.
std::optional<ProcessMark> lockHolder(const StateFolder& folder);

/// region.json: {"endpoint","config","profile","pid","places",…}, with https also "httpsEndpoint",
/// "certificateBundle", "regionMetadata", "hosts"
Result<void> writeInfo(const StateFolder& folder, const nlohmann::json& info);
std::optional<nlohmann::json> readInfo(const StateFolder& folder);

/// Ends the supervisors, and with them the runs, of a region that was killed. Returns when they are gone.
void endLeftRuns(const StateFolder& folder);

}  // namespace lockstep::rehearsal
