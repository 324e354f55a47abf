// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// Object Storage: buckets, objects with ranges, metadata and conditions, listings, multipart, versions, requests
// that need no signature.
const crypto = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const { Readable } = require("node:stream");
const common = require("oci-common");
const os = require("oci-objectstorage");
const { step, refused, assert } = require("../support/story");

async function bytesOf(value) {
  const chunks = [];
  const stream = value.getReader ? Readable.fromWeb(value) : value;
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

// The SDK hands on times of headers as texts of its own, without the zero of an hour before ten: "2026-11-22T6:30:24Z".
const isTime = (value) =>
  Number.isFinite((value instanceof Date ? value : new Date(String(value).replace(/(?<!\d)(\d)(?=[:Z])/g, "0$1"))).getTime());
const md5 = (bytes) => crypto.createHash("md5").update(bytes).digest("base64");

exports.tell = async (region) => {
  const client = region.client(os.ObjectStorageClient);
  const namespaceName = region.namespace;
  const bucketName = "contract";
  const at = { namespaceName, bucketName };
  const put = (objectName, body, more = {}) =>
    client.putObject({ ...at, objectName, putObjectBody: body, contentLength: Buffer.byteLength(body), ...more });
  const get = (objectName, more = {}) => client.getObject({ ...at, objectName, ...more });

  step("namespace", async () => {
    assert.equal((await client.getNamespace({})).value, namespaceName);
    const metadata = (await client.getNamespaceMetadata({ namespaceName })).namespaceMetadata;
    assert.equal(metadata.namespace, namespaceName);
    assert.equal(metadata.defaultS3CompartmentId, region.tenancy);
  });

  step("bucket: create, get, head, update, list, and the second of a name", async () => {
    const details = { name: bucketName, compartmentId: region.places.compartmentId, metadata: { purpose: "contract" } };
    const created = await client.createBucket({ namespaceName, createBucketDetails: details });
    assert.equal(created.bucket.name, bucketName);
    assert.equal(created.bucket.metadata.purpose, "contract");
    assert.ok(created.eTag && created.location);
    await refused(() => client.createBucket({ namespaceName, createBucketDetails: details }), 409, "BucketAlreadyExists");
    const fields = [os.requests.GetBucketRequest.Fields.ApproximateCount, os.requests.GetBucketRequest.Fields.ApproximateSize];
    const bucket = (await client.getBucket({ ...at, fields })).bucket;
    assert.equal(bucket.approximateCount, 0);
    assert.equal(bucket.publicAccessType, "NoPublicAccess");
    assert.ok((await client.headBucket(at)).eTag);
    const updated = await client.updateBucket({
      ...at, ifMatch: bucket.etag,
      updateBucketDetails: { metadata: { purpose: "updated" }, freeformTags: { team: "lockstep" } },
    });
    assert.equal(updated.bucket.metadata.purpose, "updated");
    assert.equal(updated.bucket.freeformTags.team, "lockstep");
    await refused(() => client.updateBucket({ ...at, ifMatch: "old", updateBucketDetails: { metadata: {} } }), 412, "IfMatchFailed");
    const names = [];
    for await (const one of client.listAllBuckets({ namespaceName, compartmentId: region.places.compartmentId, limit: 1 })) names.push(one.name);
    assert.deepEqual(names.sort(), [region.bucket, bucketName].sort());
    const missing = await refused(() => client.getBucket({ namespaceName, bucketName: "nobody" }), 404, "BucketNotFound");
    assert.match(missing.message, /Either the bucket named 'nobody' does not exist in the namespace/);
  });

  step("object: put text, bytes and a stream, with metadata, and read them back", async () => {
    const stored = await put("hello.txt", "hello, region", { contentType: "text/plain", opcMeta: { rank: "0", note: "a b" }, cacheControl: "no-store" });
    assert.equal(stored.opcContentMd5, md5("hello, region"));
    assert.ok(stored.eTag && isTime(stored.lastModified));
    const back = await get("hello.txt");
    assert.equal((await bytesOf(back.value)).toString(), "hello, region");
    assert.equal(back.contentType, "text/plain");
    assert.equal(back.cacheControl, "no-store");
    assert.equal(back.contentLength, 13);
    assert.equal(back.contentMd5, stored.opcContentMd5);
    assert.equal(back.eTag, stored.eTag);
    assert.equal(back.opcMeta["opc-meta-rank"], "0");
    assert.equal(back.opcMeta["opc-meta-note"], "a b");
    const large = crypto.randomBytes(300_000);
    await client.putObject({ ...at, objectName: "large.bin", putObjectBody: Readable.from([large.subarray(0, 1000), large.subarray(1000)]), contentLength: large.length });
    assert.deepEqual(await bytesOf((await get("large.bin")).value), large);
    await put("empty", "");
    assert.equal((await client.headObject({ ...at, objectName: "empty" })).contentLength, 0);
  });

  step("object: names with folders, blanks, percent and letters of the world", async () => {
    for (const name of ["runs/7/rank-0.jsonl", "a b+c&d=e%41.txt", "größe/日本語.bin", "semi;colon#hash?mark"]) {
      await put(name, name);
      assert.equal((await bytesOf((await get(name)).value)).toString(), name, name);
    }
  });

  step("ranges", async () => {
    const whole = "0123456789";
    await put("digits", whole);
    const read = async (first, last) => {
      const answer = await get("digits", { range: new common.Range(first, last) });
      const bytes = await bytesOf(answer.value);
      assert.equal(answer.contentLength, bytes.length);
      return bytes.toString();
    };
    assert.equal(await read(2, 5), "2345");
    assert.equal(await read(7, undefined), "789");
    assert.equal(await read(undefined, 3), "789");
    assert.equal(await read(5, 500), "56789");
    await refused(() => get("digits", { range: new common.Range(10, 20) }), 416, "InvalidRange");
  });

  step("conditions: if-match, if-none-match, checksum of the body", async () => {
    const first = await put("condition", "one", { ifNoneMatch: "*" });
    await refused(() => put("condition", "two", { ifNoneMatch: "*" }), 412, "IfNoneMatchFailed");
    const second = await put("condition", "two", { ifMatch: first.eTag });
    assert.notEqual(second.eTag, first.eTag);
    await refused(() => put("condition", "three", { ifMatch: first.eTag }), 412, "IfMatchFailed");
    await refused(() => get("condition", { ifMatch: first.eTag }), 412, "IfMatchFailed");
    await refused(() => client.deleteObject({ ...at, objectName: "condition", ifMatch: first.eTag }), 412, "IfMatchFailed");
    const unchanged = await get("condition", { ifNoneMatch: second.eTag }).catch((error) => error);
    assert.ok(unchanged.isNotModified || unchanged.statusCode === 304, "304 expected");
    await refused(() => put("condition", "three", { contentMD5: md5("other") }), 400, "UnmatchedContentMD5");
    assert.equal((await bytesOf((await get("condition")).value)).toString(), "two");
  });

  step("checksums that the service computes and verifies", async () => {
    const sha256 = crypto.createHash("sha256").update("sum").digest("base64");
    const stored = await put("sum", "sum", { opcChecksumAlgorithm: "SHA256", opcContentSha256: sha256 });
    assert.equal(stored.opcContentSha256, sha256);
    assert.equal((await client.headObject({ ...at, objectName: "sum" })).opcContentSha256, sha256);
    await refused(() => put("sum", "other", { opcChecksumAlgorithm: "SHA256", opcContentSha256: sha256 }), 400);
  });

  step("listing: prefixes, delimiter, fields, pages, order", async () => {
    for (let i = 0; i < 12; ++i) await put(`list/${i % 3}/${String(i).padStart(2, "0")}`, "x".repeat(i));
    const top = (await client.listObjects({ ...at, prefix: "list/", delimiter: "/" })).listObjects;
    assert.deepEqual(top.prefixes, ["list/0/", "list/1/", "list/2/"]);
    assert.deepEqual(top.objects, []);
    const names = [];
    let start;
    do {
      const page = (await client.listObjects({ ...at, prefix: "list/", limit: 5, start, fields: "name,size,md5,etag,timeCreated,timeModified,storageTier" })).listObjects;
      assert.ok(page.objects.length <= 5);
      for (const object of page.objects) {
        names.push(object.name);
        assert.equal(object.size, Number(object.name.slice(-2)));
        assert.ok(object.etag && object.md5 && isTime(object.timeCreated) && isTime(object.timeModified), JSON.stringify(object));
        assert.equal(object.storageTier, "Standard");
      }
      start = page.nextStartWith;
    } while (start);
    assert.equal(names.length, 12);
    assert.deepEqual(names, [...names].sort());
    const plain = (await client.listObjects({ ...at, prefix: "list/0/" })).listObjects.objects[0];
    assert.equal(plain.size, undefined, "only the name is given unless fields asks");
    const window = (await client.listObjects({ ...at, startAfter: "list/0/03", end: "list/1/04" })).listObjects;
    assert.deepEqual(window.objects.map((o) => o.name), ["list/0/06", "list/0/09", "list/1/01"]);
  });

  step("rename and delete", async () => {
    await put("old name", "content");
    await put("taken", "x");
    await refused(() => client.renameObject({ ...at, renameObjectDetails: { sourceName: "old name", newName: "taken", newObjIfNoneMatchETag: "*" } }), 412, "IfNoneMatchFailed");
    const renamed = await client.renameObject({ ...at, renameObjectDetails: { sourceName: "old name", newName: "new name" } });
    assert.ok(renamed.eTag);
    const gone = await refused(() => get("old name"), 404, "ObjectNotFound");
    assert.match(gone.message, /The object 'old name' was not found in the bucket 'contract'/);
    assert.equal((await bytesOf((await get("new name")).value)).toString(), "content");
    await client.deleteObject({ ...at, objectName: "new name" });
    await refused(() => client.deleteObject({ ...at, objectName: "new name" }), 404, "ObjectNotFound");
    const head = await client.headObject({ ...at, objectName: "new name" }).catch((error) => error);
    assert.equal(head.statusCode, 404);
  });

  step("multipart by hand: parts in any order, one replaced, one left out", async () => {
    const parts = [1, 2, 3].map((i) => Buffer.alloc(70_000 + i, i));
    const upload = (await client.createMultipartUpload({ ...at, createMultipartUploadDetails: { object: "joined.bin", contentType: "application/x-parts", metadata: { "opc-meta-kind": "parts" } } })).multipartUpload;
    const send = (number, bytes) => client.uploadPart({ ...at, objectName: "joined.bin", uploadId: upload.uploadId, uploadPartNum: number, uploadPartBody: bytes, contentLength: bytes.length });
    const tags = {};
    for (const number of [3, 1, 2, 9]) tags[number] = (await send(number, parts[number - 1] || Buffer.from("left out"))).eTag;
    tags[2] = (await send(2, parts[1])).eTag;
    const listed = [];
    for await (const part of client.listAllMultipartUploadParts({ ...at, objectName: "joined.bin", uploadId: upload.uploadId, limit: 2 })) listed.push(part.partNumber);
    assert.deepEqual(listed, [1, 2, 3, 9]);
    const open = (await client.listMultipartUploads(at)).items;
    assert.deepEqual(open.map((one) => one.uploadId), [upload.uploadId]);
    const commit = (partsToCommit, partsToExclude) => client.commitMultipartUpload({ ...at, objectName: "joined.bin", uploadId: upload.uploadId, commitMultipartUploadDetails: { partsToCommit, partsToExclude } });
    const three = [1, 2, 3].map((partNum) => ({ partNum, etag: tags[partNum] }));
    await refused(() => commit(three), 400);
    await refused(() => commit([...three, { partNum: 4, etag: "none" }], [9]), 400);
    const committed = await commit(three, [9]);
    const expected = Buffer.concat(parts);
    const digest = md5(Buffer.concat(parts.map((part) => crypto.createHash("md5").update(part).digest())));
    assert.ok(committed.opcMultipartMd5.startsWith(digest), committed.opcMultipartMd5);
    const back = await get("joined.bin");
    assert.deepEqual(await bytesOf(back.value), expected);
    assert.equal(back.contentType, "application/x-parts");
    assert.equal(back.opcMeta["opc-meta-kind"], "parts");
    assert.equal(back.contentMd5, undefined);
    await refused(() => commit(three, [9]), 404);
    const other = (await client.createMultipartUpload({ ...at, createMultipartUploadDetails: { object: "never" } })).multipartUpload;
    await client.abortMultipartUpload({ ...at, objectName: "never", uploadId: other.uploadId });
    assert.deepEqual((await client.listMultipartUploads(at)).items, []);
  });

  step("UploadManager: a large file goes up in parts, a small one in one piece", async () => {
    const file = path.join(region.folder, "upload.bin");
    const content = crypto.randomBytes(3_500_000);
    fs.writeFileSync(file, content);
    const manager = new os.UploadManager(client, { enforceMD5: true, partSize: 1_000_000, maxConcurrentUploads: 2 });
    const detail = (objectName) => ({ content: { filePath: file }, requestDetails: { ...at, objectName } });
    await manager.upload(detail("managed.bin"));
    const back = await get("managed.bin");
    assert.ok((await bytesOf(back.value)).equals(content));
    await new os.UploadManager(client, { allowMultipartUploads: false }).upload(detail("single.bin"));
    assert.ok((await bytesOf((await get("single.bin")).value)).equals(content));
  });

  step("preauthenticated requests: usable without a signature, until deleted", async () => {
    await put("shared.txt", "for all who have the link");
    const make = (details) => client.createPreauthenticatedRequest({ ...at, createPreauthenticatedRequestDetails: { name: "link", timeExpires: new Date(Date.now() + 3600_000), ...details } });
    const one = (await make({ accessType: "ObjectRead", objectName: "shared.txt" })).preauthenticatedRequest;
    assert.ok(one.accessUri && one.id);
    const plain = await fetch(region.endpoint + one.accessUri);
    assert.equal(plain.status, 200);
    assert.equal(await plain.text(), "for all who have the link");
    assert.equal((await fetch(region.endpoint + one.accessUri, { method: "PUT", body: "no" })).status, 404);
    const writer = (await make({ accessType: "AnyObjectReadWrite", objectName: "drop/", bucketListingAction: "ListObjects" })).preauthenticatedRequest;
    assert.equal((await fetch(`${region.endpoint}${writer.accessUri}drop/one`, { method: "PUT", body: "dropped" })).status, 200);
    assert.equal((await fetch(`${region.endpoint}${writer.accessUri}elsewhere`, { method: "PUT", body: "no" })).status, 404);
    const listed = await (await fetch(region.endpoint + writer.accessUri)).json();
    assert.deepEqual(listed.objects.map((o) => o.name), ["drop/one"]);
    const known = (await client.listPreauthenticatedRequests(at)).items;
    assert.equal(known.length, 2);
    assert.equal(known[0].accessUri, undefined, "the link is shown once");
    assert.equal((await client.getPreauthenticatedRequest({ ...at, parId: one.id })).preauthenticatedRequestSummary.name, "link");
    for (const par of known) await client.deletePreauthenticatedRequest({ ...at, parId: par.id });
    assert.equal((await fetch(region.endpoint + one.accessUri)).status, 404);
  });

  step("versions: kept, listed, read, brought back", async () => {
    const bucket = "contract-versions";
    const there = { namespaceName, bucketName: bucket };
    await client.createBucket({ namespaceName, createBucketDetails: { name: bucket, compartmentId: region.places.compartmentId, versioning: "Enabled" } });
    const write = async (text) => (await client.putObject({ ...there, objectName: "v", putObjectBody: text, contentLength: text.length })).versionId;
    const first = await write("first");
    const second = await write("second!");
    assert.ok(first && second && first !== second);
    const read = async (versionId) => (await bytesOf((await client.getObject({ ...there, objectName: "v", versionId })).value)).toString();
    assert.equal(await read(first), "first");
    assert.equal(await read(undefined), "second!");
    const removed = await client.deleteObject({ ...there, objectName: "v" });
    assert.ok(removed.versionId && ![first, second].includes(removed.versionId), "a delete marker has a version of its own");
    await refused(() => client.getObject({ ...there, objectName: "v" }), 404, "ObjectNotFound");
    const items = (await client.listObjectVersions({ ...there, fields: "name,size,etag,md5,timeCreated,timeModified,storageTier,archivalState" })).objectVersionCollection.items;
    assert.deepEqual(items.map((one) => [one.name, one.isDeleteMarker]), [["v", true], ["v", false], ["v", false]]);
    assert.deepEqual(items.slice(1).map((one) => one.versionId), [second, first]);
    await refused(() => client.deleteBucket(there), 409, "BucketNotEmpty");
    await client.deleteObject({ ...there, objectName: "v", versionId: removed.versionId });
    assert.equal(await read(undefined), "second!");
    for (const versionId of [first, second]) await client.deleteObject({ ...there, objectName: "v", versionId });
    await client.deleteBucket(there);
  });

  step("copy: an object of its own, with a work request for who waits", async () => {
    const write = await client.putObject({ ...at, objectName: "source", putObjectBody: "copied", contentLength: 6, opcMeta: { a: "1" } });
    assert.match(write.versionId, /^[0-9a-f-]{36}$/, "in a bucket without versions too");
    assert.equal((await client.headObject({ ...at, objectName: "source" })).versionId, write.versionId);
    const copyObjectDetails = { sourceObjectName: "source", destinationRegion: "rehearsal", destinationNamespace: namespaceName, destinationBucket: at.bucketName, destinationObjectName: "copy" };
    const { opcWorkRequestId } = await client.copyObject({ ...at, copyObjectDetails });
    assert.equal((await bytesOf((await client.getObject({ ...at, objectName: "copy" })).value)).toString(), "copied");
    const request = (await client.getWorkRequest({ workRequestId: opcWorkRequestId })).workRequest;
    assert.equal(request.operationType, "COPY_OBJECT");
    assert.ok(["ACCEPTED", "IN_PROGRESS", "COMPLETED"].includes(request.status), request.status);
  });

  step("bucket: not while it holds objects, then gone", async () => {
    const full = await refused(() => client.deleteBucket(at), 409, "BucketNotEmpty");
    assert.equal(full.message, "Bucket named 'contract' is not empty. Delete all object versions first.");
    for (const object of (await client.listObjects(at)).listObjects.objects) await client.deleteObject({ ...at, objectName: object.name });
    await client.deleteBucket(at);
    await refused(() => client.getBucket(at), 404, "BucketNotFound");
  });
};
