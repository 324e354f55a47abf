// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/calls/regions.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep::oci {
namespace {

using Environment = std::map<std::string, std::string>;

std::string url(Service service, const std::string& region, const Environment& environment = {}) {
  return serviceUrl(service, regionFor(region, environment));
}

TEST(Regions, EveryServiceHasItsHost) {
  EXPECT_EQ(url(Service::Identity, "us-ashburn-1"), "https://identity.us-ashburn-1.oci.oraclecloud.com");
  EXPECT_EQ(url(Service::Core, "us-ashburn-1"), "https://iaas.us-ashburn-1.oraclecloud.com");
  EXPECT_EQ(url(Service::ObjectStorage, "us-ashburn-1"),
            "https://objectstorage.us-ashburn-1.oraclecloud.com");
  EXPECT_EQ(url(Service::DataScience, "us-ashburn-1"),
            "https://datascience.us-ashburn-1.oci.oraclecloud.com");
  EXPECT_EQ(url(Service::Logging, "us-ashburn-1"), "https://logging.us-ashburn-1.oci.oraclecloud.com");
  EXPECT_EQ(url(Service::LoggingSearch, "us-ashburn-1"), "https://logging.us-ashburn-1.oci.oraclecloud.com");
}

TEST(Regions, IdsAndShortCodesInAnyCase) {
  for (const char* text : {"us-phoenix-1", "US-PHOENIX-1", "phx", "PHX"}) {
    EXPECT_EQ(url(Service::DataScience, text), "https://datascience.us-phoenix-1.oci.oraclecloud.com")
        << text;
  }
}

TEST(Regions, RealmsHaveTheirOwnDomains) {
  EXPECT_EQ(url(Service::ObjectStorage, "us-langley-1"),
            "https://objectstorage.us-langley-1.oraclegovcloud.com");
  EXPECT_EQ(url(Service::ObjectStorage, "uk-gov-london-1"),
            "https://objectstorage.uk-gov-london-1.oraclegovcloud.uk");
  EXPECT_EQ(url(Service::DataScience, "eu-frankfurt-2"),
            "https://datascience.eu-frankfurt-2.oci.oraclecloud.eu");
  EXPECT_EQ(findRegion("us-ashburn-2")->realm, "oc42") << "the name alone does not tell the realm";
  EXPECT_FALSE(findRegion("rehearsal"));
}

TEST(Regions, UnknownOnesFollowTheSettingsOfTheSdks) {
  EXPECT_EQ(url(Service::DataScience, "xx-new-1"), "https://datascience.xx-new-1.oci.oraclecloud.com");
  EXPECT_EQ(url(Service::DataScience, "xx-new-1", {{"OCI_DEFAULT_REALM", "example.cloud"}}),
            "https://datascience.xx-new-1.oci.example.cloud");
  const Environment metadata = {
      {"OCI_REGION_METADATA",
       R"({"realmKey":"oc99","realmDomainComponent":"oc99.example","regionKey":"XXN","regionIdentifier":"xx-new-1"})"}};
  EXPECT_EQ(url(Service::DataScience, "xxn", metadata), "https://datascience.xx-new-1.oci.oc99.example");
  EXPECT_EQ(url(Service::DataScience, "us-ashburn-1", metadata),
            "https://datascience.us-ashburn-1.oci.oraclecloud.com");
  EXPECT_EQ(url(Service::DataScience, "xx-new-1", {{"OCI_REGION_METADATA", "not json"}}),
            "https://datascience.xx-new-1.oci.oraclecloud.com");
}

TEST(Regions, ATextWithADotIsAWholeDomain) {
  EXPECT_EQ(url(Service::Core, "region.example.com"), "https://iaas.region.example.com");
  EXPECT_EQ(url(Service::DataScience, "region.example.com"), "https://datascience.region.example.com");
}

}  // namespace
}  // namespace lockstep::oci
