# The smallest set that training works with. Statements name groups by OCID, so they hold in every identity domain.
locals {
  runs    = var.create_policies ? "dynamic-group id ${oci_identity_dynamic_group.runs[0].id}" : "dynamic-group ${local.name}-runs"
  users   = var.user_group_ocid == null ? "" : "group id ${var.user_group_ocid}"
  here    = "compartment id ${local.compartment_id}"
  network = "compartment id ${local.network_compartment_id}"

  run_statements = concat(
    [
      "allow ${local.runs} to read repos in ${local.here}",
      "allow ${local.runs} to use data-science-family in ${local.here}",
      "allow ${local.runs} to use log-groups in ${local.here}",
      "allow ${local.runs} to use log-content in ${local.here}",
    ],
    [for bucket in local.buckets : "allow ${local.runs} to manage objects in ${local.here} where target.bucket.name = '${bucket}'"],
    [for bucket in local.buckets : "allow ${local.runs} to manage buckets in ${local.here} where target.bucket.name = '${bucket}'" if var.allow_manage_buckets],
    [for kind in local.certificate_kinds : "allow ${local.runs} to read ${kind} in ${local.here}"],
    [for secret in local.secret_ocids : "allow ${local.runs} to read secret-bundles in ${local.here} where target.secret.id = '${secret}'"],
    [for space in local.metric_namespaces : "allow ${local.runs} to use metrics in ${local.here} where target.metrics.namespace = '${space}'"],
  )

  user_statements = local.users == "" ? [] : concat(
    [
      "allow ${local.users} to manage repos in ${local.here}",
      "allow ${local.users} to manage data-science-jobs in ${local.here}",
      "allow ${local.users} to manage data-science-job-runs in ${local.here}",
      "allow ${local.users} to read data-science-projects in ${local.here}",
      "allow ${local.users} to manage log-groups in ${local.here}",
      "allow ${local.users} to use log-content in ${local.here}",
      "allow ${local.users} to read metrics in ${local.here}",
    ],
    [for bucket in local.buckets : "allow ${local.users} to manage objects in ${local.here} where target.bucket.name = '${bucket}'"],
    [for bucket in local.buckets : "allow ${local.users} to read buckets in ${local.here} where target.bucket.name = '${bucket}'"],
  )

  network_statements = concat(
    [
      "allow ${local.runs} to use virtual-network-family in ${local.network}",
      "allow service datascience to use virtual-network-family in ${local.network}",
    ],
    [for users in compact([local.users]) : "allow ${users} to use virtual-network-family in ${local.network}"],
  )
}

resource "oci_identity_dynamic_group" "runs" {
  provider       = oci.home
  count          = var.create_policies ? 1 : 0
  compartment_id = var.tenancy_ocid
  name           = "${local.name}-runs"
  description    = "Job runs of distributed training"
  matching_rule  = "ALL {resource.type = 'datasciencejobrun', resource.compartment.id = '${local.compartment_id}'}"
}

resource "oci_identity_policy" "runs" {
  provider       = oci.home
  count          = var.create_policies ? 1 : 0
  compartment_id = local.compartment_id
  name           = "${local.name}-runs"
  description    = "What job runs of distributed training, and the people who launch them, may do"
  statements     = concat(local.run_statements, local.user_statements)
}

resource "oci_identity_policy" "network" {
  provider       = oci.home
  count          = var.create_policies ? 1 : 0
  compartment_id = local.network_compartment_id
  name           = "${local.name}-network"
  description    = "How job runs of distributed training use the network"
  statements     = local.network_statements
}
