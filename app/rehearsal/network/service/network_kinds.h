// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockstep::rehearsal {

/// Kinds of network resources, as their OCIDs spell them, besides the VCN and the subnet.
namespace kind {
inline constexpr const char* kSecurityList = "securitylist";
inline constexpr const char* kSecurityGroup = "networksecuritygroup";
inline constexpr const char* kRouteTable = "routetable";
inline constexpr const char* kInternetGateway = "internetgateway";
inline constexpr const char* kNatGateway = "natgateway";
inline constexpr const char* kServiceGateway = "servicegateway";
inline constexpr const char* kDhcpOptions = "dhcpoptions";
inline constexpr const char* kVnic = "vnic";
inline constexpr const char* kPrivateIp = "privateip";
inline constexpr const char* kService = "service";
}  // namespace kind

}  // namespace lockstep::rehearsal
