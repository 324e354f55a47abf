// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "rehearsal/api/router.h"
#include "rehearsal/iam/tokens.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

/// What a rehearsal needs and OCI has no call for:
///   POST /rehearsal/tenancies  {name, homeRegionKey?, administrator?{name?, publicKey?}}
///        a tenancy with its group Administrators, its policy and one administrator
///   POST /rehearsal/users      {name, tenancyId?, groups?[names], publicKey?}
///        a user; groups that do not exist are made
///   POST /rehearsal/sessions   {userId?, publicKey?, minutes? 5..60}
///        a session token, as `oci session authenticate` gets one
///   POST /rehearsal/instances  {compartmentId, displayName?, definedTags?}
///        an instance, whose metadata service answers at "metadataPath"
///   GET  /rehearsal/iam/explain?operation=&compartmentId=&principal=&<variable>=<value>…
///        whether a principal may do that, by which statement, or why not
///   GET  /rehearsal/iam/operations
///        every operation of the region and the permissions it needs; null: none knows, so nobody may
/// Without publicKey the region makes the key pair and answers the private half, once.
void addIdentityAdmin(Router& admin, Database& database, const TokenIssuer& tokens, const Router& services);

}  // namespace lockstep::rehearsal
