// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/canvas/cluster_canvas_card.h"

#include <QGuiApplication>
#include <QLabel>
#include <QScreen>
#include <QTextDocument>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/cluster/canvas/cluster_canvas.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr size_t kMaxVariables = 14;
constexpr qsizetype kMaxValue = 56;

QString ranksWords(const NodeDetails& details) {
  if (!details.ranks) return {};
  const auto [first, last] = *details.ranks;
  return first == last ? ClusterCanvas::tr("rank %1").arg(first)
                       : ClusterCanvas::tr("ranks %1–%2").arg(first).arg(last);
}

QString shortened(const std::string& text) {
  const QString value = toQString(text).simplified();
  return value.size() <= kMaxValue ? value : value.left(kMaxValue - 1) + QStringLiteral("…");
}

QString escaped(const std::string& text) {
  return shortened(text).toHtmlEscaped();
}

QString section(const QString& title) {
  const QString muted = mutedColor(QGuiApplication::palette()).name();
  return QStringLiteral("<p style='margin:7px 0 1px 0; color:%1'>%2</p>").arg(muted, title.toHtmlEscaped());
}

QString row(const QString& left, const QString& right) {
  return QStringLiteral("<tr><td style='padding-right:12px; white-space:pre'>%1</td><td>%2</td></tr>")
      .arg(left, right);
}

QString portRows(const NodeDetails& details) {
  QString rows;
  for (const NodePort& port : details.ports)
    rows +=
        row(QStringLiteral("<b>%1</b>").arg(escaped(port.ports)), toQString(port.purpose).toHtmlEscaped());
  return rows;
}

QString environmentRows(const NodeDetails& details) {
  QString rows;
  const size_t shown = std::min(details.environment.size(), kMaxVariables);
  for (size_t i = 0; i < shown; ++i) {
    const EnvVar& variable = details.environment[i];
    rows += row(escaped(variable.name), escaped(variable.value));
  }
  return rows;
}

}  // namespace

QString nodeCardText(const QString& title, const NodeDetails& details) {
  const QString ranks = ranksWords(details);
  const QString name = toQString(details.displayName);
  QString text = QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped());
  if (!ranks.isEmpty()) text += QStringLiteral(" · %1").arg(ranks);
  if (!name.isEmpty() && name != title) text += section(ClusterCanvas::tr("Job run")) + name.toHtmlEscaped();
  text += section(ClusterCanvas::tr("Host")) + asSentence(details.host).toHtmlEscaped();
  if (!details.ports.empty())
    text += section(ClusterCanvas::tr("Ports")) +
            QStringLiteral("<table cellspacing='0'>%1</table>").arg(portRows(details));
  if (details.environment.empty()) return text;
  text += section(ClusterCanvas::tr("Environment")) +
          QStringLiteral("<table cellspacing='0'>%1</table>").arg(environmentRows(details));
  if (details.environment.size() > kMaxVariables)
    text += section(ClusterCanvas::tr("and %Ln more", nullptr,
                                      static_cast<int>(details.environment.size() - kMaxVariables)));
  return text;
}

QString nodeCardWords(const QString& title, const NodeDetails& details) {
  QStringList words{title, ranksWords(details), toQString(details.displayName), toQString(details.host)};
  for (const NodePort& port : details.ports)
    words << ClusterCanvas::tr("port %1: %2").arg(toQString(port.ports), toQString(port.purpose));
  words << ClusterCanvas::tr("%1 environment variables").arg(details.environment.size());
  words.removeAll(QString());
  return words.join(QStringLiteral("; "));
}

NodeCard::NodeCard(QWidget* parent) : QFrame(parent, Qt::ToolTip) {
  setAttribute(Qt::WA_ShowWithoutActivating);
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  makeCard(this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 9, 12, 10);
  label_ = new QLabel(this);
  label_->setTextFormat(Qt::RichText);
  label_->setWordWrap(true);
  column->addWidget(label_);
}

QString NodeCard::text() const {
  QTextDocument plain;
  plain.setHtml(label_->text());
  return plain.toPlainText();
}

void NodeCard::showBeside(const QRect& part, const QString& html) {
  label_->setText(html);
  const QScreen* screen = QGuiApplication::screenAt(part.center());
  if (!screen) screen = QGuiApplication::primaryScreen();
  const QRect room = screen->availableGeometry();
  QTextDocument measured;
  measured.setDefaultFont(label_->font());
  measured.setHtml(html);
  const int max = std::min(fontMetrics().averageCharWidth() * 68, room.width() - 40);
  const int width = std::min(static_cast<int>(measured.idealWidth()) + 8, max);
  label_->setFixedWidth(width);
  adjustSize();
  QPoint place(part.left(), part.bottom() + 8);
  if (place.y() + height() > room.bottom()) place.setY(part.top() - 8 - height());
  if (place.y() < room.top()) place = {part.right() + 8, std::max(room.top(), room.bottom() - height())};
  place.setX(std::clamp(place.x(), room.left(), std::max(room.left(), room.right() - this->width())));
  move(place);
  show();
}

}  // namespace lockstep
