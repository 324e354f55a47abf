// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/crypto/crypto.h"

namespace lockstep::rehearsal {

/// A fresh RSA key of 2048 bits as makeRsaKey() makes it, in a quarter of the time: its two primes are looked
/// for by two threads, and by the ordinary search of the library, without the proofs that FIPS asks for. For
/// keys that somebody waits for: of the seeded user, whose making decides how long a first start takes, of
/// job runs, of which many may start at once, of further users, and of instances that ask for their
/// certificate. Blocks.
Result<Key> makeQuickRsaKey();

}  // namespace lockstep::rehearsal
