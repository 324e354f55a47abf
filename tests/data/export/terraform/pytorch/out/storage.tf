data "oci_objectstorage_namespace" "tenancy" {
  compartment_id = var.tenancy_ocid
}

locals {
  namespace       = data.oci_objectstorage_namespace.tenancy.namespace
  make_bucket     = var.create_bucket && local.bucket_name != null
  make_repository = var.create_repository && local.repository_name != null
}

# Where the nodes find each other, and where their artifacts go.
resource "oci_objectstorage_bucket" "work_dir" {
  count          = local.make_bucket ? 1 : 0
  compartment_id = local.compartment_id
  namespace      = local.namespace
  name           = local.bucket_name
  access_type    = "NoPublicAccess"
}

resource "oci_artifacts_container_repository" "image" {
  count          = local.make_repository ? 1 : 0
  compartment_id = local.compartment_id
  display_name   = local.repository_name
  is_public      = false
}

check "namespace" {
  assert {
    condition     = local.file_namespace == null || local.file_namespace == local.namespace
    error_message = "The work dir of the train.yaml names another Object Storage namespace than this tenancy has: take workDir from the output 'train_yaml'."
  }
}
