// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/tables/env_levels.h"

#include <QStringList>
#include <algorithm>
#include <array>

#include "plan/node_details.h"
#include "widgets/cluster/fields/form_bindings.h"
#include "widgets/cluster/tables/env_editor.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

constexpr std::array kLevels{EnvLevel::AllNodes, EnvLevel::Runtime, EnvLevel::Main, EnvLevel::Worker,
                             EnvLevel::ParameterServer};

EnvLevel levelOf(NodeRole role) {
  switch (role) {
    case NodeRole::Main:
      return EnvLevel::Main;
    case NodeRole::Worker:
      return EnvLevel::Worker;
    case NodeRole::ParameterServer:
      break;
  }
  return EnvLevel::ParameterServer;
}

bool reaches(EnvLevel level, NodeRole role) {
  return level == EnvLevel::AllNodes || level == EnvLevel::Runtime || level == levelOf(role);
}

std::vector<NodeRole> rolesOf(const ClusterSpec& spec) {
  std::vector<NodeRole> roles{NodeRole::Main};
  for (const NodeRole role : {NodeRole::Worker, NodeRole::ParameterServer})
    if (nodeCount(spec, role) > 0) roles.push_back(role);
  return roles;
}

const std::vector<EnvVar>* readList(EnvLevel level, const ClusterSpec& spec) {
  const auto of = [](const std::optional<RoleSpec>& role) { return role ? &role->env : nullptr; };
  switch (level) {
    case EnvLevel::AllNodes:
      return &spec.clusterEnv;
    case EnvLevel::Runtime:
      return &spec.runtimeEnv;
    case EnvLevel::Main:
      return of(spec.main);
    case EnvLevel::Worker:
      return of(spec.worker);
    case EnvLevel::ParameterServer:
      break;
  }
  return of(spec.parameterServer);
}

/// One for each line of the list, also for one that cannot be read.
std::vector<EnvVar> settingsOf(EnvLevel level, const ClusterDocument& document) {
  const FieldPath list = pathOf(level, document);
  const std::size_t length = document.lengthAt(list).value_or(0);
  const std::vector<EnvVar>* read = readList(level, document.spec());
  if (read && read->size() == length) return *read;
  std::vector<EnvVar> settings;
  for (std::size_t i = 0; i < length; ++i) {
    const auto name = document.scalar(list.child(i).child("name"));
    const auto value = document.scalar(list.child(i).child("value"));
    settings.push_back({name ? name->value : std::string(), value ? value->value : std::string()});
  }
  return settings;
}

QString quoted(const std::string& value) {
  return EnvEditor::tr("“%1”").arg(toQString(value));
}

}  // namespace

QString nameOf(EnvLevel level) {
  switch (level) {
    case EnvLevel::AllNodes:
      return EnvEditor::tr("all nodes");
    case EnvLevel::Runtime:
      return EnvEditor::tr("the training code");
    case EnvLevel::Main:
      return EnvEditor::tr("the main node");
    case EnvLevel::Worker:
      return EnvEditor::tr("the workers");
    case EnvLevel::ParameterServer:
      break;
  }
  return EnvEditor::tr("the parameter servers");
}

QString nameOf(NodeRole role) {
  return nameOf(levelOf(role));
}

FieldPath pathOf(EnvLevel level, const ClusterDocument& document) {
  const FieldPath cluster{"spec", "cluster", "spec"};
  if (level == EnvLevel::Runtime || isJobFile(document)) return {"spec", "runtime", "spec", "env"};
  if (level == EnvLevel::AllNodes) return cluster.child("config").child("env");
  const char* role = level == EnvLevel::Main ? "main" : level == EnvLevel::Worker ? "worker" : "ps";
  return cluster.child(role).child("config").child("env");
}

std::vector<EnvView> envViews(const ClusterDocument& document) {
  const ClusterSpec& spec = document.spec();
  std::vector<EnvView> views;
  if (isJobFile(document)) {
    views.push_back({false, EnvLevel::Runtime});
  } else {
    for (const EnvLevel level : kLevels) {
      const bool isOffered = level != EnvLevel::ParameterServer || spec.parameterServer ||
                             traitsOf(spec.framework).hasParameterServers;
      if (isOffered) views.push_back({false, level});
    }
  }
  for (const NodeRole role : rolesOf(spec)) views.push_back({true, EnvLevel::AllNodes, role});
  return views;
}

bool EnvSettings::operator==(const EnvSettings& other) const {
  const auto isSame = [](const EnvVar& one, const EnvVar& two) {
    return one.name == two.name && one.value == two.value;
  };
  return views == other.views && std::equal(settings.begin(), settings.end(), other.settings.begin(),
                                            other.settings.end(), [&](const auto& one, const auto& two) {
                                              return one.first == two.first &&
                                                     std::equal(one.second.begin(), one.second.end(),
                                                                two.second.begin(), two.second.end(), isSame);
                                            });
}

EnvSettings envSettings(const ClusterDocument& document) {
  EnvSettings lists{envViews(document), {}};
  const bool isJob = isJobFile(document);
  for (const EnvLevel level : kLevels)
    if (!isJob || level == EnvLevel::Runtime) lists.settings[level] = settingsOf(level, document);
  return lists;
}

EnvPrecedence::EnvPrecedence(const ClusterDocument& document)
    : EnvPrecedence(document, envSettings(document)) {}

EnvPrecedence::EnvPrecedence(const ClusterDocument& document, const EnvSettings& lists)
    : document_(document), settings_(lists.settings), roles_(rolesOf(document.spec())) {
  for (const auto& [level, settings] : settings_) {
    Names& names = names_[level];
    for (std::size_t i = 0; i < settings.size(); ++i) names[settings[i].name] = i;
  }
}

int EnvPrecedence::count(EnvLevel level) const {
  const auto at = settings_.find(level);
  return at == settings_.end() ? 0 : static_cast<int>(at->second.size());
}

std::vector<EnvRow> EnvPrecedence::rows(const EnvView& view) const {
  return view.isResult ? resultRows(view.role) : listRows(view.level);
}

std::vector<EnvRow> EnvPrecedence::listRows(EnvLevel level) const {
  std::vector<EnvRow> rows;
  const auto at = settings_.find(level);
  if (at == settings_.end()) return rows;
  for (std::size_t i = 0; i < at->second.size(); ++i) {
    const EnvVar& setting = at->second[i];
    EnvRow row{toQString(setting.name), toQString(setting.value), {}, true};
    evaluate(row, level, i);
    rows.push_back(std::move(row));
  }
  return rows;
}

void EnvPrecedence::evaluate(EnvRow& row, EnvLevel level, std::size_t index) const {
  const std::string& name = settings_.at(level)[index].name;
  if (names_.at(level).at(name) != index) {
    row.isUsed = false;
    row.effect = EnvEditor::tr("not used: set again below");
    return;
  }
  if (isGenerated(name, level)) {
    row.isUsed = false;
    row.effect = EnvEditor::tr("not used: every node gets its own");
    return;
  }
  QStringList parts;
  if (const QString over = overridden(name, level, row.isUsed); !over.isEmpty()) parts << over;
  for (const EnvLevel lower : kLevels) {
    const EnvVar* hidden = lower < level && level != lower ? settingAt(lower, name) : nullptr;
    const bool isRoles = lower != EnvLevel::AllNodes && lower != EnvLevel::Runtime;
    if (hidden && !isRoles && !isGenerated(name, lower))
      parts << EnvEditor::tr("overrides %1 of %2").arg(quoted(hidden->value), nameOf(lower));
  }
  row.effect = parts.join(QStringLiteral("; "));
}

const EnvVar* EnvPrecedence::settingAt(EnvLevel level, const std::string& name) const {
  const auto names = names_.find(level);
  if (names == names_.end()) return nullptr;
  const auto at = names->second.find(name);
  return at == names->second.end() ? nullptr : &settings_.at(level)[at->second];
}

const EnvVar* EnvPrecedence::winner(const std::string& name, NodeRole role, EnvLevel& level) const {
  for (auto at = kLevels.rbegin(); at != kLevels.rend(); ++at) {
    if (!reaches(*at, role)) continue;
    if (const EnvVar* setting = settingAt(*at, name); setting && !isGenerated(name, *at)) {
      level = *at;
      return setting;
    }
  }
  return nullptr;
}

/// Where something stronger sets the variable, too.
QString EnvPrecedence::overridden(const std::string& name, EnvLevel level, bool& isUsed) const {
  QStringList by;
  isUsed = false;
  for (const NodeRole role : roles_) {
    if (!reaches(level, role)) continue;
    EnvLevel strongest = level;
    const EnvVar* setting = winner(name, role, strongest);
    if (!setting || strongest == level) {
      isUsed = true;
      continue;
    }
    const QString line = strongest == EnvLevel::Runtime
                             ? EnvEditor::tr("the training code sets %1").arg(quoted(setting->value))
                             : EnvEditor::tr("%1 on %2").arg(quoted(setting->value), nameOf(role));
    if (!by.contains(line)) by << line;
  }
  // A role without nodes: its variables wait for some.
  if (by.isEmpty()) return isUsed = true, QString();
  const QString where = by.join(QStringLiteral(", "));
  return isUsed ? EnvEditor::tr("but %1").arg(where) : EnvEditor::tr("not used: %1").arg(where);
}

/// What `ads` sets after the file's own variables of a level (ads-contract 2.3).
bool EnvPrecedence::isGenerated(const std::string& name, EnvLevel level) const {
  if (isJobFile(document_)) return false;
  if (name == "OCI__MODE" || name == "RANK") {
    // A parameter server has no rank of its own.
    return !(name == "RANK" && level == EnvLevel::ParameterServer);
  }
  if (level != EnvLevel::AllNodes) return false;
  static constexpr std::array kNames{"OCI__WORK_DIR",     "OCI__EPHEMERAL",  "OCI__CLUSTER_TYPE",
                                     "OCI__WORKER_COUNT", "OCI__START_ARGS", "OCI__ENTRY_SCRIPT"};
  if (std::find(kNames.begin(), kNames.end(), name) != kNames.end()) return true;
  return name == "OCI__PS_COUNT" && document_.spec().parameterServer.has_value();
}

std::vector<EnvRow> EnvPrecedence::resultRows(NodeRole role) const {
  std::vector<EnvRow> rows;
  for (const EnvVar& variable : nodeDetails(document_.spec(), role, 0).environment) {
    EnvLevel level = EnvLevel::AllNodes;
    const EnvVar* setting = winner(variable.name, role, level);
    const bool isFile = setting && setting->value == variable.value;
    rows.push_back({toQString(variable.name), toQString(variable.value),
                    isFile ? EnvEditor::tr("from %1").arg(nameOf(level)) : EnvEditor::tr("set at launch"),
                    true});
  }
  return rows;
}

}  // namespace lockstep
