// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string_view>

namespace lockstep {

/// Whether the text is an IP address of this machine's loopback: 127.0.0.0/8, ::1 or the first written as
/// IPv6
/// ("::ffff:127.0.0.1"). A name is none, whatever it begins with: "127.evil.example" is asked of a name
/// server.
[[nodiscard]] bool isLoopbackAddress(std::string_view text);

}  // namespace lockstep
