// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/starter_project.h"

#include <QFile>
#include <system_error>

#include "base/atomic_file.h"

// Outside of any namespace, as the macro wants it: the library is static.
static void initResources() {
  Q_INIT_RESOURCE(desktop);
}

namespace lockstep {

std::string starterText() {
  initResources();
  QFile file(QStringLiteral(":/lockstep/starter/pytorch-cpp/train.yaml"));
  return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

Result<std::filesystem::path> ensureStarterProject(const std::filesystem::path& dataDir) {
  const std::filesystem::path file = dataDir / "projects" / "cifar-ddp" / "train.yaml";
  std::error_code error;
  if (std::filesystem::exists(file, error)) return file;
  std::filesystem::create_directories(file.parent_path(), error);
  if (error) {
    return failure(StatusCode::Io, "cannot create the folder '" + file.parent_path().string() + "'",
                   error.message());
  }
  if (auto written = writeFileAtomically(file, starterText()); !written) return failure(written.error());
  return file;
}

}  // namespace lockstep
