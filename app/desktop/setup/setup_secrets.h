// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QPointer>
#include <memory>

#include "app/desktop/support/keychain.h"
#include "setup/step/secret_keeper.h"

class QWidget;

namespace lockstep {

class SecretDialog;

/// The secrets of the set-up in the system's keychain, for steps that run in other threads; asks with a
/// dialog, one at a time. UI thread.
class SetupSecrets : public QObject {
  Q_OBJECT
 public:
  explicit SetupSecrets(QWidget* window, QObject* parent = nullptr);
  /// Whoever still waits is told that it was cancelled.
  ~SetupSecrets() override;

  /// Whether somebody sits there.
  void setCanAsk(bool canAsk) { canAsk_ = canAsk; }
  /// May outlive this object, and then answers FailedPrecondition.
  [[nodiscard]] std::shared_ptr<SecretKeeper> store() const;

 private:
  struct Link;
  class Store;
  using Answer = std::function<void(Result<Secret>)>;
  void ask(const QString& question, const Answer& answer);

  QWidget* window_;
  bool canAsk_ = true;
  Keychain keychain_;
  QPointer<SecretDialog> dialog_;
  std::shared_ptr<Link> link_;
};

}  // namespace lockstep
