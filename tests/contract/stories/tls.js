// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// https under the region's own certificate authority, at the host names that the SDK itself makes from the region
// metadata: no endpoint is set anywhere. Node reads its authorities at start, so the SDK runs in a process of its own.
const childProcess = require("node:child_process");
const path = require("node:path");
const { step, assert } = require("../support/story");

exports.options = ["--tls"];

exports.tell = async (region) => {
  const script = path.join(__dirname, "..", "support", "over_tls.js");
  const run = (environment) =>
    childProcess.spawnSync(process.execPath, [script], {
      encoding: "utf8",
      env: { ...process.env, OCI_REGION_METADATA: JSON.stringify(region.info.regionMetadata), CONTRACT_CONFIG: region.configFile, CONTRACT_PROFILE: region.info.profile, CONTRACT_COMPARTMENT: region.places.compartmentId, ...environment },
    });

  step("every service answers at its own host", async () => {
    const ran = run({ NODE_EXTRA_CA_CERTS: region.info.certificateBundle });
    assert.equal(ran.status, 0, ran.stdout + ran.stderr);
    const seen = JSON.parse(ran.stdout.split("\n").find((line) => line.startsWith("SEEN ")).slice(5));
    assert.equal(seen.namespace, region.namespace);
    assert.equal(seen.user, region.user);
    assert.ok(seen.subnets >= 1 && seen.shapes >= 1 && seen.groups >= 1 && seen.limits >= 1 && seen.repositories >= 0, JSON.stringify(seen));
    const domain = region.info.regionMetadata.realmDomainComponent;
    assert.equal(seen.endpoints.identity, `https://identity.rehearsal.oci.${domain}/20160918`);
  });

  step("who does not know the authority is not talked to", async () => {
    const ran = run({ NODE_EXTRA_CA_CERTS: "" });
    assert.notEqual(ran.status, 0);
    assert.doesNotMatch(ran.stdout, /SEEN/);
    assert.match(ran.stdout, /fetch failed/);
  });
};
