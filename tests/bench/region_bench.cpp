// SPDX-License-Identifier: GPL-3.0-or-later
// What the rehearsal region costs: its start, its memory, signed puts of 1 KB, a list of 1,000 job runs.
//   region_bench BIN_DIR [ROUNDS]
// Every number comes with n, median and range. On a machine that others use, read the processor time.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "temp_dir.h"

namespace {

using SteadyClock = std::chrono::steady_clock;
using nlohmann::json;

double secondsSince(SteadyClock::time_point begin) {
  return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

void report(const char* what, std::vector<double> values, const char* unit) {
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  std::printf("%-44s n=%zu median=%.1f %s (%.1f-%.1f)\n", what, values.size(), values[values.size() / 2],
              unit, values.front(), values.back());
}

std::string base64(const unsigned char* bytes, std::size_t size) {
  std::string text(4 * ((size + 2) / 3) + 1, '\0');
  text.resize(static_cast<std::size_t>(
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes, static_cast<int>(size))));
  return text;
}

/// One caller on one connection that it keeps.
class Caller {
 public:
  Caller(int port, std::string keyId, const std::string& keyFile) : port_(port), keyId_(std::move(keyId)) {
    FILE* stream = std::fopen(keyFile.c_str(), "r");
    key_.reset(stream != nullptr ? PEM_read_PrivateKey(stream, nullptr, nullptr, nullptr) : nullptr);
    if (stream != nullptr) std::fclose(stream);
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int yes = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (!key_ || ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) std::exit(3);
  }
  ~Caller() { ::close(socket_); }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  /// The answer, head and body; a POST signs its body, a PUT leaves it out.
  std::string call(const std::string& method, const std::string& target, const std::string& body = {}) {
    char date[64];
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", std::gmtime(&now));
    const std::string host = "127.0.0.1:" + std::to_string(port_);
    std::string verb = method;
    for (char& c : verb) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    std::string text =
        std::string("date: ") + date + "\n(request-target): " + verb + " " + target + "\nhost: " + host;
    std::string names = "date (request-target) host", more;
    if (method == "POST") {
      unsigned char digest[32];
      unsigned int size = 0;
      EVP_Digest(body.data(), body.size(), digest, &size, EVP_sha256(), nullptr);
      const std::string hash = base64(digest, size);
      text += "\ncontent-length: " + std::to_string(body.size()) +
              "\ncontent-type: application/json\nx-content-sha256: " + hash;
      names += " content-length content-type x-content-sha256";
      more = "content-type: application/json\r\nx-content-sha256: " + hash + "\r\n";
    }
    send(method + " " + target + " HTTP/1.1\r\ndate: " + date + "\r\nhost: " + host +
         "\r\nauthorization: Signature version=\"1\",keyId=\"" + keyId_ +
         "\",algorithm=\"rsa-sha256\",headers=\"" + names + "\",signature=\"" + sign(text) + "\"\r\n" + more +
         (method == "GET" ? "" : "content-length: " + std::to_string(body.size()) + "\r\n") + "\r\n" + body);
    return receive();
  }

 private:
  std::string sign(const std::string& text) {
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    unsigned char signature[512];
    std::size_t size = sizeof signature;
    EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get());
    EVP_DigestSign(context.get(), signature, &size, reinterpret_cast<const unsigned char*>(text.data()),
                   text.size());
    return base64(signature, size);
  }
  void send(const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t n = ::send(socket_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (n <= 0) std::exit(4);
      at += static_cast<std::size_t>(n);
    }
  }
  std::string receive() {
    std::string answer;
    char buffer[65536];
    for (std::size_t whole = 0; whole == 0 || answer.size() < whole;) {
      const ssize_t n = ::recv(socket_, buffer, sizeof buffer, 0);
      if (n <= 0) std::exit(5);
      answer.append(buffer, static_cast<std::size_t>(n));
      const std::size_t end = answer.find("\r\n\r\n");
      if (end == std::string::npos) continue;
      const std::size_t length = answer.find("content-length: ");
      whole = end + 4 + (length < end ? std::strtoul(answer.c_str() + length + 16, nullptr, 10) : 0);
    }
    return answer;
  }

  int port_, socket_ = -1;
  std::string keyId_;
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_{nullptr, EVP_PKEY_free};
};

struct Place {
  int port = 0;
  pid_t pid = 0;
  std::string keyId, keyFile;
  json info;
};

struct RunningRegion {
  std::string program;
  lockstep::TempDir folder;

  [[nodiscard]] std::string command(const std::string& verb) const {
    return "HOME=" + folder.path().string() + " '" + program + "' " + verb + " --state " +
           (folder.path() / "state").string();
  }
  Place start(double& seconds, const std::string& more = {}) const {
    const auto begin = SteadyClock::now();
    FILE* out = ::popen(
        (command("start --json") + " --config " + (folder.path() / "config").string() + " " + more).c_str(),
        "r");
    std::string text;
    char buffer[4096];
    for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, out)) > 0;) text.append(buffer, n);
    ::pclose(out);
    seconds = secondsSince(begin);
    Place place;
    place.info = json::parse(text);
    const std::string endpoint = place.info["endpoint"];
    place.port = std::atoi(endpoint.c_str() + endpoint.rfind(':') + 1);
    place.pid = place.info["pid"];
    std::map<std::string, std::string> values;
    std::ifstream config(place.info["config"].get<std::string>());
    for (std::string line; std::getline(config, line);)
      if (const auto equals = line.find('='); equals != std::string::npos)
        values[line.substr(0, equals)] = line.substr(equals + 1);
    place.keyId = values["tenancy"] + "/" + values["user"] + "/" + values["fingerprint"];
    place.keyFile = values["key_file"];
    return place;
  }
  ~RunningRegion() {
    [[maybe_unused]] const int ignored = std::system((command("stop") + " >/dev/null").c_str());
  }
};

double processorSeconds(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text((std::istreambuf_iterator<char>(stat)), {});
  long user = 0, system = 0;
  std::sscanf(text.c_str() + text.rfind(')') + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld",
              &user, &system);
  return static_cast<double>(user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double proportionalMegabytes(pid_t pid) {
  std::ifstream rollup("/proc/" + std::to_string(pid) + "/smaps_rollup");
  for (std::string line; std::getline(rollup, line);)
    if (line.starts_with("Pss:")) return std::atof(line.c_str() + 4) / 1024;
  return 0;
}

double childSeconds() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

void putMany(const Place& place, int client, int count) {
  Caller caller(place.port, place.keyId, place.keyFile);
  const std::string body(1024, 'b');
  for (int i = 0; i < count; ++i) {
    const std::string target =
        "/n/rehearsal/b/lockstep/o/bench/" + std::to_string(client) + "/" + std::to_string(i);
    if (!caller.call("PUT", target, body).starts_with("HTTP/1.1 200")) ::_exit(6);
  }
}

void measurePuts(const Place& place, int rounds) {
  constexpr int kClients = 2, kPuts = 2000;
  std::vector<double> wall, owned, share;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = SteadyClock::now();
    const double region = processorSeconds(place.pid), clients = childSeconds();
    for (int client = 0; client < kClients; ++client)
      if (::fork() == 0) {
        putMany(place, client, kPuts);
        ::_exit(0);
      }
    for (int client = 0; client < kClients; ++client) {
      int status = 0;
      ::wait(&status);
      if (status != 0) std::exit(7);
    }
    const double spent = processorSeconds(place.pid) - region;
    wall.push_back(kClients * kPuts / secondsSince(begin));
    owned.push_back(2 * kClients * kPuts / (spent + childSeconds() - clients));
    share.push_back(spent * 1e6 / (kClients * kPuts));
  }
  report("signed puts of 1 KB, wall", wall, "/s");
  report("the same on two cores of their own", owned, "/s");
  report("of it the region's processor time", share, "us each");
}

// Each run that is accepted gets a key made, which takes two cores a minute or more for a thousand of them.
void waitForRest(pid_t pid) {
  for (int second = 0; second < 240; ++second) {
    const double before = processorSeconds(pid);
    ::sleep(1);
    if (processorSeconds(pid) - before < 0.3) return;
  }
}

// The answers of all pages, one after the other.
std::string allPages(Caller& caller, const std::string& list) {
  std::string all, page;
  do {
    const std::string answer = caller.call("GET", list + (page.empty() ? "" : "&page=" + page));
    const std::size_t at = answer.find("opc-next-page: ");
    page = at == std::string::npos ? "" : answer.substr(at + 15, answer.find("\r\n", at) - at - 15);
    all += answer;
  } while (!page.empty());
  return all;
}

void measureRuns(const Place& place, int rounds) {
  Caller caller(place.port, place.keyId, place.keyFile);
  const json places = place.info["places"];
  const json common{{"projectId", places["projectId"]}, {"compartmentId", places["compartmentId"]}};
  json job = common;
  job.update({{"jobConfigurationDetails", {{"jobType", "DEFAULT"}}},
              {"jobInfrastructureConfigurationDetails",
               {{"jobInfrastructureType", "ME_STANDALONE"},
                {"shapeName", "VM.Standard2.1"},
                {"blockStorageSizeInGBs", 50}}},
              {"jobEnvironmentConfigurationDetails",
               {{"jobEnvironmentType", "OCIR_CONTAINER"}, {"image", "iad.ocir.io/ns/x:1"}}}});
  const std::string made = caller.call("POST", "/20190101/jobs", job.dump());
  json run = common;
  run["jobId"] = json::parse(made.substr(made.find("\r\n\r\n") + 4)).value("id", "");
  int runs = 0;
  while (runs < 1000 && caller.call("POST", "/20190101/jobRuns", run.dump()).starts_with("HTTP/1.1 200"))
    ++runs;
  const std::string list =
      "/20190101/jobRuns?limit=100&compartmentId=" + places["compartmentId"].get<std::string>();
  waitForRest(place.pid);
  std::vector<double> millis;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = SteadyClock::now();
    allPages(caller, list);
    millis.push_back(secondsSince(begin) * 1000);
  }
  report(("list of " + std::to_string(runs) + " job runs, in pages of 100").c_str(), millis, "ms");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "region_bench BIN_DIR [ROUNDS]\n");
    return 2;
  }
  const std::string program = std::string(argv[1]) + "/lockstep-rehearsal";
  const int rounds = argc > 2 ? std::max(1, std::atoi(argv[2])) : 9;
  std::vector<double> starts, memory;
  for (int round = 0; round < rounds; ++round) {
    const RunningRegion region{program, {}};
    double seconds = 0;
    const Place place = region.start(seconds);
    starts.push_back(seconds * 1000);
    ::usleep(300'000);
    memory.push_back(proportionalMegabytes(place.pid));
  }
  report("start on a fresh state", starts, "ms");
  report("resident when idle (PSS)", memory, "MB");
  const RunningRegion region{program, {}};
  double seconds = 0;
  const Place place = region.start(seconds, "--provisioning-ms 3600000");
  measurePuts(place, rounds);
  measureRuns(place, rounds);
  return 0;
}
