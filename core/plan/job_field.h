// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The blocks of a job as the service spells them (oci-rest-contract 4.5). The rehearsal region keeps a table of its
/// own, so that a slip here is refused there.
namespace lockstep::job_field {

inline constexpr const char* kConfiguration = "jobConfigurationDetails";
inline constexpr const char* kInfrastructure = "jobInfrastructureConfigurationDetails";
inline constexpr const char* kEnvironment = "jobEnvironmentConfigurationDetails";
inline constexpr const char* kLogs = "jobLogConfigurationDetails";
inline constexpr const char* kMounts = "jobStorageMountConfigurationDetailsList";
inline constexpr const char* kNodes = "jobNodeConfigurationDetails";
inline constexpr const char* kGroups = "jobNodeGroupConfigurationDetailsList";
inline constexpr const char* kNetwork = "jobNetworkConfiguration";

}  // namespace lockstep::job_field
