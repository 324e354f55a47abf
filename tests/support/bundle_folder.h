// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "base/text/quote.h"
#include "export/export.h"
#include "plan/plan.h"

namespace lockstep {

/// The bundle of a train.yaml; throws with the Error when there is none.
inline ExportBundle bundleOf(ExportTarget target, const std::string& yaml) {
  const ClusterDocument document(yaml);
  PlanOptions options;
  options.draft = true;
  options.generatedName = "golden";
  const auto plan = makePlan(document, options);
  if (!plan) throw std::runtime_error(describe(plan.error()));
  auto bundle = exportCluster(target, {document, *plan});
  if (!bundle) throw std::runtime_error(describe(bundle.error()));
  return std::move(*bundle);
}

inline std::string contentOf(const ExportBundle& bundle, const std::string& path) {
  for (const ExportedFile& file : bundle.files) {
    if (file.path == path) return file.content;
  }
  return {};
}

/// What a shell command printed (stdout and stderr) and its exit code.
struct Said {
  std::string text;
  int code = -1;
};
inline Said run(const std::string& command) {
  Said said;
  FILE* pipe = ::popen(("exec 2>&1 </dev/null; " + command).c_str(), "r");
  if (!pipe) throw std::runtime_error("no shell");
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) said.text.append(buffer, n);
  const int status = ::pclose(pipe);
  said.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return said;
}

inline bool hasProgram(const std::string& name) {
  return run("command -v " + name).code == 0;
}

}  // namespace lockstep
