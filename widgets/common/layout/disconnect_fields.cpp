// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/layout/disconnect_fields.h"

#include <QWidget>

namespace lockstep {

void disconnectFields(QWidget* form) {
  for (QWidget* field : form->findChildren<QWidget*>()) field->disconnect(form);
}

}  // namespace lockstep
