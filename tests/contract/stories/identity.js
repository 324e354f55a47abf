// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// Identity: every read that set-up needs, policies, groups and dynamic groups written, keys and tokens of a user.
const crypto = require("node:crypto");
const identity = require("oci-identity");
const { step, refused, assert } = require("../support/story");

exports.tell = async (region) => {
  const client = region.client(identity.IdentityClient);
  const compartmentId = region.tenancy;
  let policyId;

  step("tenancy, user, regions, availability domains", async () => {
    const { tenancy } = await client.getTenancy({ tenancyId: region.tenancy });
    assert.equal(tenancy.id, region.tenancy);
    assert.match(tenancy.homeRegionKey, /^[A-Z]{3}$/);
    const { user } = await client.getUser({ userId: region.user });
    assert.equal(user.id, region.user);
    assert.equal(user.capabilities.canUseApiKeys, true);
    const regions = (await client.listRegionSubscriptions({ tenancyId: region.tenancy })).items;
    assert.equal(regions.filter((one) => one.isHomeRegion).length, 1);
    assert.equal(regions[0].status, "READY");
    assert.ok((await client.listAvailabilityDomains({ compartmentId })).items[0].name);
  });

  step("compartments: children and the whole subtree, by pages", async () => {
    const names = [];
    for await (const one of client.listAllCompartments({ compartmentId, compartmentIdInSubtree: true, accessLevel: identity.requests.ListCompartmentsRequest.AccessLevel.Any, limit: 1 })) names.push(one.id);
    assert.ok(names.includes(region.places.compartmentId), names.join());
    assert.ok(!names.includes(region.tenancy), "the root is never listed");
  });

  step("policy: create, list, update with if-match", async () => {
    const statement = `Allow group Administrators to read metrics in compartment id ${region.places.compartmentId}`;
    const created = await client.createPolicy({ createPolicyDetails: { compartmentId, name: "contract", description: "test", statements: [statement] } });
    policyId = created.policy.id;
    assert.deepEqual(created.policy.statements, [statement]);
    assert.ok((await client.listPolicies({ compartmentId })).items.some((one) => one.id === policyId));
    const more = [statement, "Allow group Administrators to manage objects in tenancy where target.bucket.name='lockstep'"];
    await refused(() => client.updatePolicy({ policyId, ifMatch: "old", updatePolicyDetails: { statements: more } }), 412, "NoEtagMatch");
    const updated = await client.updatePolicy({ policyId, ifMatch: created.etag, updatePolicyDetails: { statements: more } });
    assert.deepEqual(updated.policy.statements, more);
    await refused(() => client.updatePolicy({ policyId, updatePolicyDetails: { statements: ["Allow group Administrators to use read metrics in tenancy"] } }), 400);
  });

  step("groups, dynamic groups, memberships", async () => {
    const group = (await client.createGroup({ createGroupDetails: { compartmentId, name: "contract", description: "test" } })).group;
    assert.ok((await client.listGroups({ compartmentId })).items.some((one) => one.id === group.id));
    const member = (await client.addUserToGroup({ addUserToGroupDetails: { userId: region.user, groupId: group.id } })).userGroupMembership;
    assert.equal(member.userId, region.user);
    const memberships = (await client.listUserGroupMemberships({ compartmentId, userId: region.user })).items;
    assert.ok(memberships.some((one) => one.groupId === group.id));
    const matchingRule = `all {resource.type='datasciencejobrun', resource.compartment.id='${region.places.compartmentId}'}`;
    const dynamic = (await client.createDynamicGroup({ createDynamicGroupDetails: { compartmentId, name: "contract-runs", description: "test", matchingRule } })).dynamicGroup;
    assert.equal(dynamic.matchingRule, matchingRule);
    assert.ok((await client.listDynamicGroups({ compartmentId })).items.some((one) => one.id === dynamic.id));
    await refused(() => client.createDynamicGroup({ createDynamicGroupDetails: { compartmentId, name: "contract-bad", description: "test", matchingRule: "all {nothing" } }), 400);
  });

  step("tag namespaces and their keys", async () => {
    const { tagNamespace } = await client.createTagNamespace({ createTagNamespaceDetails: { compartmentId, name: "contract", description: "test" } });
    const tagNamespaceId = tagNamespace.id;
    assert.ok((await client.listTagNamespaces({ compartmentId })).items.some((one) => one.id === tagNamespaceId));
    await client.createTag({ tagNamespaceId, createTagDetails: { name: "owner", description: "who" } });
    assert.deepEqual((await client.listTags({ tagNamespaceId })).items.map((one) => one.name), ["owner"]);
    assert.equal((await client.getTag({ tagNamespaceId, tagName: "owner" })).tag.tagNamespaceName, "contract");
    await client.updateTagNamespace({ tagNamespaceId, updateTagNamespaceDetails: { isRetired: true } });
    await client.deleteTagNamespace({ tagNamespaceId });
  });

  step("auth tokens are shown once; API keys have their fingerprint", async () => {
    const { authToken } = await client.createAuthToken({ userId: region.user, createAuthTokenDetails: { description: "contract" } });
    assert.ok(authToken.token);
    const listed = (await client.listAuthTokens({ userId: region.user })).items.find((one) => one.id === authToken.id);
    assert.ok(listed && !listed.token);
    const { publicKey } = crypto.generateKeyPairSync("rsa", { modulusLength: 2048 });
    const der = publicKey.export({ type: "spki", format: "der" });
    const fingerprint = crypto.createHash("md5").update(der).digest("hex").replace(/(..)(?=.)/g, "$1:");
    const { apiKey } = await client.uploadApiKey({ userId: region.user, createApiKeyDetails: { key: publicKey.export({ type: "spki", format: "pem" }) } });
    assert.equal(apiKey.fingerprint, fingerprint);
    assert.equal(apiKey.keyId, `${region.tenancy}/${region.user}/${fingerprint}`);
    assert.ok((await client.listApiKeys({ userId: region.user })).items.some((one) => one.fingerprint === fingerprint));
  });

  step("policy: delete", async () => {
    await client.deletePolicy({ policyId });
    await refused(() => client.getPolicy({ policyId }), 404, "NotAuthorizedOrNotFound");
  });
};
