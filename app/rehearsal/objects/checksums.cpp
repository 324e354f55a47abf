// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/objects/checksums.h"

#include <openssl/evp.h>

#include "base/digest.h"
#include "base/text/encoding.h"

namespace lockstep::rehearsal {
namespace {

std::string sha384(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha384(), nullptr);
  return {reinterpret_cast<const char*>(digest), size};
}

// Four bytes, the highest first.
std::string crcBytes(std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  std::string raw;
  for (int shift = 24; shift >= 0; shift -= 8) raw += static_cast<char>(crc >> shift & 0xff);
  return raw;
}

struct Sum {
  const char* algorithm;
  const char* header;
  std::string (*compute)(std::string_view);
};

const Sum kSums[] = {{"CRC32C", "opc-content-crc32c", crcBytes},
                     {"SHA256", "opc-content-sha256", sha256},
                     {"SHA384", "opc-content-sha384", sha384}};

}  // namespace

tl::expected<nlohmann::json, ServiceError> checkedSums(const Call& call) {
  nlohmann::json headers = nlohmann::json::object();
  const auto asked = call.header("opc-checksum-algorithm");
  bool isKnown = !asked;
  for (const Sum& sum : kSums) {
    const auto claimed = call.header(sum.header);
    const bool isAsked = asked == sum.algorithm;
    isKnown = isKnown || isAsked;
    if (!claimed && !isAsked) continue;
    const std::string actual = toBase64(sum.compute(call.request.bytes()));
    if (claimed && *claimed != actual)
      return refuse(400, std::string("UnmatchedContent") + sum.algorithm,
                    std::string("The computed ") + sum.algorithm + " of the request body (" + actual +
                        ") does not match the " + sum.header + " header (" + *claimed + ")");
    headers[sum.header] = actual;
  }
  if (!isKnown)
    return invalidParameter("The header 'opc-checksum-algorithm' must be CRC32C, SHA256 or SHA384.");
  return headers;
}

}  // namespace lockstep::rehearsal
