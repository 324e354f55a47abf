// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/window/settings.h"

#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <algorithm>
#include <cstring>

#include "base/user_dirs.h"

namespace lockstep {
namespace {

constexpr qsizetype kKeptChoices = 100;
constexpr const char* kWebhook = "preferences/tellWebhook";

QString pathText(const std::filesystem::path& path) {
  return QString::fromStdString(path.string());
}

/// One list for reading and writing, so that a setting cannot be saved and then forgotten.
template <class Self, class Visit>
void visitAll(Self& settings, Visit visit) {
  visit("preferences/theme", settings.preferences.theme);
  visit("preferences/language", settings.preferences.language);
  visit("preferences/configFile", settings.preferences.configFile);
  visit("preferences/profile", settings.preferences.profile);
  visit("preferences/sampleMemoryMb", settings.preferences.sampleMemoryMb);
  visit("preferences/keptLogMb", settings.preferences.keptLogMb);
  visit("preferences/tellFrom", settings.preferences.tellFrom);
  visit("preferences/notifications", settings.preferences.notifications);
  visit("preferences/tellCommand", settings.preferences.tellCommand);
  visit(kWebhook, settings.preferences.tellWebhook);
  visit("workspace/windowGeometry", settings.workspace.windowGeometry);
  visit("workspace/windowState", settings.workspace.windowState);
  visit("workspace/dashboardState", settings.workspace.dashboardState);
  visit("workspace/designerState", settings.workspace.designerState);
  visit("workspace/page", settings.workspace.page);
  visit("workspace/file", settings.workspace.file);
  visit("workspace/openRun", settings.workspace.openRun);
  visit("workspace/lineChoices", settings.workspace.lineChoices);
}

/// Whether it has something, and nothing of it is ours: the parser passes over lines that it cannot read, or takes them
/// for keys.
bool isForeign(const QSettings& ini) {
  const QStringList keys = ini.allKeys();
  return QFileInfo(ini.fileName()).size() > 0 &&
         std::none_of(keys.begin(), keys.end(), [](const QString& key) {
           return key.startsWith(QLatin1String("preferences/")) ||
                  key.startsWith(QLatin1String("workspace/"));
         });
}

constexpr QFile::Permissions kOwnerOnly = QFile::ReadOwner | QFile::WriteOwner;

/// Before a secret stands in it.
bool makeOwn(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::Append) && file.setPermissions(kOwnerOnly);
}

}  // namespace

Settings::Settings(std::filesystem::path file) : file_(std::move(file)) {}

std::filesystem::path Settings::defaultPath() {
  return userConfigDir() / "desktop.ini";
}

std::optional<Error> Settings::load() {
  const QSettings ini(pathText(file_), QSettings::IniFormat);
  visitAll(*this, [&ini]<class T>(const char* key, T& value) {
    const QVariant stored = ini.value(QLatin1String(key));
    if (stored.isValid() && stored.canConvert<T>()) value = stored.value<T>();
  });
  const QString& theme = preferences.theme;
  if (theme != QLatin1String("light") && theme != QLatin1String("dark"))
    preferences.theme = QStringLiteral("system");
  for (int* const megabytes : {&preferences.sampleMemoryMb, &preferences.keptLogMb})
    *megabytes = std::clamp(*megabytes, 64, 65'536);
  const bool isUnreadable = ini.status() == QSettings::AccessError;
  if (ini.status() == QSettings::NoError && !isForeign(ini)) return std::nullopt;
  return Error{ErrorCode::DataLoss,
               "the settings file '" + file_.string() + "' cannot be used",
               isUnreadable ? "it may not be read" : "it is damaged",
               "theme, language, profile and windows are as they are at first; it is written anew when they "
               "change",
               {},
               {}};
}

LineChoice Settings::lineChoice(const RunId& run) const {
  const QStringList& all = workspace.lineChoices;
  const QString id = QString::fromStdString(run.value);
  for (qsizetype i = 0; i + 1 < all.size(); i += 2)
    if (all[i] == id) return keptLineChoice(all[i + 1].toStdString());
  return {};
}

void Settings::setLineChoice(const RunId& run, const LineChoice& choice) {
  QStringList all;
  const QStringList& before = workspace.lineChoices;
  const QString id = QString::fromStdString(run.value);
  for (qsizetype i = 0; i + 1 < before.size(); i += 2)
    if (before[i] != id) all << before[i] << before[i + 1];
  if (!choice.isDefault()) all << id << QString::fromStdString(keptText(choice));
  workspace.lineChoices = all.mid(std::max<qsizetype>(0, all.size() - 2 * kKeptChoices));
}

Result<void> Settings::save() const {
  const int error = makePrivateFolder(file_.parent_path());
  const bool isOwn = makeOwn(pathText(file_));
  QSettings ini(pathText(file_), QSettings::IniFormat);
  visitAll(*this, [&ini, isOwn](const char* key, const auto& value) {
    if (isOwn || QLatin1String(key) != kWebhook) ini.setValue(QLatin1String(key), value);
  });
  ini.sync();
  const bool staysOwn = QFile::setPermissions(ini.fileName(), kOwnerOnly);
  if (ini.status() == QSettings::NoError && (staysOwn || preferences.tellWebhook.isEmpty())) return {};
  return failure(ErrorCode::Io, "cannot save the settings file '" + file_.string() + "'",
                 error != 0 ? std::strerror(error) : "the file cannot be written",
                 "make the folder writable and free some space; the window itself is not affected");
}

}  // namespace lockstep
