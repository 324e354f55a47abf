// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QPointer>
#include <deque>
#include <future>
#include <memory>
#include <set>

#include "app/desktop/support/handover.h"
#include "app/desktop/support/keychain.h"
#include "oci/signing/pass_phrase_source.h"

class QWidget;

namespace lockstep {

class PassPhraseDialog;

/// Finds pass phrases of encrypted keys for whoever signs requests: what opened the key before, the keychain,
/// then a dialog. One dialog at a time; everybody who waits for the same key gets its answer. UI thread.
class PassPhraseDesk : public QObject {
  Q_OBJECT
 public:
  /// `canAsk` false: pictures are being made and nobody sits there.
  PassPhraseDesk(QWidget* window, bool canAsk, QObject* parent = nullptr);
  /// Whoever still waits is told that it was cancelled.
  ~PassPhraseDesk() override;

  /// May outlive this object, and then answers FailedPrecondition.
  [[nodiscard]] std::shared_ptr<oci::PassPhraseSource> source() const;

 signals:
  /// The keychain would not do what it was asked for.
  void failed(const lockstep::Error& error);

 private:
  struct Memory;
  class Source;
  struct Waiting {
    oci::PassPhraseQuestion question;
    std::shared_ptr<std::promise<Result<Secret>>> answer;
  };
  void present(Waiting waiting);
  void next();
  void showDialog(bool canBeKept);
  void answerAll(const Result<Secret>& answer);
  void noteOutcome(const std::string& keyFile, const Secret& passPhrase, bool opened);

  QWidget* window_;
  const bool canAsk_;
  Keychain keychain_;
  Handover handover_;
  std::shared_ptr<Memory> memory_;
  std::deque<Waiting> waiting_;  // the first is being asked about
  QPointer<PassPhraseDialog> dialog_;
  bool busy_ = false;
  std::set<std::string> toBeKept_, fromKeychain_;  // key files
};

}  // namespace lockstep
