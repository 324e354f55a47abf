// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// Logging: groups and logs under work requests, ingestion, search with paging, the query language.
const crypto = require("node:crypto");
const logging = require("oci-logging");
const ingestion = require("oci-loggingingestion");
const search = require("oci-loggingsearch");
const { step, refused, eventually, assert } = require("../support/story");

exports.tell = async (region) => {
  const management = region.client(logging.LoggingManagementClient);
  const intake = region.client(ingestion.LoggingClient);
  const finder = region.client(search.LogSearchClient);
  const compartmentId = region.places.compartmentId;
  const begin = Date.now() - 60_000;
  let groupId, logId;

  const done = (workRequestId) =>
    eventually(`work request ${workRequestId}`, async () => {
      const { workRequest } = await management.getWorkRequest({ workRequestId });
      assert.notEqual(workRequest.status, "FAILED");
      return workRequest.status === "SUCCEEDED" && workRequest;
    });
  const query = (searchQuery, more = {}) =>
    finder.searchLogs({ limit: 100, ...more, searchLogsDetails: { timeStart: new Date(begin), timeEnd: new Date(Date.now() + 60_000), searchQuery, ...more.details } });
  const rows = async (searchQuery) => (await query(searchQuery)).searchResponse.results.map((one) => one.data);

  step("log group: create under a work request, get, update, list", async () => {
    const created = await management.createLogGroup({ createLogGroupDetails: { compartmentId, displayName: "contract", description: "first" } });
    assert.ok(created.opcWorkRequestId);
    const request = await done(created.opcWorkRequestId);
    assert.equal(request.operationType, "CREATE_LOG_GROUP");
    assert.equal(request.percentComplete, 100);
    groupId = request.resources[0].identifier;
    assert.equal(request.resources[0].actionType, "CREATED");
    const { logGroup, etag } = await management.getLogGroup({ logGroupId: groupId });
    assert.equal(logGroup.displayName, "contract");
    await refused(() => management.createLogGroup({ createLogGroupDetails: { compartmentId, displayName: "contract" } }), 409, "Conflict");
    await refused(() => management.createLogGroup({ createLogGroupDetails: { compartmentId, displayName: "with blank" } }), 400, "InvalidParameter");
    await refused(() => management.updateLogGroup({ logGroupId: groupId, ifMatch: "old", updateLogGroupDetails: { description: "x" } }), 412, "NoEtagMatch");
    await done((await management.updateLogGroup({ logGroupId: groupId, ifMatch: etag, updateLogGroupDetails: { description: "second" } })).opcWorkRequestId);
    assert.equal((await management.getLogGroup({ logGroupId: groupId })).logGroup.description, "second");
    const names = [];
    for await (const group of management.listAllLogGroups({ compartmentId, limit: 1 })) names.push(group.displayName);
    assert.ok(names.includes("contract") && names.length >= 2, names.join());
    const history = (await management.listWorkRequests({ compartmentId })).items;
    assert.ok(history.some((one) => one.id === created.opcWorkRequestId));
    assert.deepEqual((await management.listWorkRequestErrors({ workRequestId: created.opcWorkRequestId })).items, []);
  });

  step("log: create, get, update, list", async () => {
    const created = await management.createLog({ logGroupId: groupId, createLogDetails: { displayName: "lines", logType: "CUSTOM", isEnabled: true, retentionDuration: 60 } });
    logId = (await done(created.opcWorkRequestId)).resources[0].identifier;
    const { log, etag } = await management.getLog({ logGroupId: groupId, logId });
    assert.equal(log.logType, "CUSTOM");
    assert.equal(log.retentionDuration, 60);
    await done((await management.updateLog({ logGroupId: groupId, logId, ifMatch: etag, updateLogDetails: { retentionDuration: 90 } })).opcWorkRequestId);
    const listed = (await management.listLogs({ logGroupId: groupId, displayName: "lines" })).items;
    assert.deepEqual(listed.map((one) => [one.id, one.retentionDuration]), [[logId, 90]]);
    await refused(() => management.createLog({ logGroupId: groupId, createLogDetails: { displayName: "odd", logType: "CUSTOM", retentionDuration: 45 } }), 400, "InvalidParameter");
  });

  step("ingestion: entries of text and of JSON, long fields cut", async () => {
    const entry = (data, second) => ({ data, id: crypto.randomUUID(), time: new Date(begin + 1000 * second) });
    const entries = [];
    for (let i = 0; i < 30; ++i) entries.push(entry(JSON.stringify({ message: `step ${i}`, rank: i % 2, loss: 30 - i }), i));
    entries.push(entry("plain text", 40), entry("x".repeat(15_000), 41), entry(JSON.stringify({ message: "nested", deep: { long: "y".repeat(12_000) } }), 42));
    await intake.putLogs({ logId, putLogsDetails: { specversion: "1.0", logEntryBatches: [{ source: "contract", type: "lines", subject: "stdout", defaultlogentrytime: new Date(begin), entries }] } });
    await refused(() => intake.putLogs({ logId, putLogsDetails: { specversion: "1.0", logEntryBatches: [] } }), 400, "InvalidParameter");
    await refused(() => intake.putLogs({ logId: logId + "x", putLogsDetails: { specversion: "1.0", logEntryBatches: [{ source: "s", type: "t", defaultlogentrytime: new Date(), entries: [entry("a", 0)] }] } }), 404, "NotAuthorizedOrNotFound");
  });

  step("search: lines in order, by pages, newest first", async () => {
    const stream = `search "${compartmentId}/${groupId}/${logId}"`;
    await eventually("all lines are visible", async () => (await rows(`${stream} | count`))[0].count === 33);
    const seen = [];
    let page;
    do {
      const answer = await query(`${stream} | where data.message = 'step*' | sort by datetime desc`, { limit: 7, page });
      for (const { data } of answer.searchResponse.results) seen.push(data.logContent.data.message);
      assert.equal(answer.searchResponse.summary.resultCount, answer.searchResponse.results.length);
      page = answer.opcNextPage;
    } while (page);
    assert.deepEqual(seen, Array.from({ length: 30 }, (_, i) => `step ${29 - i}`));
    const [line] = await rows(`search "${compartmentId}/contract/lines" | where data.message = 'step 3'`);
    assert.equal(typeof line.datetime, "number");
    assert.equal(line.logContent.source, "contract");
    assert.equal(line.logContent.subject, "stdout");
    assert.equal(line.logContent.data.rank, 1);
    assert.equal(line.logContent.oracle.logid, logId);
    assert.equal(line.logContent.oracle.loggroupid, groupId);
    const [cut] = await rows(`${stream} | where data.message = 'xxx*'`);
    assert.equal(cut.logContent.data.message.length, 10_000);
    const [deep] = await rows(`${stream} | where data.message = 'nested'`);
    assert.equal(deep.logContent.data.deep.long.length, 10_000);
    assert.equal((await rows(`${stream} | where data.message = 'plain text'`)).length, 1);
  });

  step("search: the query language", async () => {
    const stream = `search "${compartmentId}/${groupId}"`;
    const groups = await rows(`${stream} | where isnotnull(data.loss) | summarize count() as lines, min(data.loss) as best, avg(data.loss) as mean by data.rank as rank | sort by rank`);
    assert.deepEqual(groups, [{ rank: 0, lines: 15, best: 2, mean: 16 }, { rank: 1, lines: 15, best: 1, mean: 15 }]);
    const top = await rows(`${stream} | top 2 by data.loss | select data.message as line, data.loss`);
    assert.deepEqual(top.map((one) => one.line), ["step 0", "step 1"]);
    assert.equal((await rows(`${stream} | where contains_ci(data.message, 'STEP 29')`)).length, 1);
    assert.equal((await rows(`${stream} | dedup data.rank | where data.rank != null`)).length, 2);
    const minutes = await rows(`${stream} | summarize count() by rounddown(datetime, '1m') as interval`);
    assert.equal(minutes.reduce((sum, one) => sum + one.count, 0), 33);
    const answer = await query(`${stream} | where data.message = 'step 1'`, { details: { isReturnFieldInfo: true } });
    assert.ok(answer.searchResponse.fields.some((field) => field.fieldName === "logContent.data.message" && field.fieldType === "STRING"));
    assert.equal(answer.searchResponse.summary.fieldCount, answer.searchResponse.fields.length);
  });

  step("search: what is refused", async () => {
    const stream = `search "${compartmentId}"`;
    const wrong = await refused(() => query(`${stream} | where (`), 400, "InvalidParameter");
    assert.match(wrong.message, /searchQuery/);
    const long = { timeStart: new Date(Date.now() - 15 * 86_400_000) };
    await refused(() => query(stream, { details: long }), 400, "InvalidParameter");
    await refused(() => query(`search "ocid1.compartment.oc1..nobody"`), 404, "NotAuthorizedOrNotFound");
  });

  step("delete: not a group that has logs", async () => {
    await refused(() => management.deleteLogGroup({ logGroupId: groupId }), 409, "Conflict");
    await done((await management.deleteLog({ logGroupId: groupId, logId })).opcWorkRequestId);
    const request = await done((await management.deleteLogGroup({ logGroupId: groupId })).opcWorkRequestId);
    assert.equal(request.operationType, "DELETE_LOG_GROUP");
    await refused(() => management.getLogGroup({ logGroupId: groupId }), 404, "NotAuthorizedOrNotFound");
  });
};
