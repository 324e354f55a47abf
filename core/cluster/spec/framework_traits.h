// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>

namespace lockstep {

// What is to be known of a framework, each fact once (ads-contract 1.2, 3.4, 4.3, 4.4). Who does something else for one
// framework than for another looks here first; what is more than a fact (how Dask's TLS has to agree, how Horovod counts
// its slots, what lockstep-node starts) stands where it is done.

/// In the order in which a choice shows them; each but Unknown is a kind of cluster.
enum class Framework { PyTorch, Dask, Horovod, TensorFlow, Ray, Unknown };

/// What the nodes of a cluster run.
enum class NodeWork {
  Ranks,      // a process for each GPU, all of one kind and numbered through
  Slots,      // a launcher of its own on main fills the slots of all nodes with numbered processes
  Tasks,      // the script once on each node, each in a part of its own
  Scheduled,  // workers that a scheduler on main gives work to
  Unknown,
};

/// Below which folder the containers look for an entry point that is not absolute.
enum class EntryFolder { CodeDir, SlashCode, None, Unknown };

/// What becomes of the start options of a train.yaml. Ignored: the form offers them and says that they do nothing.
enum class StartOptions { Read, Ignored, No };

/// A port that nodes reach each other at.
struct FrameworkPort {
  enum class Nodes { Main, Workers, All };
  Nodes nodes = Nodes::All;
  std::string_view number = {};     // "29400", "8700:8800"; "any": free ones, unless the option names some
  std::string_view variable = {};   // says another one; beside an option: only where the others look for it
  std::string_view option = {};     // among the start options, says another one
  std::string_view title = {};      // "rendezvous (MASTER_PORT)", as a node's details have it
  std::string_view rule = {};       // the same as a security rule has it; empty: `any`, which has none
  bool isAddress = false;           // the option may say "HOST:PORT"
  std::string_view whyAgreed = {};  // why all nodes need the same value of `variable`; empty: they do not
  bool isSshd = false;              // an sshd of the cluster's own: the machine's has 22 already
};

/// A program that a node needs on this machine when the rehearsal region runs it.
struct FrameworkProgram {
  std::string_view name = {};
  std::array<std::string_view, 2> orElse = {};  // will do in its place
  std::string_view package = {};                // of Debian and Ubuntu
};

struct FrameworkTraits {
  Framework framework = Framework::Unknown;
  std::string_view name = {};   // spec.cluster.kind and OCI__CLUSTER_TYPE: "PYTORCH"
  std::string_view id = {};     // in the records of a run: "pytorch"
  std::string_view title = {};  // as its makers write it

  NodeWork work = NodeWork::Unknown;
  std::string_view mainWord = "main";  // what it calls the main node
  bool hasParameterServers = false;
  std::string_view meetsAsMain = {};   // how main and the others find each other, one job run for each node
  std::string_view meetsAsOther = {};  // …

  EntryFolder entryFolder = EntryFolder::Unknown;
  StartOptions startOptions = StartOptions::No;
  bool readsKwargs = false;
  bool readsCertificate = false;
  bool splitsAtBlanks = false;                          // its containers know no quotes in the arguments
  std::span<const std::string_view> ownVariables = {};  // its containers work them out, whatever the file has

  std::span<const FrameworkPort> ports = {};  // first the one that decides whether the nodes meet
  std::string_view freePorts = {};  // why all ports have to be open between the nodes; empty: `ports` are all
  std::string_view portRemedy = {};  // when the first one is taken

  std::string_view imageHome = "/home/oci_dist_training";  // of the user in its images
  bool imageCleansUp = false;           // its images bring the script that empties the work dir
  std::string_view dashboardPort = {};  // of main, for a browser; empty: there is none

  bool runsOnNode = false;                          // lockstep-node starts it, and so it can be rehearsed
  std::span<const FrameworkProgram> programs = {};  // that a rehearsal needs beside Python
  std::string_view aloneAdvice = {};                // instead of a rehearsal, ending with "; "; may be empty
  std::string_view failureMark = {};  // file by which nodes of `ads` say that they failed; may be empty
};

/// All kinds of cluster, in the order of the enumeration.
[[nodiscard]] std::span<const FrameworkTraits> frameworkTraits();
/// The row of one; a row that claims nothing for Unknown and for what has no row.
[[nodiscard]] const FrameworkTraits& traitsOf(Framework framework);
/// By the name in `spec.cluster.kind`, any case. Unknown: none that we know.
[[nodiscard]] Framework frameworkNamed(std::string_view clusterKind);
/// "PYTORCH, DASK and RAY": the names of those that `belongs` takes, `last` before the last one.
[[nodiscard]] std::string frameworkNames(std::string_view last, bool (*belongs)(const FrameworkTraits&));

}  // namespace lockstep
