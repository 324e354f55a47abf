// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/crypto/quick_rsa_key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

#include <future>

namespace lockstep::rehearsal {
namespace {

using Number = std::unique_ptr<BIGNUM, decltype(&BN_clear_free)>;
using Workspace = std::unique_ptr<BN_CTX, decltype(&BN_CTX_free)>;

constexpr int kPrimeBits = 1024;
constexpr unsigned long kExponent = 65537;

Number number() {
  return {BN_secure_new(), BN_clear_free};
}

// With its two highest bits set, so that the product of two has all its bits; and fit for the exponent.
Number makePrime() {
  const Workspace work(BN_CTX_secure_new(), BN_CTX_free);
  Number prime = number();
  if (!work || !prime) return {nullptr, BN_clear_free};
  do {
    if (BN_generate_prime_ex2(prime.get(), kPrimeBits, 0, nullptr, nullptr, nullptr, work.get()) != 1)
      return {nullptr, BN_clear_free};
  } while (BN_mod_word(prime.get(), kExponent) == 1);
  return prime;
}

struct Parts {
  Number n = number(), e = number(), d = number(), p = number(), q = number();
  Number dp = number(), dq = number(), qInverse = number();
};

bool completeParts(Parts& k, BN_CTX* work) {
  const Number p1 = number(), q1 = number(), product = number(), common = number(), lcm = number();
  if (BN_cmp(k.p.get(), k.q.get()) < 0) k.p.swap(k.q);
  return BN_cmp(k.p.get(), k.q.get()) != 0 && BN_set_word(k.e.get(), kExponent) == 1 &&
         BN_mul(k.n.get(), k.p.get(), k.q.get(), work) == 1 &&
         BN_sub(p1.get(), k.p.get(), BN_value_one()) == 1 &&
         BN_sub(q1.get(), k.q.get(), BN_value_one()) == 1 &&
         BN_mul(product.get(), p1.get(), q1.get(), work) == 1 &&
         BN_gcd(common.get(), p1.get(), q1.get(), work) == 1 &&
         BN_div(lcm.get(), nullptr, product.get(), common.get(), work) == 1 &&
         BN_mod_inverse(k.d.get(), k.e.get(), lcm.get(), work) != nullptr &&
         BN_mod(k.dp.get(), k.d.get(), p1.get(), work) == 1 &&
         BN_mod(k.dq.get(), k.d.get(), q1.get(), work) == 1 &&
         BN_mod_inverse(k.qInverse.get(), k.q.get(), k.p.get(), work) != nullptr;
}

Key keyOf(const Parts& k) {
  const std::unique_ptr<OSSL_PARAM_BLD, decltype(&OSSL_PARAM_BLD_free)> build(OSSL_PARAM_BLD_new(),
                                                                              OSSL_PARAM_BLD_free);
  const auto push = [&](const char* name, const Number& value) {
    return OSSL_PARAM_BLD_push_BN(build.get(), name, value.get()) == 1;
  };
  if (!build || !push(OSSL_PKEY_PARAM_RSA_N, k.n) || !push(OSSL_PKEY_PARAM_RSA_E, k.e) ||
      !push(OSSL_PKEY_PARAM_RSA_D, k.d) || !push(OSSL_PKEY_PARAM_RSA_FACTOR1, k.p) ||
      !push(OSSL_PKEY_PARAM_RSA_FACTOR2, k.q) || !push(OSSL_PKEY_PARAM_RSA_EXPONENT1, k.dp) ||
      !push(OSSL_PKEY_PARAM_RSA_EXPONENT2, k.dq) || !push(OSSL_PKEY_PARAM_RSA_COEFFICIENT1, k.qInverse))
    return nullptr;
  OSSL_PARAM* parameters = OSSL_PARAM_BLD_to_param(build.get());
  const std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> context(
      EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr), EVP_PKEY_CTX_free);
  EVP_PKEY* key = nullptr;
  if (parameters != nullptr && context && EVP_PKEY_fromdata_init(context.get()) == 1)
    EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_KEYPAIR, parameters);
  OSSL_PARAM_free(parameters);
  return {key, EVP_PKEY_free};
}

}  // namespace

Result<Key> makeQuickRsaKey() {
  Parts parts;
  auto other = std::async(std::launch::async, makePrime);
  parts.p = makePrime();
  parts.q = other.get();
  const Workspace work(BN_CTX_secure_new(), BN_CTX_free);
  if (!parts.p || !parts.q || !work || !completeParts(parts, work.get())) return makeRsaKey();
  Key key = keyOf(parts);
  return key ? Result<Key>(key) : makeRsaKey();
}

}  // namespace lockstep::rehearsal
