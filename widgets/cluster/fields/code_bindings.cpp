// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the training code: where it is, and what it is started with.
#include "widgets/cluster/fields/form_bindings.h"
#include "widgets/cluster/fields/form_texts.h"

namespace lockstep {
namespace {

FieldPath code(const char* key) {
  return {"spec", "runtime", "spec", key};
}

bool hasCodeElsewhere(const ClusterDocument& document) {
  return isClusterFile(document) && document.spec().runtimeType.has_value();
}
bool isFromGit(const ClusterDocument& document) {
  return hasCodeElsewhere(document) && *document.spec().runtimeType == "git";
}

QString entryPointHint(const ClusterDocument& document) {
  switch (traitsOf(document.spec().framework).entryFolder) {
    case EntryFolder::CodeDir:
      return FormTexts::tr("Looked for in OCI__CODE_DIR (/code); an absolute path is taken as it is.");
    case EntryFolder::SlashCode:
      return FormTexts::tr("Looked for in /code; an absolute path is taken as it is.");
    case EntryFolder::None:
      return FormTexts::tr("Run as it is: an absolute path such as /code/train.py.");
    case EntryFolder::Unknown:
      break;
  }
  return {};
}

}  // namespace

void addCodeSection(std::vector<FieldBinding>& all) {
  const QString section = FormSections::code();
  all.push_back({.section = section,
                 .label = FormTexts::tr("Entry point"),
                 .paths = {code("entryPoint")},
                 .isHalf = true,
                 .placeholder = QStringLiteral("train.py"),
                 .help = FormTexts::tr("The program that every rank runs."),
                 .isRelevant = isClusterFile,
                 .hint = entryPointHint});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Code from"),
                 .paths = {FieldPath{"spec", "runtime", "type"}},
                 .kind = FieldKind::Choice,
                 .isHalf = true,
                 .isOptional = true,
                 .choices = {{QString(), FormTexts::tr("the container image")},
                             {QStringLiteral("git"), FormTexts::tr("a Git repository")},
                             {QStringLiteral("remote"), FormTexts::tr("object storage")}},
                 .isRelevant = isClusterFile});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Arguments"),
                 .paths = {code("args")},
                 .kind = FieldKind::Arguments,
                 .isOptional = true,
                 .placeholder = QStringLiteral("--epochs 10"),
                 .help = FormTexts::tr("Passed to the entry point of every rank."),
                 .isRelevant = isClusterFile});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Keyword arguments"),
                 .paths = {code("kwargs")},
                 .kind = FieldKind::Arguments,
                 .isOptional = true,
                 .placeholder = QStringLiteral("--cv 5"),
                 .help = FormTexts::tr("Passed to the entry point after the arguments."),
                 .isRelevant = readsKwargs});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Code URI"),
                 .paths = {code("uri")},
                 .isOptional = true,
                 .placeholder = QStringLiteral("https://…/repository.git"),
                 .help = FormTexts::tr("Where the code comes from when it is not in the image."),
                 .isRelevant = hasCodeElsewhere});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Branch"),
                 .paths = {code("branch")},
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("main"),
                 .isRelevant = isFromGit});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Commit"),
                 .paths = {code("commit")},
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = FormTexts::tr("the branch's newest"),
                 .help = FormTexts::tr("Wins over the branch."),
                 .isRelevant = isFromGit});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Secret with the Git key"),
                 .paths = {code("gitSecretId")},
                 .isOptional = true,
                 .isRare = true,
                 .placeholder = QStringLiteral("ocid1.vaultsecret.oc1…"),
                 .help = FormTexts::tr("Vault secret with the SSH key of a private repository."),
                 .isRelevant = isFromGit});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Code folder"),
                 .paths = {code("codeDir")},
                 .isHalf = true,
                 .isOptional = true,
                 .isRare = true,
                 .placeholder = QStringLiteral("/code"),
                 .help = FormTexts::tr("Where the code is put in the container."),
                 .isRelevant = hasCodeElsewhere});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Python path"),
                 .paths = {code("pythonPath")},
                 .isHalf = true,
                 .isOptional = true,
                 .isRare = true,
                 .placeholder = QStringLiteral("src:lib"),
                 .help = FormTexts::tr("Folders of the code that Python searches, with colons between them."),
                 .isRelevant = hasCodeElsewhere});
}

}  // namespace lockstep
