// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/support/pass_phrase_desk.h"

#include <QThread>
#include <map>
#include <mutex>

#include "widgets/common/text/qt_convert.h"
#include "widgets/setup/pass_phrase_dialog.h"

namespace lockstep {
namespace {

tl::unexpected<Error> nobodyToAsk(const std::string& keyFile) {
  return failure(ErrorCode::FailedPrecondition, "the key '" + keyFile + "' is encrypted",
                 "nobody can be asked for its pass phrase now",
                 "set pass_phrase in the profile, or OCI_CLI_PASSPHRASE in the environment");
}

tl::unexpected<Error> notGiven(const std::string& keyFile) {
  return failure(ErrorCode::Cancelled, "the key '" + keyFile + "' is encrypted",
                 "its pass phrase was not given", "try again and type it");
}

}  // namespace

/// What the desk and its sources share, in whichever order they go.
struct PassPhraseDesk::Memory {
  std::mutex mutex;
  PassPhraseDesk* desk = nullptr;       // null: gone
  std::map<std::string, Secret> known;  // by key file: what opened it
};

class PassPhraseDesk::Source final : public oci::PassPhraseSource {
 public:
  explicit Source(std::shared_ptr<Memory> memory) : memory_(std::move(memory)) {}

  Result<Secret> ask(const oci::PassPhraseQuestion& question) override {
    std::future<Result<Secret>> answer;
    {
      const std::lock_guard lock(memory_->mutex);
      const auto known = memory_->known.find(question.keyFile);
      if (known != memory_->known.end() && question.attempt == 1) return known->second;
      PassPhraseDesk* desk = memory_->desk;
      // The thread that shows the dialog cannot wait for it.
      if (!desk || QThread::currentThread() == desk->thread()) return nobodyToAsk(question.keyFile);
      auto promise = std::make_shared<std::promise<Result<Secret>>>();
      answer = promise->get_future();
      desk->handover_.post([desk, question, promise] { desk->present({question, promise}); });
    }
    try {
      return answer.get();
    } catch (const std::future_error&) {  // the desk went away with the question
      return notGiven(question.keyFile);
    }
  }

  void answered(const oci::PassPhraseQuestion& question, const Secret& passPhrase, bool opened) override {
    const std::lock_guard lock(memory_->mutex);
    if (opened) {
      memory_->known[question.keyFile] = passPhrase;
    } else {
      memory_->known.erase(question.keyFile);
    }
    if (PassPhraseDesk* desk = memory_->desk)
      desk->handover_.post([desk, file = question.keyFile, passPhrase, opened] {
        desk->noteOutcome(file, passPhrase, opened);
      });
  }

 private:
  std::shared_ptr<Memory> memory_;
};

PassPhraseDesk::PassPhraseDesk(QWidget* window, bool canAsk, QObject* parent)
    : QObject(parent), window_(window), canAsk_(canAsk), memory_(std::make_shared<Memory>()) {
  memory_->desk = this;
}

PassPhraseDesk::~PassPhraseDesk() {
  {
    const std::lock_guard lock(memory_->mutex);
    memory_->desk = nullptr;
  }
  delete dialog_;
}

std::shared_ptr<oci::PassPhraseSource> PassPhraseDesk::source() const {
  return std::make_shared<Source>(memory_);
}

void PassPhraseDesk::present(Waiting waiting) {
  waiting_.push_back(std::move(waiting));
  if (!busy_) next();
}

void PassPhraseDesk::next() {
  if (waiting_.empty()) return;
  const oci::PassPhraseQuestion question = waiting_.front().question;
  if (!canAsk_) return answerAll(nobodyToAsk(question.keyFile));
  busy_ = true;
  keychain_.read(toQString(question.keyFile), [this, question](const Result<std::optional<Secret>>& kept) {
    if (kept && *kept && question.attempt == 1) {
      fromKeychain_.insert(question.keyFile);
      answerAll(**kept);
    } else {
      showDialog(kept.has_value());
    }
  });
}

void PassPhraseDesk::showDialog(bool canBeKept) {
  const oci::PassPhraseQuestion question = waiting_.front().question;
  const bool wasKept = fromKeychain_.erase(question.keyFile) > 0;
  dialog_ = new PassPhraseDialog(
      {toQString(question.keyFile), toQString(question.profile), question.attempt > 1, canBeKept, wasKept},
      window_);
  dialog_->setAttribute(Qt::WA_DeleteOnClose);
  dialog_->setWindowModality(Qt::WindowModal);
  connect(dialog_, &QDialog::finished, this, [this, question](int result) {
    if (result != QDialog::Accepted) return answerAll(notGiven(question.keyFile));
    if (dialog_->isToBeKept()) toBeKept_.insert(question.keyFile);
    answerAll(Secret(toStdString(dialog_->passPhrase())));
  });
  dialog_->open();
}

void PassPhraseDesk::answerAll(const Result<Secret>& answer) {
  const std::string keyFile = waiting_.front().question.keyFile;
  std::deque<Waiting> others;
  for (Waiting& waiting : waiting_) {
    if (waiting.question.keyFile == keyFile) {
      waiting.answer->set_value(answer);
    } else {
      others.push_back(std::move(waiting));
    }
  }
  waiting_ = std::move(others);
  busy_ = false;
  next();
}

void PassPhraseDesk::noteOutcome(const std::string& keyFile, const Secret& passPhrase, bool opened) {
  const auto complain = [this](const Result<void>& done) {
    if (!done) emit failed(done.error());
  };
  if (opened && toBeKept_.erase(keyFile) > 0) {
    keychain_.write(toQString(keyFile), passPhrase, complain);
  } else if (!opened) {
    toBeKept_.erase(keyFile);
    if (fromKeychain_.contains(keyFile)) keychain_.remove(toQString(keyFile), complain);
  }
}

}  // namespace lockstep
