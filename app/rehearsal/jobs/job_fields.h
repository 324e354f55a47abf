// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockstep::rehearsal {

/// The blocks of jobs and job runs, as the service spells them (oci-rest-contract 4.5).
namespace field {
inline constexpr const char* kConfiguration = "jobConfigurationDetails";
inline constexpr const char* kInfrastructure = "jobInfrastructureConfigurationDetails";
inline constexpr const char* kEnvironment = "jobEnvironmentConfigurationDetails";
inline constexpr const char* kLogs = "jobLogConfigurationDetails";
inline constexpr const char* kMounts = "jobStorageMountConfigurationDetailsList";
inline constexpr const char* kNodes = "jobNodeConfigurationDetails";
inline constexpr const char* kGroups = "jobNodeGroupConfigurationDetailsList";
inline constexpr const char* kNetwork = "jobNetworkConfiguration";
}  // namespace field

namespace override_field {
inline constexpr const char* kConfiguration = "jobConfigurationOverrideDetails";
inline constexpr const char* kInfrastructure = "jobInfrastructureConfigurationOverrideDetails";
inline constexpr const char* kEnvironment = "jobEnvironmentConfigurationOverrideDetails";
inline constexpr const char* kLogs = "jobLogConfigurationOverrideDetails";
inline constexpr const char* kMounts = "jobStorageMountConfigurationOverrideDetailsList";
inline constexpr const char* kNodes = "jobNodeConfigurationOverrideDetails";
}  // namespace override_field

}  // namespace lockstep::rehearsal
