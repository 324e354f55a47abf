// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/setup/setup_secrets.h"

#include <QThread>
#include <future>
#include <mutex>

#include "widgets/common/text/qt_convert.h"
#include "widgets/setup/secret_dialog.h"

namespace lockstep {
namespace {

tl::unexpected<Error> gone() {
  return failure(ErrorCode::FailedPrecondition, "cannot reach the keychain", "the window is closing");
}

}  // namespace

/// What the secrets and their stores share, in whichever order they go.
struct SetupSecrets::Link {
  std::mutex mutex;
  SetupSecrets* owner = nullptr;  // null: gone
};

class SetupSecrets::Store final : public SecretKeeper {
 public:
  explicit Store(std::shared_ptr<Link> link) : link_(std::move(link)) {}

  Result<std::optional<Secret>> get(const std::string& name) override {
    return waitFor<std::optional<Secret>>(
        [name](SetupSecrets& owner, const auto& answer) { owner.keychain_.read(toQString(name), answer); });
  }
  Result<void> set(const std::string& name, const Secret& secret) override {
    return waitFor<void>([name, secret](SetupSecrets& owner, const auto& answer) {
      owner.keychain_.write(toQString(name), secret, answer);
    });
  }
  Result<void> remove(const std::string& name) override {
    return waitFor<void>(
        [name](SetupSecrets& owner, const auto& answer) { owner.keychain_.remove(toQString(name), answer); });
  }
  Result<Secret> ask(const std::string& question) override {
    return waitFor<Secret>(
        [question](SetupSecrets& owner, const auto& answer) { owner.ask(toQString(question), answer); });
  }

 private:
  /// Has `work` done on the UI thread and waits for its answer.
  template <class T, class Work>
  Result<T> waitFor(Work work) {
    std::future<Result<T>> answer;
    {
      const std::lock_guard lock(link_->mutex);
      SetupSecrets* owner = link_->owner;
      // The thread that answers cannot wait for the answer.
      if (!owner || QThread::currentThread() == owner->thread()) return gone();
      auto promise = std::make_shared<std::promise<Result<T>>>();
      answer = promise->get_future();
      QMetaObject::invokeMethod(
          owner,
          [owner, work, promise] {
            work(*owner, [promise](Result<T> value) { promise->set_value(std::move(value)); });
          },
          Qt::QueuedConnection);
    }
    try {
      return answer.get();
    } catch (const std::future_error&) {  // the owner went away with the question
      return gone();
    }
  }

  std::shared_ptr<Link> link_;
};

SetupSecrets::SetupSecrets(QWidget* window, QObject* parent)
    : QObject(parent), window_(window), link_(std::make_shared<Link>()) {
  link_->owner = this;
}

SetupSecrets::~SetupSecrets() {
  {
    const std::lock_guard lock(link_->mutex);
    link_->owner = nullptr;
  }
  delete dialog_;
}

std::shared_ptr<SecretKeeper> SetupSecrets::store() const {
  return std::make_shared<Store>(link_);
}

void SetupSecrets::ask(const QString& question, const Answer& answer) {
  const auto refuse = [&](const char* cause) {
    answer(failure(ErrorCode::Cancelled, "the " + toStdString(question) + " is missing", cause, "try again"));
  };
  if (!canAsk_ || dialog_) return refuse("nobody can be asked for it now");
  dialog_ = new SecretDialog(question, window_);
  dialog_->setAttribute(Qt::WA_DeleteOnClose);
  dialog_->setWindowModality(Qt::WindowModal);
  connect(dialog_, &QDialog::finished, this, [dialog = dialog_.data(), question, answer](int result) {
    if (result == QDialog::Accepted) return answer(Secret(toStdString(dialog->secret())));
    answer(failure(ErrorCode::Cancelled, "the " + toStdString(question) + " is missing", "it was not given",
                   "try again and paste it"));
  });
  dialog_->open();
}

}  // namespace lockstep
