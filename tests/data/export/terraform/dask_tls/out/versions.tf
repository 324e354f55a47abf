terraform {
  required_version = ">= 1.5"

  required_providers {
    oci = {
      source  = "oracle/oci"
      version = ">= 5.0"
    }
  }
}

# The key and the user come from this profile of ~/.oci/config: no secret stands in these files.
provider "oci" {
  config_file_profile = var.config_file_profile
  region              = var.region
}

# Dynamic groups and policies can only be changed in the tenancy's home region.
provider "oci" {
  alias               = "home"
  config_file_profile = var.config_file_profile
  region              = var.home_region == null ? var.region : var.home_region
}
