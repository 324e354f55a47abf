// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/terraform_needs.h"

#include <algorithm>
#include <charconv>

namespace lockstep {
namespace {

std::optional<int> portIn(std::string_view text) {
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && port > 0 && port < 65536 ? std::optional(port) : std::nullopt;
}

std::optional<PortRange> rangeIn(const std::string& text, std::string_view purpose) {
  const std::size_t colon = text.find(':');
  const auto first = portIn(std::string_view(text).substr(0, colon));
  const auto last = colon == std::string::npos ? first : portIn(std::string_view(text).substr(colon + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return PortRange{*first, *last, std::string(purpose)};
}

std::string valueOr(const ExportNode& node, std::string_view name, std::string_view standard) {
  const std::string* value = node.environment.find(name);
  return value != nullptr && !value->empty() ? *value : std::string(standard);
}

/// What follows `--name` in the start arguments of a node, also as `--name=value`; empty: it is not there.
std::string startOption(const ExportNode& node, const std::string& name) {
  const std::string text = " " + valueOr(node, "OCI__START_ARGS", "") + " ";
  for (const char separator : {' ', '='}) {
    std::size_t at = text.find(" " + name + separator);
    if (at == std::string::npos) continue;
    at = text.find_first_not_of(' ', at + name.size() + 2);
    if (at == std::string::npos) return "";
    return text.substr(at, text.find(' ', at) - at);
  }
  return "";
}

class PortCollector {
 public:
  explicit PortCollector(const ClusterView& view) : view_(view) {}

  PortNeeds collect() {
    // What is no kind that we know is taken for ranks of PyTorch.
    const FrameworkTraits& traits =
        traitsOf(view_.framework == Framework::Unknown ? Framework::PyTorch : view_.framework);
    for (const FrameworkPort& port : traits.ports) {
      if (!addPort(port)) needs_.allTcpReason = traits.freePorts;
    }
    std::sort(needs_.ranges.begin(), needs_.ranges.end(),
              [](const PortRange& a, const PortRange& b) { return a.first < b.first; });
    return std::move(needs_);
  }

 private:
  bool add(const std::string& text, std::string_view purpose) {
    const auto range = rangeIn(text, purpose);
    if (!range) return false;
    const bool known = std::any_of(needs_.ranges.begin(), needs_.ranges.end(), [&](const PortRange& other) {
      return other.first == range->first && other.last == range->last;
    });
    if (!known) needs_.ranges.push_back(*range);
    return true;
  }

  static bool isOn(const FrameworkPort& port, const ExportNode& node) {
    using Nodes = FrameworkPort::Nodes;
    return port.nodes == Nodes::All ||
           node.role == (port.nodes == Nodes::Main ? NodeRole::Main : NodeRole::Worker);
  }

  /// What a node says about it; the port's own number when it says nothing.
  static std::string numberOn(const ExportNode& node, const FrameworkPort& port) {
    const std::string option =
        port.option.empty() ? std::string() : startOption(node, std::string(port.option));
    if (!option.empty()) return port.isAddress ? option.substr(option.rfind(':') + 1) : option;
    return port.variable.empty() ? std::string(port.number) : valueOr(node, port.variable, port.number);
  }

  /// False: some node chooses a free port, so that no range covers it.
  bool addPort(const FrameworkPort& port) {
    if (port.variable.empty() && port.option.empty()) return add(std::string(port.number), port.rule);
    bool covered = true;
    for (const ExportNode& node : view_.nodes) {
      if (!isOn(port, node)) continue;
      covered = (add(numberOn(node, port), port.rule) || add(std::string(port.number), port.rule)) && covered;
    }
    return covered;
  }

  const ClusterView& view_;
  PortNeeds needs_;
};

/// "oci://bucket@namespace/prefix" taken apart; nothing when it is something else.
bool splitUri(const std::string& uri, std::string& bucket, std::string& nameSpace, std::string& prefix) {
  constexpr std::string_view kScheme = "oci://";
  const std::size_t at = uri.find('@');
  if (!uri.starts_with(kScheme) || at == std::string::npos) return false;
  const std::size_t slash = uri.find('/', at);
  bucket = uri.substr(kScheme.size(), at - kScheme.size());
  nameSpace = uri.substr(at + 1, slash == std::string::npos ? slash : slash - at - 1);
  prefix = slash == std::string::npos ? "" : uri.substr(slash + 1);
  return !bucket.empty() && bucket.find('/') == std::string::npos && !nameSpace.empty();
}

void addBucket(std::vector<std::string>& buckets, const std::string& bucket) {
  if (bucket.empty() || std::find(buckets.begin(), buckets.end(), bucket) != buckets.end()) return;
  buckets.push_back(bucket);
}

void bucketsOf(TenancyNeeds& needs, const ClusterSpec& spec, const ClusterView& view) {
  std::string bucket, nameSpace, prefix;
  if (splitUri(view.workDir, bucket, nameSpace, prefix)) {
    needs.bucket = bucket;
    needs.nameSpace = nameSpace;
    needs.prefix = prefix;
    addBucket(needs.buckets, bucket);
  }
  addBucket(needs.buckets, valueOr(view.nodes.front(), "WORKSPACE", ""));
  for (const StorageMount& mount : spec.infrastructure.storageMounts) {
    if (splitUri(mount.src, bucket, nameSpace, prefix)) addBucket(needs.buckets, bucket);
  }
}

/// "iad.ocir.io/namespace/repository:tag"
void imageOf(TenancyNeeds& needs, const ClusterView& view) {
  const std::string& image = view.image;
  const std::size_t host = image.find('/');
  const std::size_t space = host == std::string::npos ? host : image.find('/', host + 1);
  if (!view.imageIsKnown || space == std::string::npos) return;
  const std::string registry = image.substr(0, host);
  const bool oracle = registry.ends_with(".ocir.io") ||
                      (registry.starts_with("ocir.") && registry.ends_with(".oraclecloud.com"));
  if (!oracle) return;
  std::string repository = image.substr(space + 1);
  repository = repository.substr(0, repository.find('@'));
  const std::size_t colon = repository.rfind(':');
  if (colon != std::string::npos) {
    needs.imageTag = repository.substr(colon + 1);
    repository.resize(colon);
  }
  needs.registry = registry;
  if (!repository.empty()) needs.repository = repository;
}

}  // namespace

PortNeeds portNeedsOf(const ClusterView& view) {
  return PortCollector(view).collect();
}

TenancyNeeds tenancyNeedsOf(const ClusterSpec& spec, const ClusterView& view) {
  TenancyNeeds needs;
  needs.ports = portNeedsOf(view);
  bucketsOf(needs, spec, view);
  imageOf(needs, view);
  if (spec.certificate && spec.certificate->id && spec.certificate->authorityId)
    needs.certificateKinds = {"leaf-certificate-bundles", "certificate-authority-bundles"};
  if (spec.gitSecretId && !spec.gitSecretId->empty()) needs.secrets.push_back(*spec.gitSecretId);
  const std::string metrics = valueOr(view.nodes.front(), "OCI__METRICS_NAMESPACE", "");
  if (!metrics.empty()) needs.metricNamespaces.push_back(metrics);
  return needs;
}

}  // namespace lockstep
