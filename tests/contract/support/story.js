// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// Runs the steps of one story in order and says loudly what Oracle's SDK saw when one of them fails. A step that
// fails does not end the story: the later ones show what else is broken.
const assert = require("node:assert/strict");
const util = require("node:util");

const steps = [];

function step(title, action) {
  steps.push({ title, action });
}

/** What an error of the SDK knows, in one line. */
function describe(error) {
  if (error && error.statusCode !== undefined) {
    return `the SDK saw HTTP ${error.statusCode} ${error.serviceCode}: ${error.message} (opc-request-id ${error.opcRequestId})`;
  }
  return error && error.stack ? error.stack : util.inspect(error);
}

/** The error with which a call is refused; fails when the call is carried out, or is refused in another way. */
async function refused(call, statusCode, serviceCode) {
  let answer;
  try {
    answer = await call();
  } catch (error) {
    assert.equal(error.statusCode, statusCode, `refused, but ${describe(error)}`);
    if (serviceCode) assert.equal(error.serviceCode, serviceCode, `refused, but ${describe(error)}`);
    assert.ok(error.opcRequestId, "the error of the SDK has no opcRequestId");
    return error;
  }
  assert.fail(`expected HTTP ${statusCode} ${serviceCode || ""}, but the SDK got ${util.inspect(answer, { depth: 3 })}`);
}

/** Asks until the answer is truthy, for at most `seconds`. */
async function eventually(what, ask, seconds = 60) {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) assert.fail(`not within ${seconds} s: ${what}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

async function run(name) {
  let failures = 0;
  const begin = Date.now();
  for (const { title, action } of steps) {
    const started = Date.now();
    try {
      await action();
      console.log(`ok      ${name}: ${title} (${Date.now() - started} ms)`);
    } catch (error) {
      failures += 1;
      console.log(`FAILED  ${name}: ${title}\n        ${describe(error).replace(/\n/g, "\n        ")}`);
    }
  }
  console.log(`${name}: ${steps.length - failures} of ${steps.length} steps in ${Date.now() - begin} ms`);
  return failures;
}

module.exports = { step, refused, eventually, describe, run, assert };
