#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes cases/*.json: requests with the signing string and the signature that they must have.

A path apart from our signer: the strings are put together here from the written rules (oci-rest-contract 1.1), the
signatures come from `openssl dgst -sha256 -sign`. To make them anew, in this folder:

    ./make_cases.py            # writes; says what has changed
    ./make_cases.py --check    # writes nothing; fails when a file is not what would be written

test_key.pem was made for these tests (openssl genrsa -traditional 2048) and belongs to nobody;
published_sample.pem is the sample of OCI's documentation.
"""
import base64
import hashlib
import json
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
TENANCY = "ocid1.tenancy.oc1..aaaaaaaalockstep"
KEY_ID = TENANCY + "/ocid1.user.oc1..aaaaaaaalockstep/b1:23:02:0b:3e:3d:c2:08:8d:da:78:8e:3e:f6:c0:a4"
DATE = "Fri, 20 Nov 2026 22:00:00 GMT"
EMPTY_HASH = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
BODY_METHODS = ("POST", "PUT", "PATCH")
EXTRAS = ("opc-obo-token", "x-cross-tenancy-request", "x-subscription")
OBJECTS = "https://objectstorage.us-ashburn-1.oraclecloud.com/n/ns/b/bucket/o/"
JOBS = "https://datascience.us-ashburn-1.oci.oraclecloud.com/20190101/"
API = "https://identity.us-ashburn-1.oci.oraclecloud.com/20160918/"

CASES = []


def case(name, why, method, url, target, host, body=b"", headers=(), signing="signed", date_header="date", date=DATE,
         key_id=KEY_ID, key="test_key.pem", source=False, content_type=None):
    """`target` and `host` are written out by hand, so that no URL parser of ours or of Python's decides them."""
    CASES.append(dict(name=name, why=why, method=method, url=url, target=target, host=host, body=body,
                      headers=list(headers), signing=signing, dateHeader=date_header, date=date, keyId=key_id, key=key,
                      source=source, contentType=content_type))


def get(name, why, target, host="identity.us-ashburn-1.oci.oraclecloud.com", scheme="https", **more):
    case(name, why, "GET", scheme + "://" + host + target, target, host, **more)


def send(name, why, method, body=b"{}", path="policies", **more):
    case(name, why, method, API + path, "/20160918/" + path, "identity.us-ashburn-1.oci.oraclecloud.com", body, **more)


def upload(name, why, method, target, body, host="objectstorage.us-ashburn-1.oraclecloud.com", **more):
    more.setdefault("signing", "excluded")
    case(name, why, method, "https://" + host + target, target, host, body, **more)


def describe_cases():
    # --- the target, exactly as on the request line
    get("get", "the plainest request there is", "/20160918/tenancies/" + TENANCY)
    case("no-path", "a URL without a path asks for /", "GET", "https://h.example", "/", "h.example")
    case("no-path-but-query", "the same with a query", "GET", "https://h.example?x=1", "/?x=1", "h.example")
    get("root", "the root", "/")
    get("empty-query", "an empty query keeps its question mark", "/20160918/users?")
    get("query-escape-upper", "hex digits in upper case", "/20160918/instances?availabilityDomain=Pjwf%3A%20PHX-AD-1")
    get("query-escape-lower", "hex digits in lower case stay so", "/20160918/instances?availabilityDomain=Pjwf%3a%20x")
    get("query-escape-mixed", "hex digits in mixed case", "/20160918/x?q=%c3%A9%2f%2F")
    get("query-plus", "a plus is a plus", "/20160918/users?name=a+b")
    get("query-blank", "a blank", "/20160918/users?name=a%20b")
    get("query-order", "parameters are not sorted", "/20160918/users?z=1&a=2&m=3")
    get("query-twice", "the same parameter twice", "/20160918/users?lifecycleState=A&lifecycleState=B&lifecycleState=A")
    get("query-slash-raw", "a slash in a value, raw", "/n/ns/b/bucket/o?prefix=a/b/")
    get("query-slash-escaped", "a slash in a value, escaped", "/n/ns/b/bucket/o?prefix=a%2Fb%2F")
    get("query-without-value", "a parameter without a value", "/20160918/users?flag&other=")
    get("query-equals", "equals signs in a value", "/20160918/users?page=AAAA==&x=a=b")
    get("query-ampersand-escaped", "an escaped ampersand", "/20160918/users?name=a%26b")
    get("query-utf8", "a letter outside ASCII, escaped", "/20160918/users?name=%C3%A9t%C3%A9")
    get("query-question-mark", "a question mark in the query", "/20160918/users?name=why?&x=??")
    get("query-reserved", "characters that some libraries escape", "/20160918/users?q=!$'()*,;:@~-._")
    get("query-page-token", "a page token as services make them",
        "/20190101/jobRuns?compartmentId=ocid1.compartment.oc1..aaaa&limit=1000&page=eyJvIjoxfQ%3D%3D")
    get("query-long", "a long query", "/20160918/users?q=" + "0123456789abcdef" * 200)
    get("path-dots", "dots are not resolved", "/a/../b/./c/..")
    get("path-double-slash", "slashes are not merged", "//two///three")
    get("path-trailing-slash", "a slash at the end", "/n/")
    get("path-object-slash-raw", "an object's name with raw slashes", "/n/ns/b/bucket/o/dir/sub/file.txt")
    get("path-object-slash-escaped", "with escaped slashes, as TypeScript sends it", "/n/ns/b/bucket/o/dir%2Fsub%2Ffile")
    get("path-object-dot-dot", "an object called ..", "/n/ns/b/bucket/o/..")
    get("path-object-dot", "an object called .", "/n/ns/b/bucket/o/.")
    get("path-quote-raw", "an apostrophe, raw", "/n/ns/b/bucket/o/it's")
    get("path-quote-escaped", "an apostrophe, escaped", "/n/ns/b/bucket/o/it%27s")
    get("path-percent", "a percent sign in a name", "/n/ns/b/bucket/o/100%25")
    get("path-percent-bare", "a percent sign that begins no escape", "/n/ns/b/bucket/o/100%")
    get("path-plus", "plus signs, raw and escaped", "/n/ns/b/bucket/o/a+b%2Bc")
    get("path-unreserved-escaped", "escapes that were not needed stay", "/n/ns/b/bucket/o/%7E%61%2D%5F~a-_")
    get("path-reserved", "everything that a path may hold", "/20160918/x;v=1,2/a:b@c=d&e!f$g(h)*i")
    get("path-utf8", "letters of several alphabets", "/n/ns/b/bucket/o/%C3%A9%E6%97%A5%F0%9F%98%80")
    get("path-long", "a name of 1024 bytes", "/n/ns/b/bucket/o/" + "n" * 1024)
    get("path-domain-name", "a colon, as availability domains have them", "/20160918/x/Uocm:PHX-AD-1")
    case("fragment", "a fragment never leaves the machine", "GET", "https://h.example/x?y=1#z", "/x?y=1", "h.example")

    # --- the host
    get("host-port", "a port that is not the default", "/x", "127.0.0.1:18080", "http")
    get("host-name-port", "a name with a port", "/x", "localhost:18080", "http")
    get("host-ipv6-port", "IPv6 with a port", "/x", "[::1]:8080", "http")
    get("host-ipv6", "IPv6 without a port", "/x", "[fd00:c1::a9fe:a9fe]", "http")
    get("host-https-80", "80 is not the port of https", "/x", "h.example:80")
    get("host-http-443", "443 is not the port of http", "/x", "h.example:443", "http")
    case("host-https-443", "the default port of https is left out", "GET", "https://h.example:443/x", "/x", "h.example")
    case("host-http-80", "the default port of http is left out", "GET", "http://h.example:80/x", "/x", "h.example")
    case("host-ipv6-443", "also behind IPv6", "GET", "https://[::1]:443/x", "/x", "[::1]")
    get("host-upper-case", "the case of the host is kept", "/x", "ObjectStorage.US-Ashburn-1.OracleCloud.com")
    get("host-government", "another realm", "/n", "objectstorage.us-gov-ashburn-1.oraclegovcloud.com")

    # --- methods
    case("head", "HEAD signs as GET does", "HEAD", OBJECTS + "x", "/n/ns/b/bucket/o/x",
         "objectstorage.us-ashburn-1.oraclecloud.com")
    case("delete", "DELETE signs as GET does", "DELETE", JOBS + "jobRuns/j", "/20190101/jobRuns/j",
         "datascience.us-ashburn-1.oci.oraclecloud.com", headers=[("if-match", "etag-1")])
    case("get-with-unsigned-headers", "what nobody asks to sign is not signed", "GET", JOBS + "jobs/j",
         "/20190101/jobs/j", "datascience.us-ashburn-1.oci.oraclecloud.com",
         headers=[("opc-request-id", "0123"), ("accept", "*/*"), ("range", "bytes=0-5")])
    send("post", "a create", "POST", b'{"compartmentId":"c","name":"p"}', headers=[("opc-retry-token", "t0")])
    send("put", "an update", "PUT", b'{"statements":["Allow group g to read buckets in tenancy"]}', path="policies/p",
         headers=[("if-match", "e")])
    send("patch", "a patch", "PATCH", b'[{"op":"add"}]', path="policies/p")
    send("post-query", "a body and a query", "POST", path="x/actions/summarize?compartmentId=c&compartmentIdInSubtree=true")

    # --- bodies
    send("post-empty", "no body at all is hashed as well", "POST", b"", path="jobRuns/j/actions/cancelJobRun")
    send("put-empty", "PUT without a body", "PUT", b"")
    send("patch-empty", "PATCH without a body", "PATCH", b"")
    send("body-one-byte", "the smallest body", "POST", b"x")
    send("body-utf8", "bytes are counted, not characters", "POST", '{"name":"Größe ☃ 日本 😀"}'.encode())
    send("body-crlf", "line ends stay as they are", "POST", b'{\r\n  "a": 1\r\n}\r\n')
    send("body-final-newline", "a newline at the end belongs to it", "POST", b"{}\n")
    send("body-every-byte", "a body that is no text", "POST", bytes(range(256)), content_type="application/octet-stream",
         headers=[("content-type", "application/octet-stream")])
    send("body-nul", "NUL does not end it", "POST", b"a\0b\0")
    send("body-large", "more than one buffer", "POST", b"0123456789abcdef" * 4097)
    send("content-type-charset", "parameters of the type are signed", "POST", b'{"a":"\xc3\xa9"}',
         content_type="application/json; charset=utf-8", headers=[("content-type", "application/json; charset=utf-8")])
    send("content-type-text", "another type", "POST", b"hello", content_type="text/plain",
         headers=[("Content-Type", "text/plain")])
    send("content-type-boundary", "a type with a quoted parameter", "POST", b"--b--",
         content_type='multipart/form-data; boundary="b b"',
         headers=[("CONTENT-TYPE", 'multipart/form-data; boundary="b b"')])
    send("content-type-blanks", "blanks around a value are not part of it", "POST", content_type="application/json",
         headers=[("content-type", " \tapplication/json ")])
    send("stale-length", "a length that was there is replaced", "POST", b"{}", headers=[("Content-Length", "99")])
    send("stale-hash", "a hash that was there is replaced", "POST", b"{}", headers=[("X-Content-SHA256", EMPTY_HASH)])
    send("stale-authorization", "an old signature is replaced", "POST", b"{}",
         headers=[("Authorization", 'Signature version="1"'), ("Host", "elsewhere.example")])
    send("source-signed", "a streamed body is read through to be hashed", "POST", b"s" * 70000, source=True)
    send("source-empty-signed", "a streamed body of no bytes", "PUT", b"", source=True)

    # --- bodies that the signature leaves out
    octets = "application/octet-stream"
    upload("put-object", "the body of an object is not signed", "PUT", "/n/ns/b/bucket/o/x", b"bytes", content_type=octets)
    upload("put-object-empty", "an empty object", "PUT", "/n/ns/b/bucket/o/empty", b"", content_type=octets)
    upload("put-object-source", "an object that is streamed", "PUT", "/n/ns/b/bucket/o/large", b"l" * 70000,
           content_type=octets, source=True)
    upload("put-object-headers", "none of an object's headers is signed", "PUT", "/n/ns/b/bucket/o/a%20b", b"x",
           content_type="text/csv", headers=[("content-type", "text/csv"), ("content-md5", "nd0G3ldpCyLkBNBmRGOEnA=="),
                                             ("if-none-match", "*"), ("opc-meta-epoch", "3")])
    upload("upload-part", "a part of an object", "PUT", "/n/ns/b/bucket/u/x?uploadId=u%2F1&uploadPartNum=10000", b"part",
           content_type=octets)
    upload("job-artifact", "the artifact of a job", "POST", "/20190101/jobs/j/artifact", b"PK\3\4", content_type=octets,
           host="datascience.us-ashburn-1.oci.oraclecloud.com",
           headers=[("content-disposition", "attachment; filename=a.zip")])
    upload("put-object-signed", "signing it all the same is allowed", "PUT", "/n/ns/b/bucket/o/x", b"bytes",
           signing="signed", content_type=octets, headers=[("content-type", octets)])
    upload("put-object-source-signed", "also when it is streamed", "PUT", "/n/ns/b/bucket/o/x", b"\xff" * 65536,
           signing="signed", content_type=octets, headers=[("content-type", octets)], source=True)

    # --- headers that are signed when they are there
    get("obo-token", "a delegation token", "/x", headers=[("opc-obo-token", "eyJ.abc.def")])
    get("cross-tenancy", "another tenancy", "/x", headers=[("x-cross-tenancy-request", "ocid1.tenancy.oc1..other")])
    get("subscription", "a subscription", "/x", headers=[("x-subscription", "ocid1.sub.oc1..s")])
    get("extra-upper-case", "in any case", "/x", headers=[("Opc-OBO-Token", "Tok"), ("X-Subscription", "S")])
    get("extra-blanks", "blanks around the value", "/x", headers=[("x-subscription", "  s s\t")])
    send("extra-all-post", "all of them, behind those of the body", "POST",
         headers=[("x-subscription", "s"), ("opc-obo-token", "t"), ("x-cross-tenancy-request", "c")])
    upload("extra-put-object", "with a body that is left out", "PUT", "/n/ns/b/bucket/o/x", b"x", content_type=octets,
           headers=[("opc-obo-token", "t")])

    # --- dates
    get("x-date", "x-date in place of date", "/x", date_header="x-date")
    send("x-date-post", "with a body", "POST", b'{"a":1}', date_header="x-date")
    upload("x-date-put-object", "with a body that is left out", "PUT", "/n/ns/b/bucket/o/x", b"x", content_type=octets,
           date_header="x-date")
    get("date-single-digit", "days have two digits", "/x", date="Mon, 05 Jan 2026 01:02:03 GMT")
    get("date-leap-day", "a leap day", "/x", date="Tue, 29 Feb 2028 23:59:59 GMT")
    get("date-year-end", "the last second of a year", "/x", date="Thu, 31 Dec 2026 23:59:59 GMT")
    get("date-wrong-weekday", "a weekday that is not true is nobody's business", "/x",
        date="Mon, 20 Nov 2026 22:00:00 GMT", headers=[("date", "Mon, 20 Nov 2026 22:00:00 GMT")])

    # --- who signs
    get("session-token", "the key id of a token", "/x", key_id="ST$eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJqIn0.c2ln")
    get("federation", "the key id of a certificate", "/v1/x509",
        key_id=TENANCY + "/fed-x509-sha256/" + ":".join(["ab"] * 32))
    send("session-token-post", "a token with a body", "POST", b"", key_id="ST$a.b.c")

    # --- the published sample
    vectors = json.loads((FOLDER / "vectors.json").read_text())
    for vector in vectors["vectors"]:
        target = vector["url"].split("oraclecloud.com", 1)[1]
        case("published-" + vector["name"], "the sample of the documentation", vector["method"], vector["url"], target,
             "iaas.us-phoenix-1.oraclecloud.com", vector["body"].encode(), key_id=vectors["keyId"],
             key="published_sample.pem", date=vectors["date"], headers=[("date", vectors["date"])])
        CASES[-1]["published"] = vector["signature"]


def sign(text, key):
    done = subprocess.run(["openssl", "dgst", "-sha256", "-sign", str(FOLDER / key)], input=text.encode(),
                          capture_output=True, check=True)
    return base64.b64encode(done.stdout).decode()


def finished(spec):
    values = {name.lower(): value.strip(" \t") for name, value in spec["headers"]}
    values["host"] = spec["host"]
    values[spec["dateHeader"]] = spec["date"]
    names = [spec["dateHeader"], "(request-target)", "host"]
    if spec["method"] in BODY_METHODS:
        values["content-length"] = str(len(spec["body"]))
        values["content-type"] = spec["contentType"] or "application/json"
        if spec["signing"] == "signed":
            values["x-content-sha256"] = base64.b64encode(hashlib.sha256(spec["body"]).digest()).decode()
            names += ["content-length", "content-type", "x-content-sha256"]
    names += [name for name in EXTRAS if name in values]
    values["(request-target)"] = spec["method"].lower() + " " + spec["target"]
    text = "\n".join(name + ": " + values[name] for name in names)
    signature = sign(text, spec["key"])
    if "published" in spec and spec["published"] != signature:
        sys.exit(spec["name"] + ": not the published signature")
    sent = {name: values[name] for name in ("content-type", "content-length") if name in values}
    document = {name: spec[name] for name in ("name", "why", "method", "url", "headers", "key", "keyId", "date",
                                              "dateHeader", "signing", "source")}
    try:
        document["body"] = spec["body"].decode()
    except UnicodeDecodeError:
        document["bodyBase64"] = base64.b64encode(spec["body"]).decode()
    document["expected"] = {"headers": " ".join(names), "signingString": text, "signature": signature, "sent": sent}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def main():
    check = sys.argv[1:] == ["--check"]
    describe_cases()
    folder = FOLDER / "cases"
    wanted = {spec["name"] + ".json": finished(spec) for spec in CASES}
    if len(wanted) != len(CASES):
        sys.exit("two cases have the same name")
    present = {path.name: path.read_text() for path in folder.glob("*.json")}
    changed = sorted(name for name in wanted.keys() | present.keys() if wanted.get(name) != present.get(name))
    for name in changed:
        print("differs:" if check else "written:" if name in wanted else "removed:", name)
        if check:
            continue
        if name in wanted:
            (folder / name).write_text(wanted[name])
        else:
            (folder / name).unlink()
    print(len(wanted), "cases")
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
