// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the folder of a run (draw_run) into a bucket, for measurements over the wire.
//   put_run FOLDER oci://BUCKET@NAMESPACE/PREFIX [PROFILE]     it becomes PREFIX/<name of the folder>; REHEARSAL
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/atomic_file.h"
#include "oci/signin/open_service_client.h"
#include "oci/signing/profile.h"
#include "oci/storage/object_storage_client.h"

namespace {

using namespace lockstep;
namespace fs = std::filesystem;
constexpr int kThreads = 4;

std::shared_ptr<ObjectStore> openStore(const std::string& uri, const std::string& profileName) {
  const auto profile = oci::loadProfile({{}, profileName}, {});
  const auto services = profile ? oci::openServiceClient(*profile) : failure(profile.error());
  const auto store = services ? oci::openWorkDir(*services, uri)
                              : Result<std::shared_ptr<ObjectStore>>(failure(services.error()));
  if (store) return *store;
  std::fprintf(stderr, "put_run: %s\n", describe(store.error()).c_str());
  return nullptr;
}

std::vector<fs::path> filesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) {
    std::fprintf(stderr, "put_run FOLDER oci://BUCKET@NAMESPACE/PREFIX [PROFILE]\n");
    return 2;
  }
  const fs::path folder = fs::canonical(argv[1]);
  const auto store = openStore(argv[2], argc == 4 ? argv[3] : "REHEARSAL");
  if (!store) return 1;
  const std::vector<fs::path> files = filesIn(folder);
  std::atomic<std::size_t> next{0}, bytes{0}, failed{0};
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      for (std::size_t at = next++; at < files.size(); at = next++) {
        const auto content = readFile(files[at]);
        const std::string name = files[at].lexically_relative(folder.parent_path()).string();
        if (content && store->put(name, *content, {}))
          bytes += content->size();
        else
          ++failed;
      }
    });
  threads.clear();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%zu objects, %zu bytes in %.1f s, %zu failed\n", files.size(), bytes.load(), took.count(),
              failed.load());
  return failed == 0 ? 0 : 1;
}
