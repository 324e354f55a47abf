// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/window/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "base/version.h"
#include "portable/run_file.h"
#include "setup/steps/setup_steps.h"

namespace lockstep {
namespace {

constexpr int kUsageError = 2;

/// The texts as CLI11 wants them.
struct RawOptions {
  std::string open, launch, config, profile, theme, language, page, run, screenshot, dashboard, layout, bench,
      size;
  std::vector<std::string> steps;
  bool previews = false;
  int frames = 360, cards = 0;
  bool quitAfterStart = false;
};

void addOptions(CLI::App& app, RawOptions& raw) {
  app.set_version_flag("--version", "lockstep-desktop " LOCKSTEP_VERSION);
  app.add_option("FILE,--open", raw.open, "Open this train.yaml, or show the run in this .lockstep file")
      ->type_name("FILE");
  app.add_option("--launch", raw.launch, "Open this train.yaml, launch it and show the run")
      ->type_name("FILE");
  app.add_option("--config", raw.config, "OCI config file (default: as the OCI tools)")->type_name("FILE");
  app.add_option("--profile", raw.profile, "Profile of the OCI config file")->type_name("NAME");
  app.add_option("--theme", raw.theme, "Look of the window")
      ->check(CLI::IsMember({"system", "light", "dark"}));
  app.add_option("--language", raw.language, "Language of the window")->check(CLI::IsMember({"de", "en"}));
  app.add_option("--page", raw.page, "Page to show")
      ->check(CLI::IsMember({"setup", "clusters", "designer", "runs", "run", "comparison"}));
  app.add_option(
         "--run", raw.run,
         "Show this run: an id, a unique prefix of one, a job OCID, \"last\", a .lockstep file, or the "
         "folder of a run in a work dir (file:///PATH/RUN, a path, or oci://BUCKET@NAMESPACE/PREFIX/RUN), "
         "which are only read")
      ->type_name("RUN");
  app.add_option("--screenshot", raw.screenshot, "Draw the pages into DIR/<page>-<theme>.png and end")
      ->type_name("DIR");
  std::vector<std::string> steps = setupStepNames();
  steps.emplace_back("all");
  auto* shown = app.add_option("--steps", raw.steps, "Draw these steps of the set-up page, a picture each")
                    ->type_name("STEP")
                    ->check(CLI::IsMember(steps))
                    ->delimiter(',');
  app.add_flag("--previews", raw.previews, "Draw what would fix them, too, as <step>-preview-<theme>.png")
      ->needs(shown);
  app.add_option("--dashboard", raw.dashboard, "Draw the dashboard of a run into this PNG and end")
      ->type_name("FILE");
  app.add_option("--layout", raw.layout,
                 "Show the dashboard's cards of this layout: Overview, Learning, Speed, GPUs, Network, "
                 "\"Hunt the straggler\", or one of your own")
      ->type_name("NAME");
  auto* bench =
      app.add_option("--bench-dashboard", raw.bench,
                     "Show this run, zoom and move through it, print what that took as JSON, and end")
          ->type_name("RUN");
  app.add_option("--frames", raw.frames, "How many pictures to measure")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str()
      ->needs(bench);
  app.add_option("--cards", raw.cards, "Show so many charts of quantities that the run has")
      ->check(CLI::Range(1, 64))
      ->needs(bench);
  app.add_option("--size", raw.size, "Size of the drawn window")->type_name("WxH");
  app.add_flag("--quit-after-start", raw.quitAfterStart, "Print how long the start took and end");
}

std::optional<QSize> parseSize(const std::string& text) {
  int width = 0, height = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2) return std::nullopt;
  const bool sensible = width >= 400 && height >= 300 && width <= 8192 && height <= 8192;
  return sensible ? std::optional(QSize(width, height)) : std::nullopt;
}

DesktopOptions converted(const RawOptions& raw) {
  const auto text = [](const std::string& value) { return QString::fromStdString(value); };
  DesktopOptions options;
  const bool isRun = !raw.open.empty() && namesRunFile(raw.open);
  if (!isRun) options.openFile = text(raw.open);
  options.launchFile = text(raw.launch);
  options.configFile = text(raw.config);
  options.profile = text(raw.profile);
  options.theme = text(raw.theme);
  options.language = text(raw.language);
  options.page = text(raw.page);
  options.run = text(isRun && raw.run.empty() ? raw.open : raw.run);
  options.screenshotDir = text(raw.screenshot);
  const bool isAll = std::find(raw.steps.begin(), raw.steps.end(), "all") != raw.steps.end();
  for (const std::string& step : isAll ? setupStepNames() : raw.steps) options.steps << text(step);
  options.drawsPreviews = raw.previews;
  options.dashboardFile = text(raw.dashboard);
  options.layout = text(raw.layout);
  options.benchRun = text(raw.bench);
  options.benchFrames = raw.frames;
  options.benchCards = raw.cards;
  options.quitAfterStart = raw.quitAfterStart;
  return options;
}

}  // namespace

std::variant<DesktopOptions, int> parseCommandLine(int argc, char** argv) {
  CLI::App app("Lockstep: configure, launch and watch distributed training", "lockstep-desktop");
  RawOptions raw;
  addOptions(app, raw);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsageError;
  }
  DesktopOptions options = converted(raw);
  if (!raw.size.empty()) {
    const auto size = parseSize(raw.size);
    if (!size) {
      std::fprintf(stderr, "--size: '%s' is not WxH between 400x300 and 8192x8192, e.g. 1280x800\n",
                   raw.size.c_str());
      return kUsageError;
    }
    options.size = *size;
  }
  return options;
}

}  // namespace lockstep
