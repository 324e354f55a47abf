// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

#include "widgets/health/health_words.h"

namespace lockstep {

/// One notice as the findings of set-up look: what, why, what to do.
class GapCard : public QFrame {
  Q_OBJECT
 public:
  GapCard(BadgeTone tone, const HealthNotice& notice, QWidget* parent = nullptr);
};

}  // namespace lockstep
