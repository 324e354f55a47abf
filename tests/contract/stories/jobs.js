// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// Data Science: project, job with artifact, runs to SUCCEEDED, FAILED and CANCELED, their logs and metrics, the
// resource principal inside a run, delete.
const crypto = require("node:crypto");
const path = require("node:path");
const { Readable } = require("node:stream");
const common = require("oci-common");
const science = require("oci-datascience");
const os = require("oci-objectstorage");
const search = require("oci-loggingsearch");
const monitoring = require("oci-monitoring");
const { step, refused, eventually, assert } = require("../support/story");

exports.options = [];

exports.tell = async (region) => {
  const client = region.client(science.DataScienceClient);
  const waiters = client.createWaiters({ terminationStrategy: new common.MaxTimeTerminationStrategy(120), delayStrategy: new common.FixedTimeDelayStrategy(1) });
  const finder = region.client(search.LogSearchClient);
  const { compartmentId, subnetId, logGroupId, logId } = region.places;
  let projectId, jobId, runId;

  const infrastructure = { jobInfrastructureType: "STANDALONE", shapeName: "VM.Standard2.1", subnetId, blockStorageSizeInGBs: 50 };
  const logs = { enableLogging: true, enableAutoLogCreation: false, logGroupId, logId };
  const container = { jobEnvironmentType: "OCIR_CONTAINER", image: `iad.ocir.io/${region.namespace}/lockstep-trainer:1` };
  const createJob = (more) =>
    client.createJob({
      createJobDetails: {
        projectId, compartmentId, displayName: "contract",
        jobConfigurationDetails: { jobType: "DEFAULT", environmentVariables: { CONTRACT_SCRIPT: "echo hello; exit 0", SHARED: "job" }, maximumRuntimeInMinutes: 30 },
        jobInfrastructureConfigurationDetails: infrastructure,
        jobEnvironmentConfigurationDetails: container,
        jobLogConfigurationDetails: logs,
        ...more,
      },
    });
  const createRun = (environmentVariables, more = {}) =>
    client.createJobRun({ createJobRunDetails: { projectId, compartmentId, jobId, displayName: "run", jobConfigurationOverrideDetails: { jobType: "DEFAULT", environmentVariables }, ...more } }).then((answer) => answer.jobRun);
  const ended = async (id) => {
    await eventually(`the run ${id} ends`, async () => ["SUCCEEDED", "FAILED", "CANCELED"].includes((await client.getJobRun({ jobRunId: id })).jobRun.lifecycleState));
    return (await client.getJobRun({ jobRunId: id })).jobRun;
  };
  const linesOf = async (id) => {
    const lines = [];
    let page;
    do {
      const answer = await finder.searchLogs({
        limit: 3, page,
        searchLogsDetails: { timeStart: new Date(Date.now() - 3600_000), timeEnd: new Date(Date.now() + 60_000), searchQuery: `search "${compartmentId}/${logGroupId}/${logId}" | where source = '*${id}' | sort by datetime asc` },
      });
      for (const { data } of answer.searchResponse.results) lines.push(data.logContent.data.message);
      page = answer.opcNextPage;
    } while (page);
    return lines;
  };

  step("project: create, get, list, the same retry token gives the same project", async () => {
    const details = { compartmentId, displayName: "contract project" };
    const opcRetryToken = crypto.randomUUID();
    const first = await client.createProject({ createProjectDetails: details, opcRetryToken });
    const second = await client.createProject({ createProjectDetails: details, opcRetryToken });
    assert.equal(first.project.id, second.project.id);
    await refused(() => client.createProject({ createProjectDetails: { ...details, displayName: "other" }, opcRetryToken }), 409, "InvalidatedRetryToken");
    projectId = first.project.id;
    assert.equal((await client.getProject({ projectId })).project.lifecycleState, "ACTIVE");
    const { project } = await client.updateProject({ projectId, updateProjectDetails: { description: "changed", freeformTags: { a: "b" } } });
    assert.deepEqual([project.displayName, project.description, project.freeformTags], ["contract project", "changed", { a: "b" }]);
    const ids = [];
    for await (const one of client.listAllProjects({ compartmentId, limit: 1 })) ids.push(one.id);
    assert.ok(ids.includes(projectId));
  });

  step("shapes and fast launch configurations", async () => {
    const shapes = (await client.listJobShapes({ compartmentId })).items;
    assert.ok(shapes.some((one) => one.name === "VM.Standard2.1"), JSON.stringify(shapes));
    assert.ok(Array.isArray((await client.listFastLaunchJobConfigs({ compartmentId })).items));
  });

  step("job: create, get, update with if-match, list, what is refused", async () => {
    const created = await createJob();
    jobId = created.job.id;
    assert.equal(created.job.jobConfigurationDetails.jobType, "DEFAULT");
    assert.equal(created.job.jobInfrastructureConfigurationDetails.subnetId, subnetId);
    await refused(() => client.updateJob({ jobId, ifMatch: "old", updateJobDetails: { displayName: "x" } }), 412, "NoEtagMatch");
    assert.equal((await client.updateJob({ jobId, ifMatch: created.etag, updateJobDetails: { displayName: "renamed" } })).job.displayName, "renamed");
    assert.deepEqual((await client.listJobs({ compartmentId, projectId, displayName: "renamed" })).items.map((one) => one.id), [jobId]);
    await refused(() => createJob({ projectId: projectId + "x" }), 404, "NotAuthorizedOrNotFound");
    await refused(() => createJob({ jobInfrastructureConfigurationDetails: { ...infrastructure, blockStorageSizeInGBs: 10 } }), 400, "InvalidParameter");
  });

  step("run: to SUCCEEDED with the SDK's waiter; variables merge, the run's win", async () => {
    const run = await createRun({ CONTRACT_SCRIPT: "i=0; while [ $i -lt 10 ]; do echo line $i; i=$((i+1)); done; echo $SHARED $OWN; echo to stderr >&2", SHARED: "run", OWN: "own" });
    runId = run.id;
    assert.equal(run.lifecycleState, "ACCEPTED");
    assert.ok(run.timeAccepted);
    await waiters.forJobRun({ jobRunId: runId }, science.models.JobRunLifecycleState.Succeeded, science.models.JobRunLifecycleState.Failed);
    const { jobRun } = await client.getJobRun({ jobRunId: runId });
    assert.equal(jobRun.lifecycleState, "SUCCEEDED", jobRun.lifecycleDetails);
    assert.ok(jobRun.timeStarted && jobRun.timeFinished);
    assert.equal(jobRun.logDetails.logId, logId);
    const listed = [];
    for await (const one of client.listAllJobRuns({ compartmentId, jobId, limit: 1 })) listed.push(one.id);
    assert.ok(listed.includes(runId));
  });

  step("logs of the run: all lines, in order, by pages", async () => {
    const lines = await eventually("all lines are there", async () => {
      const found = await linesOf(runId);
      return found.length >= 12 && found;
    });
    assert.deepEqual(lines.filter((line) => line.startsWith("line")), Array.from({ length: 10 }, (_, i) => `line ${i}`));
    assert.ok(lines.includes("run own") && lines.includes("to stderr"), lines.join("|"));
  });

  step("metrics of the run, from its real processes", async () => {
    const busy = await createRun({ CONTRACT_SCRIPT: "end=$(($(date +%s)+4)); while [ $(date +%s) -lt $end ]; do :; done" });
    assert.equal((await ended(busy.id)).lifecycleState, "SUCCEEDED");
    const metrics = region.client(monitoring.MonitoringClient);
    const summary = await eventually("the CPU utilization of the run is there", async () => {
      const { items } = await metrics.summarizeMetricsData({
        compartmentId,
        summarizeMetricsDataDetails: { namespace: "oci_datascience_jobrun", query: `CpuUtilization[1m]{resourceId = "${busy.id}"}.max()`, startTime: new Date(Date.now() - 600_000), endTime: new Date(Date.now() + 60_000) },
      });
      return items.length > 0 && items;
    });
    assert.equal(summary[0].dimensions.resourceId, busy.id);
    assert.ok(summary[0].aggregatedDatapoints[0].value > 0, JSON.stringify(summary));
  });

  step("run: an exit code fails it", async () => {
    const run = await ended((await createRun({ CONTRACT_SCRIPT: "exit 7" })).id);
    assert.equal(run.lifecycleState, "FAILED");
    assert.match(run.lifecycleDetails, /exit code 7/);
  });

  step("run: cancel, and what is refused of a run that has ended or lives", async () => {
    const { id } = await createRun({ CONTRACT_SCRIPT: "sleep 600" });
    await eventually("the run is IN_PROGRESS", async () => (await client.getJobRun({ jobRunId: id })).jobRun.lifecycleState === "IN_PROGRESS");
    await refused(() => client.deleteJobRun({ jobRunId: id, retryConfiguration: common.NoRetryConfigurationDetails }), 409, "IncorrectState");
    await client.cancelJobRun({ jobRunId: id });
    assert.equal((await ended(id)).lifecycleState, "CANCELED");
    await refused(() => client.cancelJobRun({ jobRunId: id, retryConfiguration: common.NoRetryConfigurationDetails }), 409, "IncorrectState");
    await client.deleteJobRun({ jobRunId: id });
  });

  step("inside a run: the SDK with the run's resource principal puts an object", async () => {
    const script = path.join(__dirname, "..", "support", "inside_run.js");
    const run = await createRun({ CONTRACT_SCRIPT: `exec '${process.execPath}' '${script}'`, NODE_PATH: process.env.NODE_PATH, CONTRACT_BUCKET: region.bucket });
    const end = await ended(run.id);
    const lines = await linesOf(run.id);
    assert.equal(end.lifecycleState, "SUCCEEDED", `${end.lifecycleDetails}: ${lines.join("\n")}`);
    const object = await region.client(os.ObjectStorageClient).headObject({ namespaceName: region.namespace, bucketName: region.bucket, objectName: `contract/${run.id}` });
    assert.equal(object.contentLength, 15);
  });

  step("artifact: up once, back again, run", async () => {
    const { job } = await createJob({ jobEnvironmentConfigurationDetails: undefined, jobConfigurationDetails: { jobType: "DEFAULT" }, displayName: "artifact" });
    const script = "#!/bin/sh\necho from the artifact of $JOB_OCID\n";
    const upload = () => client.createJobArtifact({ jobId: job.id, jobArtifact: script, contentLength: script.length, contentDisposition: "attachment; filename=run.sh" });
    assert.ok((await upload()).etag);
    await refused(upload, 409);
    const head = await client.headJobArtifact({ jobId: job.id });
    assert.equal(head.contentLength, script.length);
    const back = await client.getJobArtifactContent({ jobId: job.id });
    const chunks = [];
    for await (const chunk of back.value.getReader ? Readable.fromWeb(back.value) : back.value) chunks.push(Buffer.from(chunk));
    assert.equal(Buffer.concat(chunks).toString(), script);
    await client.deleteJob({ jobId: job.id });
  });

  step("delete: under a work request, with the runs", async () => {
    await refused(() => client.deleteProject({ projectId, retryConfiguration: common.NoRetryConfigurationDetails }), 409);
    const { opcWorkRequestId } = await client.deleteJob({ jobId, deleteRelatedJobRuns: true });
    assert.ok(opcWorkRequestId);
    await waiters.forWorkRequest({ workRequestId: opcWorkRequestId });
    const { workRequest } = await client.getWorkRequest({ workRequestId: opcWorkRequestId });
    assert.equal(workRequest.operationType, "JOB_DELETE");
    assert.equal(workRequest.status, "SUCCEEDED");
    const gone = await client.getJob({ jobId }).then((answer) => answer.job.lifecycleState, (error) => error.statusCode);
    assert.ok(gone === "DELETED" || gone === 404, String(gone));
    assert.ok((await client.deleteProject({ projectId })).opcWorkRequestId);
  });
};
