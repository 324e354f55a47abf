// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QCoreApplication>

namespace lockstep {

/// The translation context of the form's fields: their labels, hints and choices stand in tables outside the form's class.
struct FormTexts {
  Q_DECLARE_TR_FUNCTIONS(lockstep::FormTexts)
};

}  // namespace lockstep
