// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/telling/desktop_notifier.h"

#include <QDBusError>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QVariantMap>

#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

const QString kService = QStringLiteral("org.freedesktop.Notifications");
const QString kPath = QStringLiteral("/org/freedesktop/Notifications");
const QString kApplication = QStringLiteral("io.github.lockstep.Lockstep");
constexpr int kLongestText = 500;  // of a body: a notification is no page

QString keyOf(const RunNews& news) {
  const QString run = toQString(news.run.value);
  return news.finding ? run + QLatin1Char('\n') + toQString(news.finding->key()) : run;
}

uchar urgencyOf(const RunNews& news) {
  if (!news.finding) return news.state == RunState::Failed ? 2 : 1;
  return static_cast<uchar>(news.finding->severity);  // notice, warning, critical: low, normal, critical
}

}  // namespace

DesktopNotifier::DesktopNotifier(const QDBusConnection& bus, QObject* parent)
    : QObject(parent), bus_(bus), isAvailable_(bus.isConnected()) {
  bus_.connect(kService, kPath, kService, QStringLiteral("ActionInvoked"), this,
               SLOT(noteAction(uint, QString)));
  bus_.connect(kService, kPath, kService, QStringLiteral("NotificationClosed"), this,
               SLOT(noteClosed(uint, uint)));
  if (isAvailable_) askService();
}

void DesktopNotifier::askService() {
  auto* watcher =
      new QDBusPendingCallWatcher(bus_.asyncCall(QDBusMessage::createMethodCall(
                                      kService, kPath, kService, QStringLiteral("GetServerInformation"))),
                                  this);
  connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* done) {
    // Who does not know the question is there all the same.
    if (done->isError() && done->error().type() != QDBusError::UnknownMethod) isAvailable_ = false;
    done->deleteLater();
  });
}

void DesktopNotifier::show(const RunNews& news) {
  if (!bus_.isConnected()) return;
  const QString key = keyOf(news);
  const QVariantMap hints{{QStringLiteral("urgency"), QVariant::fromValue(urgencyOf(news))},
                          {QStringLiteral("desktop-entry"), kApplication}};
  const QStringList actions{QStringLiteral("default"), tr("Show the run")};
  const QString body = toShownLine(textOf(news)).left(kLongestText).toHtmlEscaped();
  QDBusMessage call = QDBusMessage::createMethodCall(kService, kPath, kService, QStringLiteral("Notify"));
  call << QStringLiteral("Lockstep") << shown_.value(key, 0) << kApplication << toShownLine(titleOf(news))
       << body << actions << hints << -1;
  auto* watcher = new QDBusPendingCallWatcher(bus_.asyncCall(call), this);
  connect(watcher, &QDBusPendingCallWatcher::finished, this,
          [this, key, run = news.run](QDBusPendingCallWatcher* done) { take(done, key, run); });
}

void DesktopNotifier::take(QDBusPendingCallWatcher* call, const QString& key, const RunId& run) {
  const QDBusPendingReply<uint> reply = *call;
  isAvailable_ = !reply.isError();
  if (isAvailable_) {
    shown_[key] = reply.value();
    runs_[reply.value()] = run;
  }
  call->deleteLater();
  emit answered();
}

void DesktopNotifier::noteAction(uint id, const QString& action) {
  const auto run = runs_.constFind(id);
  if (run != runs_.constEnd() && action == QLatin1String("default")) emit activated(*run);
}

void DesktopNotifier::noteClosed(uint id, uint) {
  runs_.remove(id);
  shown_.removeIf([id](const auto& one) { return one.value() == id; });
}

}  // namespace lockstep
