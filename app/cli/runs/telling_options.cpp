// SPDX-License-Identifier: GPL-3.0-or-later
#include "telling_options.h"

#include "diagnosis/findings/finding_catalogue.h"
#include "diagnosis_view.h"
#include "http/curl_http_client.h"
#include "output.h"
#include "telling/tell_webhook.h"

namespace lockstep::cli {
namespace {

constexpr std::chrono::seconds kLongestEnd{35};  // a command may take thirty

}  // namespace

void addTellingOptions(CLI::App& command, TellingOptions& options) {
  command.add_option(
      "--on-finding", options.targets.command,
      "run this command line when something is found in the run and when it ends; it gets one JSON "
      "document on its input, and variables such as LOCKSTEP_TITLE");
  command
      .add_option("--webhook", options.targets.webhook,
                  "post the same document to this https address; out of sight of others in the variable")
      ->envname("LOCKSTEP_WEBHOOK")
      ->check([](const std::string& url) {
        const auto usable = checkWebhook(url);
        return usable ? std::string() : describe(usable.error());
      });
  command.add_option("--tell-from", options.least, "from which severity on those two are told")
      ->check(CLI::IsMember({"notice", "warning", "critical"}))
      ->capture_default_str();
}

FollowedNews::FollowedNews(const TellingOptions& options)
    : targets_(options.targets),
      news_({findingSeverityNamed(options.least).value_or(FindingSeverity::Warning), false}) {
  if (!targets_.empty())
    teller_ =
        std::make_unique<Teller>(makeCurlHttpClient(), [](const Error& error) { warn(describe(error)); });
}

void FollowedNews::look(const TrainingRun& run, const DiagnosisReport* report) {
  if (!teller_) return;
  for (RunNews& one : news_.take(run, report, mutedFindings(), SystemClock().now()))
    teller_->tell(targets_, std::move(one));
}

void FollowedNews::finish() {
  if (teller_ && !teller_->finish(kLongestEnd)) warn("not all news of the run were told");
}

}  // namespace lockstep::cli
