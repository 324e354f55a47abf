// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/exporters/exporter_settings.h"

#include <gtest/gtest.h>

namespace lockstep::node {
namespace {

using namespace std::chrono_literals;

ExporterSettings settingsOf(const Environment& environment) {
  const auto settings = exporterSettingsFrom(environment, "10.0.0.7");
  EXPECT_TRUE(settings) << describe(settings.error());
  return settings.value_or(ExporterSettings{});
}

TEST(ExporterSettings, NothingIsOnUnlessItIsAskedFor) {
  EXPECT_TRUE(settingsOf({}).isNone());
  EXPECT_TRUE(settingsOf({{"LOCKSTEP_POST_METRICS", "0"}, {"JOB_RUN_COMPARTMENT_OCID", "c"}}).isNone());
}

TEST(ExporterSettings, AnAddressIsOfThisNodeUnlessAnotherIsNamed) {
  struct Case {
    const char* text;
    const char* address;
    int port;
  };
  for (const Case& one : {Case{"9400", "127.0.0.1", 9400}, Case{"node:9400", "10.0.0.7", 9400},
                          Case{"0.0.0.0:1", "0.0.0.0", 1}, Case{"[::1]:65535", "::1", 65535}}) {
    const auto address = scrapeAddressFrom(one.text, "10.0.0.7");
    ASSERT_TRUE(address) << one.text;
    EXPECT_EQ(address->address, one.address);
    EXPECT_EQ(address->port, one.port);
  }
  for (const char* wrong :
       {"", "0", "65536", "-1", "94x", ":9400", "example.com:9400", "node", "node:", "1.2.3:4"}) {
    const auto address = scrapeAddressFrom(wrong, "10.0.0.7");
    ASSERT_FALSE(address) << wrong;
    EXPECT_NE(address.error().what.find("LOCKSTEP_PROMETHEUS"), std::string::npos);
  }
  EXPECT_FALSE(exporterSettingsFrom({{"LOCKSTEP_PROMETHEUS", "yes"}}, "10.0.0.7"));
}

TEST(ExporterSettings, ReadsTheVariablesOfOpenTelemetry) {
  const auto otlp = settingsOf({{"OTEL_EXPORTER_OTLP_ENDPOINT", "https://collector:4318/"},
                                {"OTEL_EXPORTER_OTLP_HEADERS", "api-key=a%20secret, x-team = b,broken,=c"},
                                {"OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=prod"},
                                {"OTEL_SERVICE_NAME", "mine"},
                                {"OTEL_EXPORTER_OTLP_CERTIFICATE", "/ca.pem"},
                                {"OTEL_EXPORTER_OTLP_TIMEOUT", "2000"},
                                {"OTEL_METRIC_EXPORT_INTERVAL", "5000"}})
                        .otlp;
  ASSERT_TRUE(otlp);
  EXPECT_EQ(otlp->url, "https://collector:4318/v1/metrics");
  EXPECT_EQ(otlp->headers, (HttpHeaders{{"api-key", "a secret"}, {"x-team", "b"}}));
  EXPECT_EQ(otlp->resource, (OtlpAttributes{{"deployment.environment", "prod"}, {"service.name", "mine"}}));
  EXPECT_EQ(otlp->certificateBundle, "/ca.pem");
  EXPECT_EQ(otlp->timeout, 2s);
  EXPECT_EQ(otlp->interval, 5s);
}

TEST(ExporterSettings, WhatIsForMetricsAloneGoesFirst) {
  const auto otlp = settingsOf({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:1"},
                                {"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://b:2/own"},
                                {"OTEL_EXPORTER_OTLP_HEADERS", "a=b"},
                                {"OTEL_EXPORTER_OTLP_METRICS_HEADERS", "c=d"},
                                {"OTEL_METRIC_EXPORT_INTERVAL", "never"}})
                        .otlp;
  ASSERT_TRUE(otlp);
  EXPECT_EQ(otlp->url, "http://b:2/own") << "as it is";
  EXPECT_EQ(otlp->headers, (HttpHeaders{{"c", "d"}}));
  EXPECT_EQ(otlp->interval, 60s);
}

// They may be meant for the script alone: nothing fails, and nothing of them is said.
TEST(ExporterSettings, WhatCannotBeUsedOfThemIsANote) {
  for (const auto& [name, value] : {std::pair("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
                                    std::pair("OTEL_EXPORTER_OTLP_ENDPOINT", "ftp://u:word@x"),
                                    std::pair("OTEL_EXPORTER_OTLP_ENDPOINT", "http://u:word@x")}) {
    Environment environment{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:1"}};
    environment[name] = value;
    const auto settings = settingsOf(environment);
    EXPECT_FALSE(settings.otlp) << value;
    ASSERT_EQ(settings.notes.size(), 1U);
    EXPECT_EQ(settings.notes[0].find("word"), std::string::npos);
  }
  EXPECT_TRUE(settingsOf({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:1"}, {"OTEL_METRICS_EXPORTER", "none"}})
                  .isNone());
  EXPECT_TRUE(
      settingsOf({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:1"}, {"OTEL_SDK_DISABLED", "true"}}).isNone());
}

TEST(ExporterSettings, AHeaderCannotBringAnotherOne) {
  const auto otlp = settingsOf({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:1"},
                                {"OTEL_EXPORTER_OTLP_HEADERS", "a=b%0d%0aX-Evil: 1,c%0a=d,good=1"}})
                        .otlp;
  ASSERT_TRUE(otlp);
  EXPECT_EQ(otlp->headers, (HttpHeaders{{"good", "1"}}));
}

TEST(ExporterSettings, PostingHasItsNamespaceAndCompartment) {
  const auto settings = settingsOf({{"LOCKSTEP_POST_METRICS", "1"}, {"JOB_RUN_COMPARTMENT_OCID", "c"}});
  EXPECT_TRUE(settings.posts);
  EXPECT_EQ(settings.nameSpace, "lockstep");
  EXPECT_EQ(settings.compartmentId, "c");
  EXPECT_EQ(settingsOf({{"LOCKSTEP_POST_METRICS", "1"}, {"OCI__METRICS_NAMESPACE", "own"}}).nameSpace, "own");
}

}  // namespace
}  // namespace lockstep::node
