// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// A region of its own in a temporary folder, ended with the story. Whatever a story needs to reach it is a field here.
const childProcess = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const common = require("oci-common");

function start(program, options = []) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "lockstep-contract."));
  const environment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", HOME: folder, LOCKSTEP_HOME: path.join(folder, "lockstep"), XDG_RUNTIME_DIR: folder };
  const state = path.join(folder, "state");
  const configFile = path.join(folder, "oci", "config");
  const entrypoint = path.join(folder, "entrypoint.sh");
  fs.writeFileSync(entrypoint, "#!/bin/sh\neval \"$CONTRACT_SCRIPT\"\n", { mode: 0o700 });
  const command = (...words) => {
    const ran = childProcess.spawnSync(program, [...words, "--state", state], { env: environment, encoding: "utf8" });
    if (ran.error) throw ran.error;
    return ran;
  };
  const started = command("start", "--json", "--config", configFile, "--entrypoint", entrypoint, "--provisioning-ms", "50", "--grace-ms", "2000", ...options);
  if (started.status !== 0) throw new Error(`the region did not start: ${started.stdout}${started.stderr}`);
  const info = JSON.parse(started.stdout);
  const region = {
    folder, state, configFile, info, command,
    endpoint: info.endpoint,
    places: info.places,
    namespace: info.namespace,
    bucket: info.bucket,
    tenancy: undefined,
    user: undefined,
    stop() {
      command("stop");
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
  region.provider = new common.ConfigFileAuthenticationDetailsProvider(configFile, info.profile);
  region.tenancy = region.provider.getTenantId();
  region.user = region.provider.getUser();
  /** A client of the SDK that talks to this region: `client.endpoint` is all it takes. */
  region.client = (Client, provider = region.provider, configuration = {}) => {
    const client = new Client({ authenticationDetailsProvider: provider }, configuration);
    client.endpoint = region.endpoint;
    return client;
  };
  return region;
}

module.exports = { start };
