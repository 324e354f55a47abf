// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/support/keychain.h"

#include <qt6keychain/keychain.h>

#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

const QString kService = QStringLiteral("Lockstep");

Error problemOf(const QKeychain::Job& job, const char* what) {
  const bool isThere =
      job.error() != QKeychain::NoBackendAvailable && job.error() != QKeychain::NotImplemented;
  return keychainProblem(what, isThere, job.errorString());
}

template <class Job>
void startJob(Job* job, const QString& name, const char* what, Keychain::Done then) {
  job->setKey(name);
  QObject::connect(job, &QKeychain::Job::finished, job, [job, what, then = std::move(then)] {
    const bool fine = job->error() == QKeychain::NoError || job->error() == QKeychain::EntryNotFound;
    then(fine ? Result<void>() : Result<void>(tl::unexpected(problemOf(*job, what))));
  });
  job->start();
}

}  // namespace

Error keychainProblem(const char* what, bool isThere, const QString& said) {
  const bool isTold = !said.isEmpty() && said != QLatin1String("Unknown error");
  if (isThere && isTold) {
    return failure(ErrorCode::Unavailable, what, toStdString(said),
                   "unlock the keychain (GNOME Keyring, KWallet) and try again; nothing else depends on it")
        .value();
  }
  return failure(
             ErrorCode::Unavailable, what, "no keychain runs in this session",
             "install GNOME Keyring (or KWallet) and log in anew; without one, log in to the registry with "
             "the engine itself, and nothing else depends on it")
      .value();
}

void Keychain::read(const QString& name, Read then) {
  auto* job = new QKeychain::ReadPasswordJob(kService, this);
  job->setKey(name);
  connect(job, &QKeychain::Job::finished, this, [job, then = std::move(then)] {
    if (job->error() == QKeychain::NoError) return then(std::optional(Secret(toStdString(job->textData()))));
    if (job->error() == QKeychain::EntryNotFound) return then(std::optional<Secret>());
    then(tl::unexpected(problemOf(*job, "cannot read the keychain")));
  });
  job->start();
}

void Keychain::write(const QString& name, const Secret& secret, Done then) {
  auto* job = new QKeychain::WritePasswordJob(kService, this);
  job->setTextData(toQString(secret.reveal()));
  startJob(job, name, "cannot keep the pass phrase in the keychain", std::move(then));
}

void Keychain::remove(const QString& name, Done then) {
  startJob(new QKeychain::DeletePasswordJob(kService, this), name,
           "cannot take the pass phrase out of the keychain", std::move(then));
}

}  // namespace lockstep
