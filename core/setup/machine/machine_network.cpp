// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/machine/machine_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <thread>

#include "base/time_text.h"
#include "http/curl_http_client.h"
#include "http/peer_check.h"
#include "http/url.h"
#include "oci/calls/call_log.h"
#include "setup/step/findings.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using std::chrono::seconds;

constexpr auto kNameLimit = 4s;
constexpr auto kConnectLimit = 5s;
constexpr auto kExchangeLimit = 10s;
constexpr seconds kWorthSaying{60};
constexpr seconds kRefused{300};  // oci-rest-contract 1.1

NameAnswer lookUpOne(const std::string& host, const CommandRunner& run, const std::stop_token& stop) {
  NameAnswer answer{host, {}, {}, false};
  const auto said = run({"getent", "ahosts", host}, Secret(), kNameLimit, stop);
  if (!said) {
    answer.isSlow = said.error().code == ErrorCode::DeadlineExceeded;
    answer.problem = answer.isSlow ? "no answer within 4 s" : said.error().what + ": " + said.error().cause;
    return answer;
  }
  std::istringstream lines(said->output);
  for (std::string line; std::getline(lines, line);) {
    const std::string address = line.substr(0, line.find_first_of(" \t"));
    const bool isNew =
        std::find(answer.addresses.begin(), answer.addresses.end(), address) == answer.addresses.end();
    if (!address.empty() && isNew) answer.addresses.push_back(address);
  }
  if (answer.addresses.empty()) answer.problem = "no such name";
  return answer;
}

std::string remedyFor(const std::string& code, const ServiceTarget& place) {
  if (code == "dns-unknown-region")
    return fmt::format("check the spelling of the region '{}' in the profile", place.name);
  if (code == "dns-none") return "connect this machine to a network, and look at /etc/resolv.conf";
  if (code == "dns-slow") return "look at the name servers in /etc/resolv.conf: one of them does not answer";
  return "ask whoever runs the name servers of this network to let these names through";
}

std::string codeOf(const ServiceTarget& place, std::size_t bad, std::size_t all, bool slow) {
  if (slow) return "dns-slow";
  if (bad < all) return "dns-unresolved";
  return place.isKnownRegion ? "dns-none" : "dns-unknown-region";
}

std::string differenceText(seconds difference) {
  const auto count = std::abs(difference.count());
  if (count < 120) return fmt::format("{} s", count);
  return fmt::format("{} min {} s", count / 60, count % 60);
}

struct Exchange {
  Result<HttpResponse> answer = failure(ErrorCode::Internal, "nothing was sent");
  HttpTrace trace;
  TimePoint halfway{};  // between sending and the answer, by this machine's clock
};

Exchange exchangeWith(const ServiceTarget& place, const std::stop_token& stop) {
  Exchange exchange;
  CurlOptions options;
  options.certificateBundle = place.certificateBundle;
  HttpRequest request{"GET", place.serviceUrl + "/n/", {}, {}};
  request.connectTimeout = kConnectLimit;
  request.timeout = kExchangeLimit;
  request.trace = &exchange.trace;
  const SystemClock clock;
  oci::CallRecord record;
  record.at = clock.now();
  const SteadyPoint begin = clock.steady();
  exchange.answer = makeCurlHttpClient(options)->send(request, stop);
  record.duration = clock.steady() - begin;
  exchange.halfway = record.at + record.duration / 2;
  record.method = request.method;
  record.service = oci::toString(oci::Service::ObjectStorage);
  record.operation = "GetNamespace";
  if (const auto url = parseUrl(request.url)) record.host = url->hostHeader();
  if (exchange.answer) record.httpStatus = exchange.answer->status;
  if (exchange.answer) record.requestId = headerValue(exchange.answer->headers, "opc-request-id");
  if (!exchange.answer) record.errorCode = toString(exchange.answer.error().code);
  oci::CallLog().record(std::move(record));
  request.trace = nullptr;
  return exchange;
}

Finding clockOf(const Exchange& exchange) {
  const std::string text = headerValue(exchange.answer->headers, "date");
  const auto date = parseRfc1123(text);
  if (!date) {
    return {StepState::Warning, "what answers did not say what time it is, so the clock was not compared",
            evidenceOf("GET /n/", *exchange.answer), "see that nothing but the service answers there",
            "no-date"};
  }
  // The header counts whole seconds: on average half a second has gone by since.
  const auto ahead = std::chrono::round<seconds>(exchange.halfway - (*date + 500ms));
  return clockFinding(ahead, "Date: " + text);
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

// libcurl passes on the words of OpenSSL's X509_verify_cert_error_string().
const char* trustCode(const std::string& cause) {
  if (has(cause, "has expired") || has(cause, "not yet valid")) return "tls-expired";
  if (has(cause, "subject name") || has(cause, "hostname mismatch")) return "tls-wrong-name";
  if (has(cause, "error setting certificate") || has(cause, "certificate verify locations"))
    return "tls-bad-bundle";
  return "tls-unknown-authority";
}

// "O = Example, CN = Example Root", the authority at the end of what the server shows.
std::string missingAuthority(const ServiceTarget& place) {
  const auto chain = peerCertificates(place.serviceUrl, {}, kConnectLimit);
  return chain && !chain->empty() ? chain->back().issuer : std::string();
}

Finding untrusted(const ServiceTarget& place, const Error& error) {
  Finding finding = blockedFinding(error);
  finding.code = trustCode(error.cause);
  const std::string trusted =
      place.certificateBundle.empty() ? "the system's authorities" : "'" + place.certificateBundle + "'";
  if (finding.code == "tls-bad-bundle") {
    finding.remedy = "name a PEM file of authorities in cert_bundle of the profile, or remove it";
  } else if (finding.code == "tls-unknown-authority") {
    const std::string authority = missingAuthority(place);
    if (!authority.empty()) {
      finding.cause.clear();
      finding.text = fmt::format("the certificate of {} is signed by '{}', which is not among {}",
                                 place.serviceUrl, authority, trusted);
    }
    finding.evidence = error.cause;
    finding.remedy =
        "if that authority is your organization's (a proxy that looks into TLS), put its certificate into a "
        "PEM file and name it in cert_bundle of the profile; if you do not know it, do not go on";
  } else if (finding.code == "tls-expired") {
    finding.remedy = "check the date of this machine; if it is right, the certificate of what answers is old";
  } else {
    finding.remedy = "something else answers in the place of the service: check the endpoint, DNS and proxy";
  }
  return finding;
}

}  // namespace

std::vector<NameAnswer> lookUp(const std::vector<std::string>& hosts, const CommandRunner& run,
                               const std::stop_token& stop) {
  std::vector<NameAnswer> answers(hosts.size());
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < hosts.size(); ++i)
    threads.emplace_back([&, i] { answers[i] = lookUpOne(hosts[i], run, stop); });
  threads.clear();
  return answers;
}

Finding namesFinding(const ServiceTarget& place, const std::vector<NameAnswer>& answers, bool throughProxy) {
  std::vector<std::string> bad;
  bool slow = false;
  for (const NameAnswer& answer : answers) {
    if (answer.addresses.empty()) bad.push_back(answer.host);
    slow = slow || answer.isSlow;
  }
  const std::string all = fmt::format("all {} names of {} are found", answers.size(), place.name);
  if (bad.empty()) return {StepState::Ready, all, {}, {}, {}};
  if (throughProxy) {
    return {StepState::Ready,
            fmt::format("{} of {} names of {} are not found here; the proxy looks them up", bad.size(),
                        answers.size(), place.name),
            {},
            {},
            {}};
  }
  Finding finding;
  finding.state = StepState::Blocked;
  finding.code = codeOf(place, bad.size(), answers.size(), slow);
  finding.text = bad.size() == answers.size()
                     ? fmt::format("none of the names of {} is found", place.name)
                     : fmt::format("{} of {} names of {} are not found: {}", bad.size(), answers.size(),
                                   place.name, fmt::join(bad, ", "));
  const auto first = std::find_if(answers.begin(), answers.end(),
                                  [](const NameAnswer& answer) { return answer.addresses.empty(); });
  finding.evidence = fmt::format("getent ahosts {}: {}", first->host, first->problem);
  finding.remedy = remedyFor(finding.code, place);
  return finding;
}

ReportTable namesTable(const std::vector<NameAnswer>& answers) {
  ReportTable table{"Names of the region", {"host", "addresses"}, {}};
  for (const NameAnswer& answer : answers) {
    const bool found = !answer.addresses.empty();
    table.rows.push_back({{answer.host},
                          {found ? fmt::format("{}", fmt::join(answer.addresses, ", ")) : answer.problem,
                           found ? StepState::Ready : StepState::Blocked}});
  }
  return table;
}

Finding clockFinding(seconds ahead, const std::string& evidence) {
  const auto off = std::chrono::abs(ahead);
  const char* direction = ahead.count() > 0 ? "ahead of" : "behind";
  if (off <= kWorthSaying) {
    return {StepState::Ready,
            fmt::format("the clock is right within {} s", std::max(off, 1s).count()),
            evidence,
            {},
            {}};
  }
  const bool far = off > kRefused;
  return {far ? StepState::Blocked : StepState::Warning,
          fmt::format("the clock of this machine is {} {} the service's", differenceText(ahead), direction),
          evidence,
          "set it: sudo timedatectl set-ntp true (in a virtual machine: resume its time service)",
          far ? "clock-far-off" : "clock-off",
          far ? "the service refuses requests that are more than 5 min off" : ""};
}

std::vector<Finding> serviceFindings(const ServiceTarget& place, const std::stop_token& stop) {
  const Exchange exchange = exchangeWith(place, stop);
  if (exchange.answer) {
    std::vector<Finding> findings{clockOf(exchange)};
    const bool tls = place.serviceUrl.starts_with("https:");
    findings.push_back(
        {StepState::Ready,
         fmt::format("{} answers{}", place.serviceUrl, tls ? ", and its certificate is trusted" : ""),
         evidenceOf("GET /n/", *exchange.answer),
         {},
         {}});
    return findings;
  }
  const Error& error = exchange.answer.error();
  if (exchange.trace.untrusted) return {untrusted(place, error)};
  Finding finding = blockedFinding(error);
  finding.code = has(error.what, "TLS handshake") ? "tls-handshake" : "service-unreachable";
  return {finding};
}

}  // namespace lockstep
