// SPDX-License-Identifier: GPL-3.0-or-later
// What Oracle's Python clients (SDK, ads, ocifs, command line, job monitor) read of the region's answers, as
// one table: a header or key that one of them needs and the region does not send is a line here, so that this
// stays true where those clients cannot be had.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "base/text/encoding.h"
#include "rehearsal/crypto/crypto.h"
#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;

/// One call of a client, and what it reads of the answer. "{name}" in target and body stands for a value of
/// the region (World::values).
struct Row {
  const char* client;
  const char* method;
  const char* target;
  const char* body;
  int status;
  std::vector<const char*> headers;
  std::vector<const char*> keys;  // JSON pointers
};

// Every client reads these, whatever it asked.
const std::vector<const char*> kAlways{"opc-request-id", "date"};

const std::vector<Row> kObjectRows{
    {"SDK", "GET", "/n/", "", 200, {"content-type", "content-length"}, {""}},
    {"ocifs",
     "GET",
     "/n/rehearsal/b?compartmentId={compartment}",
     "",
     200,
     {},
     {"/0/name", "/0/timeCreated"}},
    {"ocifs", "GET", "/n/rehearsal/b/{bucket}", "", 200, {"etag"}, {"/name", "/compartmentId", "/namespace"}},
    {"ocifs", "HEAD", "/n/rehearsal/b/{bucket}", "", 200, {"etag"}, {}},
    {"ocifs",
     "PUT",
     "/n/rehearsal/b/{bucket}/o/a/b",
     "12345",
     200,
     {"etag", "version-id", "opc-content-md5", "last-modified"},
     {}},
    {"ocifs",
     "HEAD",
     "/n/rehearsal/b/{bucket}/o/a/b",
     "",
     200,
     {"version-id", "content-length", "etag", "content-type", "last-modified", "content-md5"},
     {}},
    {"ocifs",
     "GET",
     "/n/rehearsal/b/{bucket}/o/a/b",
     "",
     200,
     {"version-id", "content-length", "etag", "content-type", "last-modified", "storage-tier"},
     {}},
    {"ocifs",
     "GET",
     "/n/rehearsal/b/{bucket}/o?delimiter=/&fields=name,size,etag,md5,timeCreated,timeModified,storageTier",
     "",
     200,
     {},
     {"/objects", "/prefixes/0"}},
    {"ocifs",
     "GET",
     "/n/rehearsal/b/{bucket}/o?prefix=a/&fields=name,size,etag,md5,timeCreated,timeModified,storageTier",
     "",
     200,
     {},
     {"/objects/0/name", "/objects/0/size", "/objects/0/etag", "/objects/0/md5", "/objects/0/timeCreated",
      "/objects/0/timeModified", "/objects/0/storageTier"}},
    {"CLI",
     "GET",
     "/n/rehearsal/b/{bucket}/objectversions",
     "",
     200,
     {},
     {"/items/0/name", "/items/0/versionId", "/items/0/isDeleteMarker", "/items/0/timeModified",
      "/prefixes"}},
    {"ocifs",
     "POST",
     "/n/rehearsal/b/{bucket}/u",
     R"({"object":"big"})",
     200,
     {},
     {"/uploadId", "/namespace", "/bucket", "/object", "/timeCreated"}},
    {"ocifs cp",
     "POST",
     "/n/rehearsal/b/{bucket}/actions/copyObject",
     R"({"sourceObjectName":"a/b","destinationRegion":"rehearsal","destinationNamespace":"rehearsal",)"
     R"("destinationBucket":"{bucket}","destinationObjectName":"copy"})",
     202,
     {"opc-work-request-id"},
     {}},
    {"ocifs",
     "HEAD",
     "/n/rehearsal/b/{bucket}/o/copy",
     "",
     200,
     {"version-id", "content-length", "etag"},
     {}},
    {"ocifs mv",
     "POST",
     "/n/rehearsal/b/{bucket}/actions/renameObject",
     R"({"sourceName":"copy","newName":"moved"})",
     200,
     {"etag", "last-modified", "version-id"},
     {}},
    {"ocifs rm", "DELETE", "/n/rehearsal/b/{bucket}/o/moved", "", 204, {"last-modified", "version-id"}, {}},
    {"CLI", "HEAD", "/n/rehearsal/b/{bucket}/o/none", "", 404, {"opc-request-id"}, {}},
};

const std::vector<Row> kJobRows{
    {"ads",
     "GET",
     "/20190101/projects?compartmentId={compartment}",
     "",
     200,
     {},
     {"/0/id", "/0/displayName", "/0/compartmentId", "/0/lifecycleState", "/0/timeCreated", "/0/createdBy"}},
    {"ads",
     "GET",
     "/20190101/projects/{project}",
     "",
     200,
     {"etag"},
     {"/id", "/displayName", "/compartmentId"}},
    {"CLI",
     "PUT",
     "/20190101/projects/{project}",
     R"({"description":"renamed","freeformTags":{"a":"b"}})",
     200,
     {"etag"},
     {"/id", "/description", "/freeformTags/a"}},
    {"ads",
     "GET",
     "/20190101/jobs/{job}",
     "",
     200,
     {"etag"},
     {"/id", "/displayName", "/projectId", "/compartmentId", "/lifecycleState", "/timeCreated", "/createdBy",
      "/jobConfigurationDetails/jobType", "/jobConfigurationDetails/environmentVariables",
      "/jobInfrastructureConfigurationDetails/jobInfrastructureType",
      "/jobInfrastructureConfigurationDetails/shapeName",
      "/jobInfrastructureConfigurationDetails/blockStorageSizeInGBs",
      "/jobInfrastructureConfigurationDetails/subnetId", "/jobLogConfigurationDetails/enableLogging",
      "/jobLogConfigurationDetails/logGroupId", "/jobLogConfigurationDetails/logId",
      "/jobEnvironmentConfigurationDetails/image", "/jobEnvironmentConfigurationDetails/jobEnvironmentType"}},
    {"ads",
     "GET",
     "/20190101/jobs?compartmentId={compartment}&projectId={project}",
     "",
     200,
     {},
     {"/0/id", "/0/displayName", "/0/lifecycleState", "/0/timeCreated", "/0/createdBy"}},
    {"ads",
     "GET",
     "/20190101/jobs?compartmentId={compartment}&limit=1",
     "",
     200,
     {"opc-next-page"},
     {"/0/id"}},
    {"job monitor",
     "GET",
     "/20190101/jobRuns?compartmentId={compartment}&jobId={job}",
     "",
     200,
     {},
     {"/0/id", "/0/jobId", "/0/displayName", "/0/lifecycleState", "/0/lifecycleDetails", "/0/timeAccepted",
      "/0/timeStarted", "/0/timeFinished", "/0/createdBy", "/0/compartmentId", "/0/projectId"}},
    {"ads",
     "GET",
     "/20190101/jobRuns/{run}",
     "",
     200,
     {"etag"},
     {"/id", "/jobId", "/lifecycleState", "/lifecycleDetails", "/timeAccepted", "/timeStarted",
      "/timeFinished", "/logDetails/logId", "/logDetails/logGroupId",
      "/jobConfigurationOverrideDetails/environmentVariables",
      "/jobInfrastructureConfigurationDetails/shapeName"}},
    {"ads",
     "POST",
     "/20190909/search?limit=100",
     R"({"timeStart":"{before}","timeEnd":"{after}","searchQuery":"SEARCH \"{stream}\" | WHERE source = '*{run}' )"
     R"(| SORT BY datetime ASC"})",
     200,
     {},
     {"/results/0/data/logContent/data/message", "/results/0/data/logContent/id",
      "/results/0/data/logContent/time", "/results/0/data/logContent/source",
      "/results/0/data/logContent/type", "/results/0/data/datetime", "/summary/resultCount"}},
    {"ads",
     "GET",
     "/20190101/jobShapes?compartmentId={compartment}",
     "",
     200,
     {},
     {"/0/name", "/0/coreCount", "/0/memoryInGBs", "/0/shapeSeries"}},
    {"ads", "GET", "/20190101/fastLaunchJobConfigs?compartmentId={compartment}", "", 200, {}, {""}},
    {"ads",
     "GET",
     "/20200531/logGroups?compartmentId={compartment}",
     "",
     200,
     {},
     {"/0/id", "/0/displayName", "/0/lifecycleState"}},
    {"ads",
     "GET",
     "/20200531/logGroups/{logGroup}/logs/{log}",
     "",
     200,
     {"etag"},
     {"/id", "/displayName", "/logGroupId", "/logType", "/isEnabled", "/lifecycleState"}},
};

const std::vector<Row> kOtherRows{
    {"SDK", "GET", "/20160918/tenancies/{tenancy}", "", 200, {}, {"/id", "/name", "/homeRegionKey"}},
    {"CLI",
     "GET",
     "/20160918/tenancies/{tenancy}/regionSubscriptions",
     "",
     200,
     {},
     {"/0/regionName", "/0/regionKey", "/0/status", "/0/isHomeRegion"}},
    {"job monitor",
     "GET",
     "/20160918/compartments?compartmentId={tenancy}&compartmentIdInSubtree=true",
     "",
     200,
     {},
     {"/0/id", "/0/name", "/0/compartmentId", "/0/lifecycleState"}},
    {"job monitor", "GET", "/20160918/compartments/{compartment}", "", 200, {"etag"}, {"/id", "/name"}},
    {"SDK", "GET", "/20160918/users/{user}", "", 200, {"etag"}, {"/id", "/name", "/compartmentId"}},
    {"ads",
     "GET",
     "/20160918/subnets/{subnet}",
     "",
     200,
     {"etag"},
     {"/id", "/displayName", "/vcnId", "/cidrBlock", "/compartmentId", "/lifecycleState"}},
    {"CLI",
     "GET",
     "/20160918/availabilityDomains?compartmentId={tenancy}",
     "",
     200,
     {},
     {"/0/name", "/0/id"}},
    {"job monitor",
     "POST",
     "/20180409/resources",
     R"({"type":"Structured","query":"query datascienceproject resources where identifier = '{project}'"})",
     200,
     {},
     {"/items/0/identifier", "/items/0/compartmentId", "/items/0/resourceType", "/items/0/displayName",
      "/items/0/lifecycleState", "/items/0/timeCreated", "/items/0/freeformTags", "/items/0/definedTags"}},
    {"oci search",
     "POST",
     "/20180409/resources",
     R"({"type":"FreeText","text":"{job}","matchingContextType":"NONE"})",
     200,
     {},
     {"/items/0/identifier"}},
    {"oci search",
     "POST",
     "/20180409/resources?limit=1",
     R"({"type":"Structured","query":"query all resources"})",
     200,
     {"opc-next-page"},
     {"/items/0/identifier"}},
    {"oci search", "GET", "/20180409/resourceTypes", "", 200, {}, {"/0/name", "/0/fields"}},
    {"CLI", "GET", "/20160918/tagNamespaces?compartmentId={tenancy}", "", 200, {}, {""}},
    {"CLI",
     "POST",
     "/20160918/tagNamespaces",
     R"({"compartmentId":"{tenancy}","name":"Schedule","description":"when"})",
     200,
     {"etag"},
     {"/id", "/name", "/description", "/isRetired", "/timeCreated", "/lifecycleState"}},
    {"CLI",
     "POST",
     "/v1/token/upst/actions/GenerateUpst",
     R"({"publicKey":"{publicKey}","sessionExpirationInMinutes":60})",
     200,
     {},
     {"/token"}},
    {"SDK", "GET", "/20181201/functions", "", 404, {}, {"/code", "/message"}},
};

/// A region with a job that has run, and the values that the table's rows name.
struct World {
  RegionUnderTest region{"echo a line", {"--tls"}};
  std::map<std::string, std::string> values;

  World() {
    const std::string run = region.launch();
    region.launch();
    const json ended = region.waitForState(run, {"SUCCEEDED"});
    const auto profile = profileValues();
    values = {{"bucket", "lockstep"},
              {"compartment", region.place("compartmentId")},
              {"project", region.place("projectId")},
              {"subnet", region.place("subnetId")},
              {"logGroup", region.place("logGroupId")},
              {"log", region.place("logId")},
              {"tenancy", profile.at("tenancy")},
              {"user", profile.at("user")},
              {"job", ended.value("jobId", "")},
              {"run", run},
              {"before", at(-3600)},
              {"after", at(3600)},
              {"publicKey", inJson(publicPem())}};
    values["stream"] = values["compartment"] + "/" + values["logGroup"] + "/" + values["log"];
    EXPECT_TRUE(eventually([&] { return !region.logOf(run).empty(); }));
  }

  [[nodiscard]] std::map<std::string, std::string> profileValues() const {
    std::map<std::string, std::string> found;
    std::ifstream config(region.configFile());
    for (std::string line; std::getline(config, line);)
      if (const auto equals = line.find('='); equals != std::string::npos)
        found[line.substr(0, equals)] = line.substr(equals + 1);
    return found;
  }
  [[nodiscard]] std::string publicPem() const {
    return rehearsal::publicPem(readKeyFile(profileValues().at("key_file"))).value_or("");
  }
  static std::string inJson(const std::string& text) {
    const std::string quoted = json(text).dump();
    return quoted.substr(1, quoted.size() - 2);
  }
  static std::string at(long seconds) {
    const std::time_t time = std::time(nullptr) + seconds;
    std::tm parts{};
    ::gmtime_r(&time, &parts);
    char text[64];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.000Z", &parts);
    return text;
  }
  [[nodiscard]] std::string filled(std::string text) const {
    for (const auto& [name, value] : values)
      for (std::size_t found; (found = text.find("{" + name + "}")) != std::string::npos;)
        text.replace(found, name.size() + 2, value);
    return text;
  }
  void check(const Row& row) const {
    const TestResponse response = region.caller().send(row.method, filled(row.target), filled(row.body));
    const std::string call =
        std::string(row.client) + ": " + row.method + " " + row.target + "\n" + response.body;
    EXPECT_EQ(response.status, row.status) << call;
    for (const auto& headers : {kAlways, row.headers})
      for (const char* header : headers)
        EXPECT_FALSE(response.header(header).empty()) << header << " of " << call;
    const json body = row.keys.empty() ? json() : response.json();
    for (const char* key : row.keys)
      EXPECT_TRUE(body.contains(json::json_pointer(key))) << key << " of " << call;
  }
};

class PythonClients : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { world_ = std::make_unique<World>(); }
  static void TearDownTestSuite() { world_.reset(); }
  static std::unique_ptr<World> world_;
};
std::unique_ptr<World> PythonClients::world_;

TEST_F(PythonClients, FindTheHeadersAndKeysThatTheyRead) {
  for (const auto& rows : {kObjectRows, kJobRows, kOtherRows})
    for (const Row& row : rows) world_->check(row);
}

// `endpoint`, `proxy`, `retry_strategy` and others would change what the SDK does.
TEST_F(PythonClients, FindNothingInTheProfileThatTheyReadOtherwise) {
  for (const auto& [name, value] : world_->profileValues())
    EXPECT_TRUE((std::set<std::string>{"user", "fingerprint", "tenancy", "region", "key_file",
                                       "lockstep_endpoint", "cert_bundle"})
                    .contains(name))
        << name;
  std::ifstream key(world_->profileValues().at("key_file"));
  const std::string pem((std::istreambuf_iterator<char>(key)), {});
  EXPECT_TRUE(pem.ends_with("-----END PRIVATE KEY-----\nOCI_API_KEY\n"))
      << "without the label the command line warns at each call";
}

// The status of an unsigned GET of this host, by a client that trusts the region's authority and checks the
// name.
int statusOverTls(const World& world, const std::string& host) {
  const std::string https = world.region.info()["httpsEndpoint"];
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  const std::string authority = world.region.info()["certificateBundle"];
  SSL_CTX_load_verify_locations(context.get(), authority.c_str(), nullptr);
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(https.substr(https.rfind(':') + 1))));
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::string answer;
  std::unique_ptr<SSL, decltype(&SSL_free)> tls(SSL_new(context.get()), SSL_free);
  const std::string request =
      "GET /20181201/things HTTP/1.1\r\nhost: " + host + "\r\nconnection: close\r\n\r\n";
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      SSL_set_fd(tls.get(), fd) == 1 && SSL_set_tlsext_host_name(tls.get(), host.c_str()) == 1 &&
      SSL_set1_host(tls.get(), host.c_str()) == 1 && SSL_connect(tls.get()) == 1 &&
      SSL_write(tls.get(), request.data(), static_cast<int>(request.size())) > 0) {
    char buffer[4096];
    for (int n = 0; (n = SSL_read(tls.get(), buffer, sizeof buffer)) > 0;)
      answer.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(fd);
  return answer.size() > 12 ? std::atoi(answer.c_str() + 9) : 0;
}

// The hosts that the SDK's clients make from OCI_REGION_METADATA. Those of services that are not offered are
// certified too: a request that is signed gets a 404 with a sentence there.
TEST_F(PythonClients, ReachEveryHostThatTheyMakeFromTheMetadata) {
  const json metadata = world_->region.info()["regionMetadata"];
  EXPECT_EQ(metadata["regionIdentifier"], "rehearsal");
  const std::string domain = metadata["realmDomainComponent"];
  const std::string plain = "rehearsal." + domain.substr(0, domain.find(':'));
  const std::string oci = "rehearsal.oci." + domain.substr(0, domain.find(':'));
  for (const char* service : {"identity", "datascience", "logging", "ingestion.logging", "artifacts",
                              "limits", "query", "functions", "vaults", "notification"})
    EXPECT_EQ(statusOverTls(*world_, std::string(service) + "." + oci), 401) << service;
  for (const char* service :
       {"objectstorage", "iaas", "telemetry", "telemetry-ingestion", "auth", "database", "filestorage"})
    EXPECT_EQ(statusOverTls(*world_, std::string(service) + "." + plain), 401) << service;
  EXPECT_EQ(statusOverTls(*world_, "objectstorage.us-ashburn-1.oraclecloud.com"), 0);
}

TEST_F(PythonClients, SearchFindsWhatTheCallerMaySeeAndSaysWhereAQueryIsWrong) {
  const auto search = [&](const std::string& query) {
    return world_->region.caller().post("/20180409/resources",
                                        {{"type", "Structured"}, {"query", world_->filled(query)}});
  };
  const auto count = [&](const std::string& query) { return search(query).json()["items"].size(); };
  EXPECT_EQ(count("query DataScienceProject resources where identifier = '{project}'"), 1U);
  EXPECT_EQ(count("query datasciencejob, datasciencejobrun resources where projectId = '{project}'"), 4U);
  EXPECT_EQ(count("query all resources where (identifier = '{job}' || identifier = '{run}') && "
                  "lifecycleState != 'DELETED' sorted by timeCreated desc"),
            2U);
  EXPECT_EQ(count("query bucket resources matching 'LOCKSTEP'"), 1U);
  EXPECT_EQ(count("query subnet resources return allAdditionalFields where displayName =~ 'nothing'"), 0U);
  for (const char* wrong : {"", "select all", "query all resources where", "query all resources where a = 'b",
                            "query all resources where (a = 'b'", "query all resources where a b 'c'",
                            "query dbsystem resources", "query all resources sorted timeCreated"})
    EXPECT_EQ(search(wrong).status, 400) << wrong;
  const std::string deep = "query all resources where " + std::string(10'000, '(');
  EXPECT_NE(search(deep).body.find("too many brackets"), std::string::npos);
}

TEST_F(PythonClients, ACopyIsAnObjectOfItsOwn) {
  const TestCaller caller = world_->region.caller();
  const std::string objects = "/n/rehearsal/b/lockstep/o/";
  const std::string large(200'000, 'x');
  caller.send("PUT", objects + "from", large, {{"opc-meta-a", "1"}});
  json body{{"sourceObjectName", "from"},
            {"destinationRegion", "rehearsal"},
            {"destinationNamespace", "rehearsal"},
            {"destinationBucket", "lockstep"},
            {"destinationObjectName", "to"}};
  const std::string copy = "/n/rehearsal/b/lockstep/actions/copyObject";
  const TestResponse accepted = caller.post(copy, body);
  ASSERT_EQ(accepted.status, 202) << accepted.body;
  caller.send("DELETE", objects + "from");
  EXPECT_EQ(caller.get(objects + "to").body, large);
  EXPECT_EQ(caller.get(objects + "to").header("opc-meta-a"), "1");
  const std::string request = "/workRequests/" + accepted.header("opc-work-request-id");
  EXPECT_TRUE(eventually([&] { return caller.get(request).json()["status"] == "COMPLETED"; }));
  EXPECT_EQ(caller.post(copy, body).code(), "ObjectNotFound");
  body["sourceObjectName"] = "to";
  body["destinationObjectIfNoneMatchETag"] = "*";
  EXPECT_EQ(caller.post(copy, body).code(), "IfNoneMatchFailed");
  body["destinationRegion"] = "us-ashburn-1";
  EXPECT_EQ(caller.post(copy, body).code(), "InvalidParameter");
}

TEST_F(PythonClients, ASessionBegunWithAnApiKeySignsAndBeginsNoOther) {
  const json body{{"publicKey", world_->publicPem()}, {"sessionExpirationInMinutes", 30}};
  const std::string path = "/v1/token/upst/actions/GenerateUpst";
  const std::string token = world_->region.caller().post(path, body).json()["token"];
  const std::string claims =
      fromBase64Url(token.substr(token.find('.') + 1).substr(0, token.rfind('.') - token.find('.') - 1))
          .value_or("");
  EXPECT_EQ(json::parse(claims)["sub"], world_->values.at("user"));
  EXPECT_EQ(json::parse(claims)["tenant"], world_->values.at("tenancy"));
  const TestCaller session(world_->region.port(), "ST$" + token,
                           readKeyFile(world_->profileValues().at("key_file")));
  EXPECT_EQ(session.get("/n/").status, 200);
  EXPECT_EQ(session.post(path, body).status, 401);
  EXPECT_EQ(world_->region.caller().post(path, {{"publicKey", "no key"}}).code(), "InvalidParameter");
}

TEST_F(PythonClients, TagNamespacesAreMadeListedAndRemoved) {
  const TestCaller caller = world_->region.caller();
  const std::string path = "/20160918/tagNamespaces";
  const json details{
      {"compartmentId", world_->values.at("tenancy")}, {"name", "Costs"}, {"description", "d"}};
  const json made = caller.post(path, details).json();
  const std::string one = path + "/" + made["id"].get<std::string>();
  EXPECT_EQ(caller.post(path, details).status, 409);
  EXPECT_EQ(caller.post(one + "/tags", {{"name", "Owner"}, {"description", "who"}}).json()["tagNamespaceId"],
            made["id"]);
  EXPECT_EQ(caller.get(one + "/tags").json().size(), 1U);
  EXPECT_EQ(caller.get(one + "/tags/Owner").json()["name"], "Owner");
  EXPECT_EQ(caller.get(one + "/tags/Nobody").status, 404);
  EXPECT_EQ(caller.send("DELETE", one).code(), "IncorrectState");
  EXPECT_EQ(caller.send("PUT", one, R"({"isRetired":true})").json()["isRetired"], true);
  EXPECT_EQ(caller.send("DELETE", one).status, 204);
  EXPECT_EQ(caller.get(one).status, 404);
}

}  // namespace
}  // namespace lockstep::testing
