// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// One job run of many nodes: node groups, what each node is told, success that needs all of them.
const science = require("oci-datascience");
const search = require("oci-loggingsearch");
const { step, refused, eventually, assert } = require("../support/story");

exports.tell = async (region) => {
  const client = region.client(science.DataScienceClient);
  const finder = region.client(search.LogSearchClient);
  const { compartmentId, projectId, subnetId, logGroupId, logId } = region.places;
  let jobId;

  const group = (over = {}) => ({
    name: "workers", replicas: 2, minimumSuccessReplicas: 2,
    jobInfrastructureConfigurationDetails: { jobInfrastructureType: "MULTI_NODE", shapeName: "VM.Standard2.1", blockStorageSizeInGBs: 50 },
    jobConfigurationDetails: { jobType: "DEFAULT", environmentVariables: { CONTRACT_SCRIPT: 'echo "rank $NODE_RANK of $INITIAL_CLUSTER_SIZE"; until [ "$(grep -o IPAddress $CLUSTER_NODES_METADATA_FILE 2>/dev/null | wc -l)" = "$INITIAL_CLUSTER_SIZE" ]; do sleep 0.1; done; cat $CLUSTER_NODES_METADATA_FILE; echo; [ "$NODE_RANK" != "$FAILING" ]' } },
    jobEnvironmentConfigurationDetails: { jobEnvironmentType: "OCIR_CONTAINER", image: `iad.ocir.io/${region.namespace}/lockstep-trainer:1` },
    ...over,
  });
  const createJob = (groups) =>
    client.createJob({
      createJobDetails: {
        projectId, compartmentId, displayName: "nodes",
        jobLogConfigurationDetails: { enableLogging: true, enableAutoLogCreation: false, logGroupId, logId },
        jobNodeConfigurationDetails: { jobNodeType: "MULTI_NODE", startupOrder: "IN_PARALLEL", jobNetworkConfiguration: { jobNetworkType: "CUSTOM_NETWORK", subnetId }, jobNodeGroupConfigurationDetailsList: groups },
      },
    });
  const ended = async (id) => {
    await eventually(`the run ${id} ends`, async () => ["SUCCEEDED", "FAILED", "CANCELED"].includes((await client.getJobRun({ jobRunId: id })).jobRun.lifecycleState));
    return (await client.getJobRun({ jobRunId: id })).jobRun;
  };
  const linesOf = async (id) => {
    const searchQuery = `search "${compartmentId}/${logGroupId}/${logId}" | where source = '*${id}' | sort by datetime asc`;
    const { searchResponse } = await finder.searchLogs({ limit: 1000, searchLogsDetails: { timeStart: new Date(Date.now() - 3600_000), timeEnd: new Date(Date.now() + 60_000), searchQuery } });
    return searchResponse.results.map(({ data }) => data.logContent.data.message);
  };

  step("job: the top level reads back EMPTY", async () => {
    const { job } = await createJob([group()]);
    jobId = job.id;
    assert.equal(job.jobConfigurationDetails.jobType, "EMPTY");
    assert.equal(job.jobInfrastructureConfigurationDetails.jobInfrastructureType, "EMPTY");
    assert.equal(job.jobNodeConfigurationDetails.jobNodeGroupConfigurationDetailsList[0].replicas, 2);
    await refused(() => createJob([group(), group()]), 400);
  });

  step("run: every node knows its rank and all others", async () => {
    const { jobRun } = await client.createJobRun({ createJobRunDetails: { projectId, compartmentId, jobId } });
    const end = await ended(jobRun.id);
    const lines = await eventually("the lines of both nodes", async () => {
      const found = await linesOf(jobRun.id);
      return found.filter((line) => line.includes("rank ")).length >= 2 && found;
    });
    assert.equal(end.lifecycleState, "SUCCEEDED", `${end.lifecycleDetails}: ${lines.join("\n")}`);
    for (const rank of [0, 1]) assert.ok(lines.some((line) => line.includes(`rank ${rank} of 2`)), lines.join("\n"));
    const described = lines.find((line) => line.includes("IPAddress"));
    const nodes = JSON.parse(described.slice(described.indexOf("[")));
    assert.deepEqual(nodes.map((node) => node.Rank).sort(), [0, 1]);
    assert.ok(nodes.every((node) => node.IPAddress));
    assert.deepEqual(end.nodeGroupDetailsList.map((one) => one.name), ["workers"]);
  });

  step("run: one node's failure fails it when all must succeed", async () => {
    const override = { jobNodeType: "MULTI_NODE", jobNodeGroupConfigurationDetailsList: [{ name: "workers", jobConfigurationDetails: { jobType: "DEFAULT", environmentVariables: { FAILING: "1" } } }] };
    const { jobRun } = await client.createJobRun({ createJobRunDetails: { projectId, compartmentId, jobId, jobNodeConfigurationOverrideDetails: override } });
    const end = await ended(jobRun.id);
    assert.equal(end.lifecycleState, "FAILED", end.lifecycleDetails);
  });

  step("delete", async () => {
    await client.deleteJob({ jobId, deleteRelatedJobRuns: true });
  });
};
