// SPDX-License-Identifier: GPL-3.0-or-later
// What signing a request costs beside a bare signature of OpenSSL's, in turns and in processor time; and how
// long many small objects take from a region on loopback.
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/text/encoding.h"
#include "base/time_text.h"
#include "launch/rehearsal_control.h"
#include "oci/calls/json_calls.h"
#include "oci/signin/open_service_client.h"
#include "oci/signing/request_signer.h"
#include "temp_dir.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

using oci::BodySigning;
using oci::Service;
using oci::ServiceCall;
using oci::ServiceClient;

double processorMicroseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

struct Spread {
  double median, low, high;  // 10th and 90th percentile
};
Spread spreadOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  return {at(0.5), at(0.1), at(0.9)};
}

/// As `openssl speed rsa2048` does it: 36 bytes, one context that is set up before.
class BareSignature {
 public:
  explicit BareSignature(EVP_PKEY* key) : context_(EVP_PKEY_CTX_new(key, nullptr), &EVP_PKEY_CTX_free) {
    EVP_PKEY_sign_init(context_.get());
  }
  void operator()() {
    std::size_t size = sizeof out_;
    EVP_PKEY_sign(context_.get(), out_, &size, digest_, 36);
  }

 private:
  std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> context_;
  unsigned char digest_[36] = {1, 2, 3};
  unsigned char out_[512] = {};
};

int benchSigning(int rounds) {
  const std::shared_ptr<EVP_PKEY> key(EVP_RSA_gen(2048), &EVP_PKEY_free);
  const oci::SigningIdentity identity{"ocid1.tenancy.oc1..t/ocid1.user.oc1..u/00:11", key};
  HttpRequest get;
  get.url = "https://objectstorage.us-ashburn-1.oraclecloud.com/n/ns/b/bucket/o/metrics%2F000001";
  HttpRequest post = get;
  post.method = "POST";
  post.url = "https://datascience.us-ashburn-1.oci.oraclecloud.com/20190101/jobRuns";
  post.body = std::string(2048, 'j');
  const TimePoint now = *parseRfc1123("Fri, 20 Nov 2026 22:00:00 GMT");
  const auto signing = [&](const HttpRequest& unsignedRequest) {
    return [&] {
      HttpRequest request = unsignedRequest;
      if (!oci::signRequest(request, identity, now, BodySigning::Signed)) std::abort();
    };
  };
  BareSignature bare(key.get());
  const std::vector<std::pair<std::string, std::function<void()>>> contestants{
      {"bare EVP_PKEY_sign", [&] { bare(); }},
      {"signRequest GET", signing(get)},
      {"signRequest POST 2 KiB", signing(post)}};
  constexpr int kBlock = 20;
  std::vector<std::vector<double>> times(contestants.size());
  for (int round = 0; round < rounds + 1; ++round) {  // the first warms up
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const double begin = processorMicroseconds();
      for (int k = 0; k < kBlock; ++k) contestants[i].second();
      if (round > 0) times[i].push_back((processorMicroseconds() - begin) / kBlock);
    }
  }
  const double base = spreadOf(times[0]).median;
  fmt::print("processor time of one signature, {} rounds of {} in turns:\n", rounds, kBlock);
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    const Spread spread = spreadOf(times[i]);
    fmt::print("  {:<24} {:7.1f} us (10 %..90 %: {:.1f}..{:.1f})  x {:.3f}\n", contestants[i].first,
               spread.median, spread.low, spread.high, spread.median / base);
  }
  return 0;
}

Result<std::shared_ptr<ServiceClient>> clientOf(const RehearsalInfo& region) {
  const auto profile = oci::loadProfile({region.configFile, region.profile});
  if (!profile) return failure(profile.error());
  return oci::openServiceClient(*profile);
}

ServiceCall objectCall(const std::string& method, const std::string& path) {
  ServiceCall call;
  call.service = Service::ObjectStorage;
  call.operation = method == "GET" ? "GetObject" : "PutObject";
  call.method = method;
  call.path = path;
  call.bodySigning = method == "PUT" ? BodySigning::Excluded : BodySigning::Signed;
  return call;
}

/// Calls each path once, `threads` at a time; how many milliseconds that took, or a failure.
Result<double> callAll(ServiceClient& client, const std::string& method,
                       const std::vector<std::string>& paths, const std::string& body, int threads) {
  std::atomic<std::size_t> next{0};
  std::atomic<int> failed{0};
  Error reason;
  const auto begin = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> workers;
    for (int t = 0; t < threads; ++t) {
      workers.emplace_back([&] {
        for (std::size_t i = next++; i < paths.size(); i = next++) {
          ServiceCall call = objectCall(method, paths[i]);
          call.body = body;
          if (auto answer = client.call(call, {}); !answer && failed++ == 0) reason = answer.error();
        }
      });
    }
  }
  if (failed > 0) return failure(reason);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

int benchFetching(const std::string& program, int count, int threads, int rounds) {
  const TempDir dir;
  ::setenv("LOCKSTEP_HOME", dir.path().c_str(), 1);
  RehearsalOptions options;
  options.stateDir = dir.path() / "region";
  options.configFile = (dir.path() / "config").string();
  options.program = program;
  const auto region = startRehearsal(options, {});
  const auto complain = [&](const Error& error) {
    fmt::print(stderr, "{}\n", describe(error));
    if (region) (void)!stopRehearsal(options, {});
    return 1;
  };
  if (!region) return complain(region.error());
  const auto client = clientOf(*region);
  if (!client) return complain(client.error());
  const auto place = parseWorkDirUri(region->places.workDir);
  if (!place) return complain(place.error());
  std::vector<std::string> paths;
  const std::string folder = fmt::format("/n/{}/b/{}/o/bench%2F", place->nameSpace, place->bucket);
  for (int i = 0; i < count; ++i) paths.push_back(folder + fmt::format("{:05}", i));
  const auto put = callAll(**client, "PUT", paths, std::string(1000, 'o'), threads);
  if (!put) return complain(put.error());
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    const auto got = callAll(**client, "GET", paths, {}, threads);
    if (!got) return complain(got.error());
    times.push_back(*got);
  }
  const Spread spread = spreadOf(times);
  fmt::print(
      "{} objects of 1 kB, {} threads: put {:.0f} ms, fetched {:.0f} ms (n={}, 10 %..90 %: {:.0f}..{:.0f})\n",
      count, threads, *put, spread.median, rounds, spread.low, spread.high);
  if (auto stopped = stopRehearsal(options, {}); !stopped) return complain(stopped.error());
  return 0;
}

}  // namespace
}  // namespace lockstep

// oci_bench sign [ROUNDS] | fetch REHEARSAL_PROGRAM [OBJECTS] [THREADS] [ROUNDS]
int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto number = [&](std::size_t i, int otherwise) {
    return words.size() > i ? std::atoi(words[i].c_str()) : otherwise;
  };
  if (!words.empty() && words[0] == "sign") return lockstep::benchSigning(std::max(1, number(1, 50)));
  if (words.size() > 1 && words[0] == "fetch")
    return lockstep::benchFetching(words[1], std::max(1, number(2, 1000)), std::max(1, number(3, 16)),
                                   std::max(1, number(4, 7)));
  fmt::print(stderr, "oci_bench sign [ROUNDS] | fetch REHEARSAL_PROGRAM [OBJECTS] [THREADS] [ROUNDS]\n");
  return 2;
}
