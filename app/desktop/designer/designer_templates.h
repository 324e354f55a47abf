// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QString>
#include <functional>

#include "app/desktop/support/background_task.h"
#include "starter/starter.h"

namespace lockstep {

class DesignerPage;

/// File > New from template: opens the starter's train.yaml as an unsaved cluster, and offers to write the
/// whole project (train script, Dockerfile …) into a folder.
class DesignerTemplates : public QObject {
  Q_OBJECT
 public:
  explicit DesignerTemplates(DesignerPage* page, QObject* parent = nullptr);

  /// Writes the project below this folder; answers with written() or says why not.
  void writeProject(const QString& name, const QString& folder);
  /// Offers that for the template that the page shows now.
  void offerProject(const QString& name);

 signals:
  /// The project's train.yaml is there.
  void written(const QString& trainYaml);

 private:
  void chooseFolder(const QString& name);

  DesignerPage* page_;
  BackgroundTask task_;
};

}  // namespace lockstep
