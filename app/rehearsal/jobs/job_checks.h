// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/service/body_reader.h"

namespace lockstep::rehearsal {

/// What the service checks of a job before it keeps it (oci-rest-contract 4.5). The first thing wrong is in
/// the reader's refusal, by its whole path: MissingParameter, or InvalidParameter with the reason.

/// The blocks of a CreateJob body: one of each at the top for a job of one node, or node groups.
void checkJobBlocks(BodyReader& body);
/// Those that UpdateJob may change.
void checkJobUpdate(BodyReader& body, bool multiNode);
/// The overrides of a CreateJobRun body.
void checkOverrides(BodyReader& body);

}  // namespace lockstep::rehearsal
