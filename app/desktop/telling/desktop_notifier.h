// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDBusConnection>
#include <QHash>
#include <QObject>

#include "telling/run_news.h"

class QDBusPendingCallWatcher;

namespace lockstep {

/// Shows news of runs by the notification service of the desktop (Desktop Notifications Specification 1.2,
/// https://specifications.freedesktop.org/notification-spec/), a newer one in place of the former about the same. Texts are plain: what
/// a server would take for markup is escaped. Without a bus or a service nothing happens but that isAvailable() says so. Waits for
/// nothing; UI thread.
class DesktopNotifier : public QObject {
  Q_OBJECT
 public:
  explicit DesktopNotifier(const QDBusConnection& bus = QDBusConnection::sessionBus(),
                           QObject* parent = nullptr);

  void show(const RunNews& news);
  /// False: the last call was not answered, or there is no bus. True until the service, which is asked at first, has answered.
  [[nodiscard]] bool isAvailable() const { return isAvailable_; }

 signals:
  /// The user has clicked on a notification about it.
  void activated(const lockstep::RunId& run);
  /// What the service has been asked for was answered, or not (isAvailable()).
  void answered();

 private slots:
  void noteAction(uint id, const QString& action);
  void noteClosed(uint id, uint reason);

 private:
  void askService();
  void take(QDBusPendingCallWatcher* call, const QString& key, const RunId& run);

  QDBusConnection bus_;
  bool isAvailable_;
  QHash<QString, uint> shown_;  // by what they are about
  QHash<uint, RunId> runs_;     // of those that are shown
};

}  // namespace lockstep
