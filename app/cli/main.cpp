// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/secret.h"
#include "cli.h"

int main(int argc, char** argv) {
  lockstep::keepSecretsOutOfDumps();
  return lockstep::cli::runCli(argc, argv);
}
