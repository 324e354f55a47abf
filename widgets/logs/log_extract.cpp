// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_extract.h"

#include "logs/text/styled_line.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kLinesAtOnce = 1000;

}  // namespace

std::string visibleText(std::string_view text) {
  const std::string_view newest = newestUpdate(text);
  return (newest.size() < text.size() ? "\r" : "") + std::string(newest);
}

QString lineText(const LogLineView& line) {
  const QString time =
      toQDateTime(line.time).toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
  const QString who = line.rank
                          ? QStringLiteral("[%1 rank %2]").arg(toShownLine(line.node)).arg(line.rank->value)
                          : QStringLiteral("[%1]").arg(toShownLine(line.node));
  return QStringLiteral("%1 %2 %3").arg(time, who, toShownLine(visibleText(line.text)));
}

Result<void> LogExtract::write(const std::function<Result<void>(std::string_view)>& put,
                               const std::stop_token& stop) const {
  if (!log) return {};
  LogReader reader(log);
  for (std::uint64_t from = 0; from < lines.size(); from += kLinesAtOnce) {
    if (stop.stop_requested()) return failure(ErrorCode::Cancelled, "the log was not saved as a whole");
    std::string text;
    for (const std::uint64_t line : lines.list(from, kLinesAtOnce)) {
      LogLineView view = reader.line(line);
      std::string whole;
      if (reader.isCut()) {
        whole = reader.wholeText(line);
        view = reader.line(line);
        view.text = whole;
      }
      text += toStdString(lineText(view)) + '\n';
    }
    if (auto written = put(text); !written) return written;
  }
  return {};
}

QString LogExtract::text() const {
  QString all;
  (void)write([&all](std::string_view piece) -> Result<void> {
    all += toQString(piece);
    return {};
  });
  return all;
}

}  // namespace lockstep
