// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "trainer/node/frameworks/mpi_launch.h"
#include "trainer/node/settings/node_settings.h"

namespace lockstep::node {

/// "ssh-ed25519 AAAA…": a type and a key in base 64, on one line. Anything else would be more lines in SSH's
/// files.
[[nodiscard]] bool isPublicKey(std::string_view text);

/// Whether an sshd for that address listens on every address of this machine, since none of them is that one.
[[nodiscard]] bool listensEverywhere(const std::string& address);

/// The keys and configuration of SSH for one run, in a folder of their own that nobody else can read and that
/// goes with the object: what the user has in ~/.ssh and /etc/ssh stays as it is.
class SshSandbox {
 public:
  /// Makes the key of this host. Blocks on ssh-keygen; NotFound when there is none.
  static Result<std::unique_ptr<SshSandbox>> open(const Environment& environment,
                                                  const std::stop_token& stop);
  SshSandbox(const SshSandbox&) = delete;
  SshSandbox& operator=(const SshSandbox&) = delete;
  ~SshSandbox();

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] const std::string& hostKey() const { return hostKey_; }  // "ssh-ed25519 AAAA…"
  /// Makes the key that main logs in with, and returns its public half.
  Result<std::string> makeLoginKey(const std::stop_token& stop);
  /// The configuration of an sshd which lets in whoever has `key`, as the user that we are. An empty key:
  /// whoever the image's own ~/.ssh/authorized_keys name, as the images of `ads` have it; sshd then looks
  /// whether others can write to that file. DataLoss: what is given is no key.
  Result<std::filesystem::path> writeServer(const std::string& address, int port, const std::string& key);
  /// A command in place of `ssh` that reaches these hosts; those that said their key are held to it.
  /// DataLoss: one says something that is no key, or is at no address.
  Result<std::filesystem::path> writeClient(const std::vector<MpiHost>& hosts, int port);

 private:
  SshSandbox(std::filesystem::path folder, Environment environment)
      : folder_(std::move(folder)), environment_(std::move(environment)) {}
  Result<std::string> makeKey(const std::string& name, const std::stop_token& stop);

  std::filesystem::path folder_;
  Environment environment_;
  std::string hostKey_;
};

}  // namespace lockstep::node
