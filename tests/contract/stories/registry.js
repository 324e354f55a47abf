// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// Artifacts and the registry: repositories, configuration, the token of a signed caller, a real push and pull.
const crypto = require("node:crypto");
const artifacts = require("oci-artifacts");
const common = require("oci-common");
const identity = require("oci-identity");
const { step, refused, assert } = require("../support/story");

const digestOf = (bytes) => "sha256:" + crypto.createHash("sha256").update(bytes).digest("hex");
const basic = (user, password) => "Basic " + Buffer.from(`${user}:${password}`).toString("base64");

exports.tell = async (region) => {
  const client = region.client(artifacts.ArtifactsClient);
  const compartmentId = region.places.compartmentId;
  const name = "contract/trainer";
  const root = `${region.endpoint}/v2/${region.namespace}/${name}`;
  const tokenPath = "/20180419/docker/token";
  let repositoryId, bearer;

  /** A signed GET of something that the SDK has no client for. */
  const signedGet = async (path) => {
    const signer = new common.DefaultRequestSigner(region.provider);
    const request = { uri: region.endpoint + path, method: "GET", headers: new Headers({ accept: "application/json" }) };
    await signer.signHttpRequest(request);
    return fetch(request.uri, { headers: request.headers });
  };
  const registry = (path, options = {}) =>
    fetch(path.startsWith("/") ? region.endpoint + path : path, { ...options, headers: { authorization: `Bearer ${bearer}`, ...options.headers } });

  step("repositories: create, get, update, list with wildcards", async () => {
    const created = await client.createContainerRepository({ createContainerRepositoryDetails: { compartmentId, displayName: name, readme: { content: "# trainer", format: artifacts.models.ContainerRepositoryReadme.Format.TextMarkdown } } });
    repositoryId = created.containerRepository.id;
    assert.equal(created.containerRepository.namespace, region.namespace);
    assert.equal(created.containerRepository.readme.content, "# trainer");
    assert.equal(created.containerRepository.isPublic, false);
    await refused(() => client.createContainerRepository({ createContainerRepositoryDetails: { compartmentId, displayName: name } }), 409);
    await refused(() => client.createContainerRepository({ createContainerRepositoryDetails: { compartmentId, displayName: "UPPER case" } }), 400, "InvalidParameter");
    const updated = await client.updateContainerRepository({ repositoryId, ifMatch: created.etag, updateContainerRepositoryDetails: { isImmutable: true } });
    assert.equal(updated.containerRepository.isImmutable, true);
    const list = (await client.listContainerRepositories({ compartmentId, displayName: "contract/*" })).containerRepositoryCollection;
    assert.deepEqual(list.items.map((one) => one.displayName), [name]);
    assert.equal(list.repositoryCount, 1);
    assert.equal(list.remainingItemsCount, 0);
    const everywhere = (await client.listContainerRepositories({ compartmentId: region.tenancy, compartmentIdInSubtree: true })).containerRepositoryCollection;
    assert.ok(everywhere.items.some((one) => one.id === repositoryId));
    await refused(() => client.getContainerRepository({ repositoryId: "ocid1.containerrepo.oc1..nobody" }), 404, "NotAuthorizedOrNotFound");
  });

  step("configuration", async () => {
    const { containerConfiguration } = await client.getContainerConfiguration({ compartmentId: region.tenancy });
    assert.equal(containerConfiguration.namespace, region.namespace);
    assert.equal(typeof containerConfiguration.isRepositoryCreatedOnFirstPush, "boolean");
  });

  step("log-in: challenge, signed token, BEARER_TOKEN, auth token, wrong passwords", async () => {
    const ping = await fetch(`${region.endpoint}/v2/`);
    assert.equal(ping.status, 401);
    assert.match(ping.headers.get("www-authenticate"), /^Bearer realm="http:\/\/127\.0\.0\.1:\d+\/20180419\/docker\/token",service="127\.0\.0\.1:\d+"/);
    const signed = await signedGet(tokenPath);
    assert.equal(signed.status, 200, await signed.clone().text());
    const { token, expires_in } = await signed.json();
    assert.equal(expires_in, 3600);
    const again = await fetch(`${region.endpoint}${tokenPath}?service=s&scope=repository:${region.namespace}/${name}:pull,push`, { headers: { authorization: basic("BEARER_TOKEN", token) } });
    assert.equal(again.status, 200);
    bearer = (await again.json()).token;
    assert.equal((await registry("/v2/")).status, 200);
    const users = region.client(identity.IdentityClient);
    const { authToken } = await users.createAuthToken({ userId: region.user, createAuthTokenDetails: { description: "docker" } });
    const { name: userName } = (await users.getUser({ userId: region.user })).user;
    const login = (user, password) => fetch(region.endpoint + tokenPath, { headers: { authorization: basic(user, password) } });
    assert.equal((await login(`${region.namespace}/${userName}`, authToken.token)).status, 200);
    for (const [user, password] of [[`${region.namespace}/${userName}`, "wrong"], [userName, authToken.token], ["BEARER_TOKEN", "no.such.token"], [`other/${userName}`, authToken.token]])
      assert.equal((await login(user, password)).status, 401, user);
  });

  step("push and pull of an image", async () => {
    const layer = crypto.randomBytes(200_000);
    const config = Buffer.from(JSON.stringify({ architecture: "amd64", os: "linux", rootfs: { type: "layers", diff_ids: [] } }));
    const send = async (bytes, pieces) => {
      assert.equal((await registry(`${root}/blobs/${digestOf(bytes)}`, { method: "HEAD" })).status, 404);
      const begun = await registry(`${root}/blobs/uploads/`, { method: "POST" });
      assert.equal(begun.status, 202, await begun.text());
      const place = region.endpoint + begun.headers.get("location");
      for (let at = 0; at < bytes.length; at += pieces) {
        const piece = await registry(place, { method: "PATCH", body: bytes.subarray(at, at + pieces), headers: { "content-type": "application/octet-stream" } });
        assert.equal(piece.status, 202, await piece.text());
      }
      const wrong = await registry(`${place}?digest=${digestOf(Buffer.from("other"))}`, { method: "PUT" });
      assert.equal(wrong.status, 400);
      const done = await registry(`${place}?digest=${digestOf(bytes)}`, { method: "PUT" });
      assert.equal(done.status, 201, await done.text());
    };
    const mediaType = "application/vnd.docker.distribution.manifest.v2+json";
    const describe = (bytes, type) => ({ mediaType: type, size: bytes.length, digest: digestOf(bytes) });
    const manifest = JSON.stringify({ schemaVersion: 2, mediaType, config: describe(config, "application/vnd.docker.container.image.v1+json"), layers: [describe(layer, "application/vnd.docker.image.rootfs.diff.tar.gzip")] });
    const tag = (name, body = manifest) => registry(`${root}/manifests/${name}`, { method: "PUT", body, headers: { "content-type": mediaType } });
    const early = await tag("1");
    assert.equal(early.status, 400);
    assert.equal((await early.json()).errors[0].code, "MANIFEST_BLOB_UNKNOWN");
    await send(layer, 64_000);
    await send(config, 1_000_000);
    const pushed = await tag("1");
    assert.equal(pushed.status, 201, await pushed.text());
    assert.equal(pushed.headers.get("docker-content-digest"), digestOf(Buffer.from(manifest)));
    const pulled = await registry(`${root}/manifests/1`);
    assert.equal(pulled.headers.get("content-type"), mediaType);
    assert.equal(await pulled.text(), manifest);
    assert.deepEqual(Buffer.from(await (await registry(`${root}/blobs/${digestOf(layer)}`)).arrayBuffer()), layer);
    assert.deepEqual((await (await registry(`${root}/tags/list`)).json()).tags, ["1"]);
    const other = manifest.replace('"layers":[', '"layers": [');
    assert.equal((await tag("1", other)).status, 409, "the repository is immutable");
    const images = (await client.listContainerImages({ compartmentId, repositoryName: "contract/*" })).containerImageCollection.items;
    assert.deepEqual(images.map((one) => [one.displayName, one.version, one.digest]), [[`${name}:1`, "1", digestOf(Buffer.from(manifest))]]);
    const counted = (await client.getContainerRepository({ repositoryId })).containerRepository;
    assert.equal(counted.imageCount, 1);
    assert.equal(counted.layersSizeInBytes, layer.length + config.length);
  });

  step("who is nobody may not pull, and what is missing is not told apart", async () => {
    assert.equal((await fetch(`${root}/manifests/1`)).status, 401);
    const missing = await registry(`/v2/${region.namespace}/nothing/manifests/1`);
    assert.equal(missing.status, 404);
    assert.equal((await missing.json()).errors[0].code, "NAME_UNKNOWN");
    assert.equal((await registry(`/v2/foreign/contract/blobs/uploads/`, { method: "POST" })).status, 403);
  });

  step("delete", async () => {
    await client.deleteContainerRepository({ repositoryId });
    await refused(() => client.getContainerRepository({ repositoryId }), 404, "NotAuthorizedOrNotFound");
    assert.equal((await registry(`${root}/manifests/1`)).status, 404);
  });
};
