// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// Asks one thing of each service, with no endpoint set: the hosts come from OCI_REGION_METADATA.
const dns = require("node:dns");

// Names below localhost mean this machine (RFC 6761), but not every resolver knows that.
const lookup = dns.lookup;
dns.lookup = (host, ...rest) => lookup(host.endsWith(".localhost") ? "127.0.0.1" : host, ...rest);

const common = require("oci-common");
const clients = {
  objects: require("oci-objectstorage").ObjectStorageClient,
  identity: require("oci-identity").IdentityClient,
  network: require("oci-core").VirtualNetworkClient,
  science: require("oci-datascience").DataScienceClient,
  logging: require("oci-logging").LoggingManagementClient,
  limits: require("oci-limits").LimitsClient,
  artifacts: require("oci-artifacts").ArtifactsClient,
};

async function main() {
  const authenticationDetailsProvider = new common.ConfigFileAuthenticationDetailsProvider(process.env.CONTRACT_CONFIG, process.env.CONTRACT_PROFILE);
  const made = Object.fromEntries(Object.entries(clients).map(([name, Client]) => [name, new Client({ authenticationDetailsProvider }, { retryConfiguration: common.NoRetryConfigurationDetails })]));
  const compartmentId = process.env.CONTRACT_COMPARTMENT;
  const seen = {
    namespace: (await made.objects.getNamespace({})).value,
    user: (await made.identity.getUser({ userId: authenticationDetailsProvider.getUser() })).user.id,
    subnets: (await made.network.listSubnets({ compartmentId })).items.length,
    shapes: (await made.science.listJobShapes({ compartmentId })).items.length,
    groups: (await made.logging.listLogGroups({ compartmentId })).items.length,
    limits: (await made.limits.listServices({ compartmentId: authenticationDetailsProvider.getTenantId() })).items.length,
    repositories: (await made.artifacts.listContainerRepositories({ compartmentId })).containerRepositoryCollection.repositoryCount,
    endpoints: Object.fromEntries(Object.entries(made).map(([name, client]) => [name, client.endpoint])),
  };
  console.log(`SEEN ${JSON.stringify(seen)}`);
}

main().then(
  () => process.exit(0),
  (error) => {
    console.log(`FAILED ${error.statusCode} ${error.message} ${error.cause ? error.cause.message : ""}`);
    process.exit(1);
  },
);
