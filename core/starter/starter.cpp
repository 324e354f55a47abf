// SPDX-License-Identifier: GPL-3.0-or-later
#include "starter/starter.h"

#include <algorithm>
#include <array>
#include <system_error>

#include "base/atomic_file.h"
#include "base/embedded_file.h"

namespace lockstep {
namespace {

struct Row {
  std::string_view name, title, summary;
  bool withNodeRunner;  // the files below node/, too
  bool withMetrics;     // lockstep.py, too
};

constexpr std::array kRows{
    Row{"pytorch-cpp", "PyTorch in C++ (Lockstep's trainer)",
        "CIFAR-10 on three nodes of the rehearsal region; runs on this machine as it is.", false, false},
    Row{"pytorch", "PyTorch", "DistributedDataParallel on CIFAR-10, one process for each GPU.", false, true},
    Row{"dask", "Dask", "A grid search: scheduler and script on the main node, workers on the others.", true,
        false},
    Row{"horovod-pytorch", "Horovod with PyTorch", "CIFAR-10 with horovodrun, elastic, over ssh.", true,
        true},
    Row{"horovod-tensorflow", "Horovod with Keras", "CIFAR-10 with horovodrun, elastic, over ssh.", true,
        true},
    Row{"tensorflow", "TensorFlow", "CIFAR-10 with MultiWorkerMirroredStrategy or with parameter servers.",
        true, true},
    Row{"ray", "Ray", "A search over parameters: head and script on the main node, workers on the others.",
        true, false},
};
constexpr std::string_view kNodeRunner = "node/";
constexpr std::string_view kMetricsModule = "lockstep.py";
constexpr std::string_view kFirst = "train.yaml";

bool isScript(std::string_view path) {
  return path.ends_with(".sh");
}

bool isTrainYaml(const StarterFile& file) {
  return file.path.starts_with("train") && file.path.ends_with(".yaml");
}

std::vector<StarterFile> filesOf(const Row& row) {
  std::vector<StarterFile> files;
  const std::string own = std::string(row.name) + "/";
  for (const EmbeddedFile& file : embedded::starters()) {
    if (file.path.starts_with(own)) {
      const std::string_view path = file.path.substr(own.size());
      files.push_back({std::string(path), file.content, isScript(path)});
    } else if (row.withNodeRunner && file.path.starts_with(kNodeRunner)) {
      files.push_back({std::string(file.path), file.content, isScript(file.path)});
    }
  }
  if (row.withMetrics) {
    const std::string_view module = contentOf(embedded::starterModules(), kMetricsModule);
    files.push_back({std::string(kMetricsModule), module, false});
  }
  std::sort(files.begin(), files.end(), [](const StarterFile& a, const StarterFile& b) {
    return std::pair(a.path != kFirst, a.path) < std::pair(b.path != kFirst, b.path);
  });
  return files;
}

std::vector<Starter> readStarters() {
  std::vector<Starter> all;
  for (const Row& row : kRows) {
    all.push_back({std::string(row.name), std::string(row.title), std::string(row.summary), filesOf(row)});
  }
  return all;
}

Result<void> refuseExisting(const Starter& starter, const std::filesystem::path& folder) {
  for (const StarterFile& file : starter.files) {
    std::error_code error;
    const auto path = folder / file.path;
    const auto found = std::filesystem::symlink_status(path, error);
    if (found.type() == std::filesystem::file_type::not_found) continue;
    if (!std::filesystem::exists(found)) {
      return failure(ErrorCode::Io, "cannot look at '" + path.string() + "'", error.message());
    }
    return failure(ErrorCode::AlreadyExists, "'" + path.string() + "' exists",
                   "the project '" + starter.name + "' has a file of that name, and nothing is overwritten",
                   "choose another folder, or move the file away");
  }
  return {};
}

Result<void> writeOne(const StarterFile& file, const std::filesystem::path& path, std::string_view content) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) {
    return failure(ErrorCode::Io, "cannot create the folder '" + path.parent_path().string() + "'",
                   error.message());
  }
  if (auto written = writeFileAtomically(path, content); !written) return written;
  if (!file.executable) return {};
  using std::filesystem::perms;
  std::filesystem::permissions(path, perms::owner_exec | perms::group_exec | perms::others_exec,
                               std::filesystem::perm_options::add, error);
  if (error) return failure(ErrorCode::Io, "cannot make '" + path.string() + "' executable", error.message());
  return {};
}

}  // namespace

const std::vector<Starter>& starters() {
  static const std::vector<Starter> all = readStarters();
  return all;
}

const Starter* findStarter(std::string_view name) {
  const auto found = std::find_if(starters().begin(), starters().end(),
                                  [&](const Starter& starter) { return starter.name == name; });
  return found == starters().end() ? nullptr : &*found;
}

Result<std::vector<std::filesystem::path>> writeStarter(const Starter& starter,
                                                        const std::filesystem::path& folder,
                                                        const StarterValues& values) {
  if (auto free = refuseExisting(starter, folder); !free) return failure(free.error());
  std::vector<std::string> contents;
  for (const StarterFile& file : starter.files) {
    auto text = isTrainYaml(file) ? filledIn(std::string(file.content), values)
                                  : Result<std::string>(std::string(file.content));
    if (!text) return failure(text.error());
    contents.push_back(*std::move(text));
  }
  std::vector<std::filesystem::path> written;
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const auto path = folder / starter.files[i].path;
    if (auto done = writeOne(starter.files[i], path, contents[i]); !done) return failure(done.error());
    written.push_back(path);
  }
  return written;
}

}  // namespace lockstep
