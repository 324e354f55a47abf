// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

#include "setup/step/setup_step.h"

namespace lockstep {

/// One finding in at most four lines, always in this order: what it is, what was seen, why (likely), and
/// what to do.
class FindingCard : public QFrame {
  Q_OBJECT
 public:
  explicit FindingCard(const Finding& finding, QWidget* parent = nullptr);
};

/// All of a finding as text, one line each, for the clipboard.
[[nodiscard]] QString plainText(const Finding& finding);

}  // namespace lockstep
