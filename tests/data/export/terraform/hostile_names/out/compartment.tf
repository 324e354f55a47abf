locals {
  make_compartment = var.compartment_ocid == null
  compartment_id   = local.make_compartment ? oci_identity_compartment.cluster[0].id : var.compartment_ocid
}

resource "oci_identity_compartment" "cluster" {
  provider       = oci.home
  count          = local.make_compartment ? 1 : 0
  compartment_id = var.parent_compartment_ocid == null ? var.tenancy_ocid : var.parent_compartment_ocid
  name           = var.compartment_name == null ? local.name : var.compartment_name
  description    = "Distributed training"
}

resource "oci_datascience_project" "cluster" {
  count          = var.project_ocid == null ? 1 : 0
  compartment_id = local.compartment_id
  display_name   = local.name
}

locals {
  project_id = var.project_ocid == null ? oci_datascience_project.cluster[0].id : var.project_ocid
}
