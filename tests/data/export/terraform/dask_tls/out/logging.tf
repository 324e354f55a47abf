resource "oci_logging_log_group" "cluster" {
  count          = var.log_group_ocid == null ? 1 : 0
  compartment_id = local.compartment_id
  display_name   = local.name
  description    = "Output of the nodes of distributed training"
}

locals {
  log_group_id = var.log_group_ocid == null ? oci_logging_log_group.cluster[0].id : var.log_group_ocid
}

resource "oci_logging_log" "cluster" {
  display_name       = local.name
  log_group_id       = local.log_group_id
  log_type           = "CUSTOM"
  is_enabled         = true
  retention_duration = var.log_retention_days
}
