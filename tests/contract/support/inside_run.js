// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// Runs inside a job run: Oracle's SDK takes the resource principal from the environment and puts an object.
const common = require("oci-common");
const os = require("oci-objectstorage");

async function main() {
  const authenticationDetailsProvider = common.ResourcePrincipalAuthenticationDetailsProvider.builder();
  const client = new os.ObjectStorageClient({ authenticationDetailsProvider });
  client.endpoint = process.env.OCI_CLI_ENDPOINT;
  const namespaceName = (await client.getNamespace({})).value;
  await client.putObject({ namespaceName, bucketName: process.env.CONTRACT_BUCKET, objectName: `contract/${process.env.JOB_RUN_OCID}`, putObjectBody: "from inside run", contentLength: 15 });
  console.log("put");
}

main().catch((error) => {
  console.error(error.statusCode, error.serviceCode, error.message);
  process.exit(1);
});
