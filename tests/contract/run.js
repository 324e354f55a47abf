// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// node run.js STORY PROGRAM: starts a region with PROGRAM (lockstep-rehearsal) and tells it the story with Oracle's own
// SDK. Exit 0: all steps passed; 1: some did not; 77: skipped, with the reason.
const path = require("node:path");

function needSdk() {
  try {
    require.resolve("oci-common");
    return true;
  } catch (error) {
    const reason = `Oracle's SDK is not in ${process.env.NODE_PATH}: ./test.sh fetches it from the npm registry`;
    if (process.env.LOCKSTEP_CONTRACT_OPTIONAL) {
      console.log(`SKIPPED: ${reason}`);
      process.exit(77);
    }
    console.log(`FAILED: ${reason}; set LOCKSTEP_CONTRACT_OPTIONAL=1 to skip where it cannot be fetched`);
    process.exit(1);
  }
}

async function main() {
  const [name, program] = process.argv.slice(2);
  needSdk();
  const { run } = require("./support/story");
  const story = require(path.join(__dirname, "stories", `${name}.js`));
  const region = require("./support/region").start(program, story.options || []);
  let failures = 1;
  try {
    await story.tell(region);
    failures = await run(name);
  } finally {
    region.stop();
  }
  process.exit(failures === 0 ? 0 : 1);
}

main().catch((error) => {
  console.log(`FAILED: ${error && error.stack ? error.stack : error}`);
  process.exit(1);
});
