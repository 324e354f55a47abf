// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// Network: lists, the security list read, changed under if-match, network security groups and their rules.
const core = require("oci-core");
const { step, refused, assert } = require("../support/story");

exports.tell = async (region) => {
  const client = region.client(core.VirtualNetworkClient);
  const compartmentId = region.places.compartmentId;
  let subnet;

  step("VCNs and subnets", async () => {
    subnet = (await client.getSubnet({ subnetId: region.places.subnetId })).subnet;
    assert.ok(subnet.cidrBlock && subnet.vcnId && subnet.routeTableId);
    const vcn = (await client.listVcns({ compartmentId })).items.find((one) => one.id === subnet.vcnId);
    assert.ok(vcn && vcn.cidrBlocks.includes(vcn.cidrBlock));
    const ids = [];
    for await (const one of client.listAllSubnets({ compartmentId, vcnId: subnet.vcnId, limit: 1 })) ids.push(one.id);
    assert.ok(ids.includes(subnet.id));
    await refused(() => client.getSubnet({ subnetId: subnet.id + "x" }), 404, "NotAuthorizedOrNotFound");
  });

  step("security list: read, change with if-match, replaced arrays, what is left out stays", async () => {
    const lists = (await client.listSecurityLists({ compartmentId, vcnId: subnet.vcnId })).items;
    assert.ok(lists.length > 0 && subnet.securityListIds.includes(lists[0].id));
    const securityListId = subnet.securityListIds[0];
    const { securityList, etag } = await client.getSecurityList({ securityListId });
    const rule = { source: subnet.cidrBlock, protocol: "6", description: "rendezvous", tcpOptions: { destinationPortRange: { min: 29400, max: 29400 } } };
    const ingressSecurityRules = [...securityList.ingressSecurityRules, rule];
    await refused(() => client.updateSecurityList({ securityListId, ifMatch: "old", updateSecurityListDetails: { ingressSecurityRules } }), 412, "NoEtagMatch");
    const changed = await client.updateSecurityList({ securityListId, ifMatch: etag, updateSecurityListDetails: { ingressSecurityRules } });
    assert.equal(changed.securityList.ingressSecurityRules.length, ingressSecurityRules.length);
    assert.deepEqual(changed.securityList.egressSecurityRules, securityList.egressSecurityRules);
    assert.notEqual(changed.etag, etag);
    const upsideDown = { ...rule, tcpOptions: { destinationPortRange: { min: 20, max: 10 } } };
    await refused(() => client.updateSecurityList({ securityListId, updateSecurityListDetails: { ingressSecurityRules: [upsideDown] } }), 400, "InvalidParameter");
    await refused(() => client.updateSecurityList({ securityListId, updateSecurityListDetails: { ingressSecurityRules: [{ source: "300.0.0.0/8", protocol: "all" }] } }), 400, "InvalidParameter");
  });

  step("network security group: create, rules added, changed, removed", async () => {
    const group = (await client.createNetworkSecurityGroup({ createNetworkSecurityGroupDetails: { compartmentId, vcnId: subnet.vcnId, displayName: "contract" } })).networkSecurityGroup;
    assert.ok((await client.listNetworkSecurityGroups({ compartmentId, vcnId: subnet.vcnId })).items.some((one) => one.id === group.id));
    const networkSecurityGroupId = group.id;
    const Direction = core.models.AddSecurityRuleDetails.Direction;
    const details = { direction: Direction.Ingress, protocol: "6", source: "10.0.0.0/16", sourceType: core.models.AddSecurityRuleDetails.SourceType.CidrBlock };
    const added = (await client.addNetworkSecurityGroupSecurityRules({ networkSecurityGroupId, addNetworkSecurityGroupSecurityRulesDetails: { securityRules: [details] } })).addedNetworkSecurityGroupSecurityRules.securityRules;
    assert.equal(added.length, 1);
    assert.ok(added[0].id && added[0].timeCreated);
    await client.updateNetworkSecurityGroupSecurityRules({ networkSecurityGroupId, updateNetworkSecurityGroupSecurityRulesDetails: { securityRules: [{ ...details, id: added[0].id, source: "10.1.0.0/16" }] } });
    const rules = (await client.listNetworkSecurityGroupSecurityRules({ networkSecurityGroupId, direction: core.requests.ListNetworkSecurityGroupSecurityRulesRequest.Direction.Ingress })).items;
    assert.deepEqual(rules.map((one) => one.source), ["10.1.0.0/16"]);
    const many = Array.from({ length: 26 }, () => details);
    await refused(() => client.addNetworkSecurityGroupSecurityRules({ networkSecurityGroupId, addNetworkSecurityGroupSecurityRulesDetails: { securityRules: many } }), 400);
    await client.removeNetworkSecurityGroupSecurityRules({ networkSecurityGroupId, removeNetworkSecurityGroupSecurityRulesDetails: { securityRuleIds: [added[0].id] } });
    assert.deepEqual((await client.listNetworkSecurityGroupSecurityRules({ networkSecurityGroupId })).items, []);
  });
};
