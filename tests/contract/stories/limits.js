// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// Limits and custom metrics: what can be asked without a job run.
const limits = require("oci-limits");
const monitoring = require("oci-monitoring");
const { step, refused, eventually, assert } = require("../support/story");

exports.tell = async (region) => {
  const client = region.client(limits.LimitsClient);
  const compartmentId = region.tenancy;
  const serviceName = "data-science";

  step("services, definitions, values", async () => {
    const services = [];
    for await (const one of client.listAllServices({ compartmentId, limit: 1 })) services.push(one.name);
    assert.ok(services.includes(serviceName), services.join());
    const definitions = (await client.listLimitDefinitions({ compartmentId, serviceName })).items;
    assert.ok(definitions.some((one) => one.name === "ds-gpu-a10-count" && one.scopeType === "REGION"));
    const values = (await client.listLimitValues({ compartmentId, serviceName, name: "ds-gpu-a10-count" })).items;
    assert.equal(values.length, 1);
    assert.equal(typeof values[0].value, "number");
  });

  step("availability of a resource, and what is refused", async () => {
    const { resourceAvailability } = await client.getResourceAvailability({ compartmentId, serviceName, limitName: "ds-gpu-a10-count" });
    assert.equal(resourceAvailability.used, 0);
    assert.equal(typeof resourceAvailability.available, "number");
    await refused(() => client.getResourceAvailability({ compartmentId, serviceName, limitName: "ds-gpu-a10-count", availabilityDomain: "AD-1" }), 400, "InvalidParameter");
    await refused(() => client.getResourceAvailability({ compartmentId, serviceName, limitName: "nothing-count" }), 404);
  });

  step("custom metrics: posted, listed, summarized", async () => {
    const client2 = region.client(monitoring.MonitoringClient);
    const home = region.places.compartmentId;
    const now = Date.now();
    const datapoints = [0, 1, 2].map((i) => ({ timestamp: new Date(now - 60_000 * i), value: 10 + i }));
    const metric = (over) => ({ namespace: "contract_gpu", compartmentId: home, name: "gpu.temperature", dimensions: { pci_bus: "0000:01" }, datapoints, ...over });
    const post = (metricData) => client2.postMetricData({ postMetricDataDetails: { metricData } });
    assert.equal((await post([metric()])).postMetricDataResponseDetails.failedMetricsCount, 0);
    const partly = (await post([metric(), metric({ namespace: "oci_forbidden" })])).postMetricDataResponseDetails;
    assert.equal(partly.failedMetricsCount, 1);
    assert.ok(partly.failedMetrics[0].message);
    const listed = await eventually("the metric is listed", async () => {
      const { items } = await client2.listMetrics({ compartmentId: home, listMetricsDetails: { namespace: "contract_gpu" } });
      return items.length > 0 && items;
    });
    assert.deepEqual(listed.map((one) => [one.name, one.dimensions.pci_bus]), [["gpu.temperature", "0000:01"]]);
    const [stream] = (await client2.summarizeMetricsData({
      compartmentId: home,
      summarizeMetricsDataDetails: { namespace: "contract_gpu", query: 'gpu.temperature[1m]{pci_bus = "0000:01"}.max()', startTime: new Date(now - 600_000), endTime: new Date(now + 60_000) },
    })).items;
    assert.ok(stream.aggregatedDatapoints.length >= 3);
    assert.equal(Math.max(...stream.aggregatedDatapoints.map((point) => point.value)), 12);
    await refused(() => client2.summarizeMetricsData({ compartmentId: home, summarizeMetricsDataDetails: { namespace: "contract_gpu", query: "gpu.temperature.max()" } }), 400, "InvalidParameter");
  });
};
