// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "rehearsal/registry/distribution_path.h"
#include "rehearsal/registry/manifest.h"

namespace lockstep::rehearsal {
namespace {

using Kind = RegistryPath::Kind;
using nlohmann::json;

const std::string kDigest = "sha256:" + std::string(64, 'a');
const std::string kDocker = "application/vnd.docker.distribution.manifest.v2+json";
const std::string kIndex = "application/vnd.oci.image.index.v1+json";

TEST(RegistryPath, Meanings) {
  const auto kindOf = [](const std::string& text) { return readRegistryPath(text).kind; };
  EXPECT_EQ(kindOf(""), Kind::Ping);
  EXPECT_EQ(kindOf("ns/repo/tags/list"), Kind::Tags);
  EXPECT_EQ(kindOf("ns/repo/blobs/uploads"), Kind::NewUpload);
  EXPECT_EQ(kindOf("ns/repo/blobs/uploads/"), Kind::NewUpload);
  EXPECT_EQ(kindOf("ns/repo/blobs/uploads/id"), Kind::Upload);
  EXPECT_EQ(kindOf("ns/repo/blobs/" + kDigest), Kind::Blob);
  const RegistryPath path = readRegistryPath("ns/team/a.b/c_d-e/manifests/v1.0");
  EXPECT_EQ(path.kind, Kind::Manifest);
  EXPECT_EQ(path.nameSpace, "ns");
  EXPECT_EQ(path.repository, "team/a.b/c_d-e");
  EXPECT_EQ(path.reference, "v1.0");
}

TEST(RegistryPath, HostilePaths) {
  for (const std::string& text : {std::string("/"),
                                  std::string("ns"),
                                  std::string("manifests/1"),
                                  std::string("ns/manifests/1"),
                                  std::string("ns//manifests/1"),
                                  std::string("ns/../x/manifests/1"),
                                  std::string("ns/UPPER/manifests/1"),
                                  std::string("ns/-a/manifests/1"),
                                  std::string("ns/a-/manifests/1"),
                                  std::string("ns/a/./manifests/1"),
                                  std::string("ns/a/manifests/"),
                                  std::string("ns/a/manifests/.hidden"),
                                  "ns/a/manifests/" + std::string(129, 't'),
                                  std::string("ns/a/blobs/sha256:abc"),
                                  "ns/a/blobs/SHA256:" + std::string(64, 'a'),
                                  "ns/a/blobs/md5:" + std::string(64, 'a'),
                                  std::string("ns/a/tags/other"),
                                  "ns/" + std::string(256, 'a') + "/tags/list",
                                  std::string(100'000, '/'),
                                  std::string("ns/a\0b/manifests/1", 18),
                                  std::string("ns/a/blobs/uploads/../../manifests/")})
    EXPECT_EQ(readRegistryPath(text).kind, Kind::Unknown) << text.substr(0, 100);
}

json image() {
  const json part{{"mediaType", "x"}, {"size", 1}, {"digest", kDigest}};
  return {{"schemaVersion", 2}, {"mediaType", kDocker}, {"config", part}, {"layers", {part, part}}};
}

TEST(RegistryManifest, References) {
  const auto read = readManifest(kDocker, image().dump());
  ASSERT_TRUE(read.has_value()) << read.error();
  EXPECT_EQ(read->blobs, std::vector<std::string>(3, kDigest));
  const auto index =
      readManifest(kIndex, json{{"schemaVersion", 2}, {"manifests", {{{"digest", kDigest}}}}}.dump());
  ASSERT_TRUE(index.has_value()) << index.error();
  EXPECT_EQ(index->manifests, std::vector<std::string>{kDigest});
  json foreign = image();
  foreign["layers"][0]["urls"] = {"https://elsewhere"};
  EXPECT_EQ(readManifest(kDocker, foreign.dump())->blobs.size(), 2u)
      << "what lies elsewhere need not be here";
}

TEST(RegistryManifest, HostileManifests) {
  const auto bad = [](const std::string& type, const std::string& text) {
    const auto read = readManifest(type, text);
    return !read && !read.error().empty();
  };
  EXPECT_TRUE(bad("text/plain", image().dump()));
  EXPECT_TRUE(bad("", image().dump()));
  EXPECT_TRUE(bad(kIndex, image().dump())) << "of another kind than sent";
  for (const char* text :
       {"", "[]", "null", "{", "{}", R"({"schemaVersion": 1})", R"({"schemaVersion": "2"})",
        R"({"schemaVersion": 2})", R"({"schemaVersion": 2, "layers": {}})",
        R"({"schemaVersion": 2, "layers": [7]})", R"({"schemaVersion": 2, "layers": [{"digest": 7}]})",
        R"({"schemaVersion": 2, "layers": [], "config": []})",
        R"({"schemaVersion": 2, "layers": [{"digest": "sha256:../../etc"}]})"})
    EXPECT_TRUE(bad(kDocker, text)) << text;
  EXPECT_TRUE(bad(kDocker, std::string(100'000, '[')));
  EXPECT_TRUE(bad(kDocker, std::string(5 << 20, ' ')));
  json many = image();
  for (int i = 0; i < 2001; ++i) many["layers"].push_back({{"digest", kDigest}});
  EXPECT_TRUE(bad(kDocker, many.dump()));
}

TEST(RegistryManifest, Names) {
  EXPECT_TRUE(isRepositoryName("a/b-c/d_e.f0"));
  for (const char* name : {"", "/", "a/", "/a", "a//b", "A", "a b", "a/.b", "a./b", "ä", "a\n"})
    EXPECT_FALSE(isRepositoryName(name)) << name;
  EXPECT_TRUE(isTag("_v1.0-RC"));
  EXPECT_FALSE(isTag("-a"));
  EXPECT_FALSE(isTag("a/b"));
}

}  // namespace
}  // namespace lockstep::rehearsal
