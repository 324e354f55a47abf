// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// Who may call: wrong keys, wrong signatures, clocks that are off; session tokens and what errors carry.
const crypto = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const common = require("oci-common");
const os = require("oci-objectstorage");
const identity = require("oci-identity");
const { step, refused, assert } = require("../support/story");

exports.tell = async (region) => {
  const fingerprintOf = (publicKey) =>
    crypto.createHash("md5").update(publicKey.export({ type: "spki", format: "der" })).digest("hex").replace(/(..)(?=.)/g, "$1:");
  const provider = (key, { user = region.user, fingerprint = region.provider.getFingerprint() } = {}) =>
    new common.SimpleAuthenticationDetailsProvider(region.tenancy, user, fingerprint, key, null, common.Region.US_PHOENIX_1);
  const ask = (auth) => region.client(os.ObjectStorageClient, auth).getNamespace({});
  const key = region.provider.getPrivateKey();

  step("the right key is let in", async () => {
    assert.equal((await ask(provider(key))).value, region.namespace);
  });

  step("another key, another user, another fingerprint: 401 NotAuthenticated", async () => {
    const other = crypto.generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = other.privateKey.export({ type: "pkcs8", format: "pem" });
    await refused(() => ask(provider(pem)), 401, "NotAuthenticated");
    await refused(() => ask(provider(pem, { fingerprint: fingerprintOf(other.publicKey) })), 401, "NotAuthenticated");
    await refused(() => ask(provider(key, { user: region.user + "x" })), 401, "NotAuthenticated");
  });

  step("a changed request, no signature at all: 401", async () => {
    const signer = new common.DefaultRequestSigner(region.provider);
    const request = { uri: `${region.endpoint}/n/${region.namespace}/b?compartmentId=${region.places.compartmentId}`, method: "GET", headers: new Headers() };
    await signer.signHttpRequest(request);
    assert.equal((await fetch(request.uri, { headers: request.headers })).status, 200);
    assert.equal((await fetch(request.uri + "&limit=1", { headers: request.headers })).status, 401);
    assert.equal((await fetch(request.uri)).status, 401);
    const headers = new Headers(request.headers);
    headers.set("authorization", headers.get("authorization").replace(/signature="..../, 'signature="AAAA'));
    assert.equal((await fetch(request.uri, { headers })).status, 401);
  });

  step("a clock that is more than five minutes off: 401, and the answer's date says so", async () => {
    const signed = async (minutes) => {
      const RealDate = Date;
      const shift = minutes * 60_000;
      const request = { uri: `${region.endpoint}/n`, method: "GET", headers: new Headers() };
      global.Date = class extends RealDate {
        constructor(...words) {
          if (words.length === 0) super(RealDate.now() + shift);
          else super(...words);
        }
        static now() {
          return RealDate.now() + shift;
        }
      };
      try {
        await new common.DefaultRequestSigner(region.provider).signHttpRequest(request);
      } finally {
        global.Date = RealDate;
      }
      return fetch(request.uri, { headers: request.headers });
    };
    assert.equal((await signed(4)).status, 200);
    for (const minutes of [-6, 6]) {
      const answer = await signed(minutes);
      assert.equal(answer.status, 401);
      assert.ok(Math.abs(new Date(answer.headers.get("date")) - Date.now()) < 60_000);
    }
  });

  step("session token: from the region, through the SDK's own provider", async () => {
    const admin = fs.readFileSync(path.join(region.state, "admin.token"), "utf8").trim();
    const { publicKey, privateKey } = crypto.generateKeyPairSync("rsa", { modulusLength: 2048 });
    const answer = await fetch(`${region.endpoint}/rehearsal/sessions`, {
      method: "POST",
      headers: { authorization: `Bearer ${admin}`, "content-type": "application/json" },
      body: JSON.stringify({ userId: region.user, publicKey: publicKey.export({ type: "spki", format: "pem" }) }),
    });
    assert.equal(answer.status, 200, await answer.clone().text());
    const { token } = await answer.json();
    const folder = path.join(region.folder, "session");
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, "token"), token, { mode: 0o600 });
    fs.writeFileSync(path.join(folder, "key.pem"), privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
    const config = path.join(folder, "config");
    fs.writeFileSync(config, `[DEFAULT]\nfingerprint=${fingerprintOf(publicKey)}\nkey_file=${folder}/key.pem\ntenancy=${region.tenancy}\nregion=us-phoenix-1\nsecurity_token_file=${folder}/token\n`, { mode: 0o600 });
    const session = new common.SessionAuthDetailProvider(config, "DEFAULT");
    assert.equal((await ask(session)).value, region.namespace);
    assert.equal((await region.client(identity.IdentityClient, session).getUser({ userId: region.user })).user.id, region.user);
    fs.writeFileSync(path.join(folder, "token"), token.slice(0, -6) + "AAAAAA");
    await refused(() => ask(new common.SessionAuthDetailProvider(config, "DEFAULT")), 401, "NotAuthenticated");
  });

  step("errors carry status, code, message and request id", async () => {
    const client = region.client(identity.IdentityClient);
    const error = await refused(() => client.getUser({ userId: "ocid1.user.oc1..nobody" }), 404, "NotAuthorizedOrNotFound");
    assert.match(error.opcRequestId, /^[^/]+\/[0-9A-F]{32}\/[0-9A-F]{32}$/);
    assert.equal(error.message, "Authorization failed or requested resource not found.");
    await refused(() => client.listPolicies({ compartmentId: "ocid1.compartment.oc1..nobody" }), 404, "NotAuthorizedOrNotFound");
  });
};
