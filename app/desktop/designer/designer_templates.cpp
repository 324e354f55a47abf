// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/designer/designer_templates.h"

#include <QFileDialog>
#include <QPushButton>

#include "base/user_dirs.h"
#include "widgets/cluster/page/designer_page.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {

DesignerTemplates::DesignerTemplates(DesignerPage* page, QObject* parent) : QObject(parent), page_(page) {
  std::vector<TemplateChoice> choices;
  for (const Starter& starter : starters()) {
    choices.push_back({toQString(starter.name), toQString(starter.title), toQString(starter.summary)});
  }
  page_->setTemplates(choices);
}

void DesignerTemplates::offerProject(const QString& name) {
  const Starter* starter = findStarter(toStdString(name));
  if (starter == nullptr) return;
  page_->showMessage(
      Severity::Info, tr("%1: a new cluster").arg(toQString(starter->title)),
      tr("The template has a train script, a Dockerfile and a description, too. They can be written "
         "into a folder together with this train.yaml."));
  QPushButton* write = page_->messageBar()->addButton(tr("Write the whole project …"));
  connect(write, &QPushButton::clicked, this, [this, name] { chooseFolder(name); });
}

void DesignerTemplates::chooseFolder(const QString& name) {
  const QString folder = QFileDialog::getExistingDirectory(page_, tr("Write the project into this folder"),
                                                           toQString(homeDir().string()));
  if (!folder.isEmpty()) writeProject(name, folder);
}

void DesignerTemplates::writeProject(const QString& name, const QString& folder) {
  const Starter* starter = findStarter(toStdString(name));
  if (starter == nullptr) return;
  using Written = Result<std::vector<std::filesystem::path>>;
  task_.start([starter, path = std::filesystem::path(toStdString(folder))](
                  const std::stop_token&) { return writeStarter(*starter, path); },
              [this](const Written& files) {
                if (!files) return page_->showError(files.error());
                emit written(toQString(files->front().string()));
              });
}

}  // namespace lockstep
