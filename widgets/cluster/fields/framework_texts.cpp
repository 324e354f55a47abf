// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/fields/framework_texts.h"

#include "widgets/cluster/fields/form_texts.h"

namespace lockstep {
namespace {

QString tensorFlowHint(bool hasParameterServers) {
  return hasParameterServers ? FormTexts::tr("ParameterServer strategy: the main node is the chief.")
                             : FormTexts::tr(
                                   "MultiWorkerMirrored strategy; parameter servers turn it into "
                                   "ParameterServer.");
}

}  // namespace

QString frameworkMainWord(Framework framework) {
  switch (framework) {
    case Framework::Dask:
      return FormTexts::tr("scheduler");
    case Framework::TensorFlow:
      return FormTexts::tr("chief");
    case Framework::Ray:
      return FormTexts::tr("head");
    case Framework::PyTorch:
    case Framework::Horovod:
    case Framework::Unknown:
      break;
  }
  return {};
}

QString frameworkHint(Framework framework, bool hasParameterServers) {
  switch (framework) {
    case Framework::PyTorch:
      return FormTexts::tr("Each node starts one rank per GPU; they meet at the main node, port 29400.");
    case Framework::Dask:
      return FormTexts::tr(
          "The main node runs the scheduler (port 8786, dashboard 8787), the workers run dask-worker.");
    case Framework::Horovod:
      return FormTexts::tr(
          "horovodrun on the main node starts the ranks over SSH (WORKER_PORT); MIN_NP, MAX_NP and SLOTS say "
          "how "
          "many.");
    case Framework::TensorFlow:
      return tensorFlowHint(hasParameterServers);
    case Framework::Ray:
      return FormTexts::tr("The main node runs the head (port 3000); the entry point runs there.");
    case Framework::Unknown:
      break;
  }
  return {};
}

QString startOptionsHint(Framework framework) {
  switch (framework) {
    case Framework::Ray:
      return FormTexts::tr("The containers of ads hand these on, but Ray's start scripts ignore them.");
    case Framework::Horovod:
      return FormTexts::tr("Horovod reads HOROVOD_ARGS from the environment instead.");
    case Framework::PyTorch:
    case Framework::Dask:
    case Framework::TensorFlow:
    case Framework::Unknown:
      break;
  }
  return {};
}

}  // namespace lockstep
