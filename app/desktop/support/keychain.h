// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <functional>
#include <optional>

#include "base/error.h"
#include "base/secret.h"

namespace lockstep {

/// Why a keychain did not do `what`. `said`: the keychain library's words, of which "Unknown error" are those
/// for a session in which no keychain answers.
[[nodiscard]] Error keychainProblem(const char* what, bool isThere, const QString& said);

/// The secrets of this program in the keychain of the user's system, each under a name of its own. UI thread;
/// the answers come later, on it. Where there is no keychain every call fails with Unavailable and why.
class Keychain : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  using Read = std::function<void(Result<std::optional<Secret>>)>;  // nothing: it has none of that name
  using Done = std::function<void(Result<void>)>;

  void read(const QString& name, Read then);
  void write(const QString& name, const Secret& secret, Done then);
  void remove(const QString& name, Done then);
};

}  // namespace lockstep
