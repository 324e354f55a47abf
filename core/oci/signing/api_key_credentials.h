// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>

#include "oci/signing/credentials.h"
#include "oci/signing/profile.h"

namespace lockstep::oci {

/// Of the profile's user, by the key of its key_file. Fails as openPrivateKey() does. Blocks on disk, and on the pass
/// phrase when the key asks for one.
[[nodiscard]] Result<std::shared_ptr<Credentials>> apiKeyCredentials(const Profile& profile);

}  // namespace lockstep::oci
