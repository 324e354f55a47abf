// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/step_texts.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <iterator>

#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

/// The context of this file's texts.
struct StepTexts {
  Q_DECLARE_TR_FUNCTIONS(lockstep::StepTexts)
};

struct StepText {
  const char* id;
  const char* title;
  const char* purpose;
};

// In the words of somebody who has never seen the service's console.
constexpr StepText kTexts[] = {
    {"machine", QT_TRANSLATE_NOOP("lockstep::StepTexts", "Clock, proxy, DNS and TLS"),
     QT_TRANSLATE_NOOP("lockstep::StepTexts",
                       "What makes everything else fail when it is wrong: this machine's clock, a proxy, "
                       "names that resolve, and certificates that are trusted.")},
    {"auth", QT_TRANSLATE_NOOP("lockstep::StepTexts", "Profile and API key"),
     QT_TRANSLATE_NOOP("lockstep::StepTexts",
                       "The profile is complete, its key file is readable by you alone, and the service "
                       "accepts requests signed with it.")},
    {"containers", QT_TRANSLATE_NOOP("lockstep::StepTexts", "Container engine"),
     QT_TRANSLATE_NOOP("lockstep::StepTexts",
                       "Docker, Podman or Rancher Desktop runs, and there is room for the image: it is built "
                       "here and pushed to the registry.")},
    {"project", QT_TRANSLATE_NOOP("lockstep::StepTexts", "Compartment and project"),
     QT_TRANSLATE_NOOP("lockstep::StepTexts",
                       "Where jobs, buckets and logs are made, and the Data Science project that job runs "
                       "belong to.")},
    {"network", QT_TRANSLATE_NOOP("lockstep::StepTexts", "Network"),
     QT_TRANSLATE_NOOP("lockstep::StepTexts",
                       "Two nodes of the subnet reach each other on the framework's ports, in both "
                       "directions, and they reach Object Storage.")},
    {"bucket", QT_TRANSLATE_NOOP("lockstep::StepTexts", "Work dir bucket"),
     QT_TRANSLATE_NOOP("lockstep::StepTexts",
                       "The bucket of the work dir exists and can be used: the nodes meet there and "
                       "leave their metrics.")},
    {"policies", QT_TRANSLATE_NOOP("lockstep::StepTexts", "IAM policies"),
     QT_TRANSLATE_NOOP("lockstep::StepTexts",
                       "What you and the job runs may do: the statements that this cluster needs, compared "
                       "by meaning with those that the tenancy has.")},
    {"repository", QT_TRANSLATE_NOOP("lockstep::StepTexts", "Container repository"),
     QT_TRANSLATE_NOOP("lockstep::StepTexts",
                       "The repository of the image exists in the right compartment, and the image's name is "
                       "one that the registry understands.")},
    {"ocir-login", QT_TRANSLATE_NOOP("lockstep::StepTexts", "Registry login"),
     QT_TRANSLATE_NOOP("lockstep::StepTexts",
                       "The container engine can log in to the region's registry with your name and an auth "
                       "token.")},
    {"logging", QT_TRANSLATE_NOOP("lockstep::StepTexts", "Log group and log"),
     QT_TRANSLATE_NOOP("lockstep::StepTexts",
                       "Where the job runs write what they print. Without a log one learns little of a run "
                       "that fails.")},
    {"limits", QT_TRANSLATE_NOOP("lockstep::StepTexts", "Service limits"),
     QT_TRANSLATE_NOOP("lockstep::StepTexts",
                       "The tenancy's limits leave room for the shapes and the number of nodes of this "
                       "cluster.")},
    {"hosts", QT_TRANSLATE_NOOP("lockstep::StepTexts", "Machines of your own"),
     QT_TRANSLATE_NOOP("lockstep::StepTexts",
                       "Only for runs on your own machines: they can be reached over SSH, have GPUs and "
                       "drivers, and reach each other.")},
};

const StepText* textOf(const std::string& stepId) {
  const auto* found =
      std::find_if(std::begin(kTexts), std::end(kTexts), [&](const StepText& t) { return stepId == t.id; });
  return found == std::end(kTexts) ? nullptr : found;
}

}  // namespace

BadgeTone toneOf(StepState state) {
  switch (state) {
    case StepState::Checking:
      return BadgeTone::Busy;
    case StepState::Ready:
      return BadgeTone::Ok;
    case StepState::Warning:
      return BadgeTone::Warning;
    case StepState::Blocked:
      return BadgeTone::Error;
    case StepState::NotApplicable:
      return BadgeTone::Off;
    case StepState::Waived:
      return BadgeTone::Skipped;
    case StepState::Unknown:
      break;
  }
  return BadgeTone::Neutral;
}

QString nameOf(StepState state) {
  switch (state) {
    case StepState::Checking:
      return StepTexts::tr("checking");
    case StepState::Ready:
      return StepTexts::tr("ready");
    case StepState::Warning:
      return StepTexts::tr("warning");
    case StepState::Blocked:
      return StepTexts::tr("blocked");
    case StepState::NotApplicable:
      return StepTexts::tr("not needed");
    case StepState::Waived:
      return StepTexts::tr("waived");
    case StepState::Unknown:
      break;
  }
  return StepTexts::tr("not checked");
}

QString stepTitle(const std::string& stepId) {
  const StepText* text = textOf(stepId);
  return text ? StepTexts::tr(text->title) : toQString(stepId);
}

QString withStepTitles(const QString& text) {
  static const QRegularExpression kName(QStringLiteral("\\bstep ([a-z]+(?:-[a-z]+)*)\\b"));
  QString result;
  qsizetype done = 0;
  for (auto names = kName.globalMatch(text); names.hasNext();) {
    const QRegularExpressionMatch name = names.next();
    const StepText* step = textOf(toStdString(name.captured(1)));
    result += text.mid(done, name.capturedStart() - done);
    result += step ? StepTexts::tr("step “%1”").arg(StepTexts::tr(step->title)) : name.captured();
    done = name.capturedEnd();
  }
  return result + text.mid(done);
}

QString stepPurpose(const std::string& stepId) {
  const StepText* text = textOf(stepId);
  return text ? StepTexts::tr(text->purpose) : QString();
}

}  // namespace lockstep
