variable "config_file_profile" {
  description = "Profile of ~/.oci/config that Terraform signs its requests with."
  type        = string
  default     = "DEFAULT"
}

variable "tenancy_ocid" {
  description = "OCID of the tenancy: dynamic groups belong to it."
  type        = string

  validation {
    condition     = can(regex("^ocid1\\.tenancy\\.[a-z0-9]+\\.[a-z0-9-]*\\.[a-z0-9]+$", var.tenancy_ocid))
    error_message = "This is not the OCID of a tenancy, which begins with ocid1.tenancy."
  }
}

variable "region" {
  description = "Region that the training runs in, such as us-ashburn-1."
  type        = string

  validation {
    condition     = can(regex("^[a-z]{2,}(-[a-z0-9]+)+-[0-9]+$", var.region))
    error_message = "This is not the identifier of a region, such as us-ashburn-1."
  }
}

variable "home_region" {
  description = "Home region of the tenancy when it is another one: IAM is changed there."
  type        = string
  default     = null
}

variable "compartment_ocid" {
  description = "Compartment to put everything into. Null: a new one, compartment_name below parent_compartment_ocid."
  type        = string
  default     = null
}

variable "parent_compartment_ocid" {
  description = "Where a new compartment is made. Null: in the tenancy's root."
  type        = string
  default     = null
}

variable "compartment_name" {
  description = "Name of a new compartment. Null: that of the cluster."
  type        = string
  default     = null
}

variable "project_ocid" {
  description = "Data Science project to use. Null: a new one."
  type        = string
  default     = null
}

variable "subnet_ocid" {
  description = "Subnet to use. Null: a new one. An existing one must let in the ports of the output 'ports' from its own CIDR."
  type        = string
  default     = null
}

variable "vcn_ocid" {
  description = "VCN in which a new subnet is made. Null: a new one."
  type        = string
  default     = null
}

variable "route_table_ocid" {
  description = "Route table for a new subnet in an existing VCN which has its gateways already. Null: new gateways and a new table."
  type        = string
  default     = null
}

variable "vcn_cidr" {
  description = "Addresses of a new VCN."
  type        = string
  default     = "10.0.0.0/16"

  validation {
    condition     = can(cidrhost(var.vcn_cidr, 0))
    error_message = "This is not a CIDR such as 10.0.0.0/16."
  }
}

variable "subnet_cidr" {
  description = "Addresses of a new subnet, inside the VCN. Every node takes one."
  type        = string
  default     = "10.0.1.0/24"

  validation {
    condition     = can(cidrhost(var.subnet_cidr, 0))
    error_message = "This is not a CIDR such as 10.0.1.0/24."
  }
}

variable "allow_all_tcp_in_subnet" {
  description = "Let the nodes reach each other on every TCP port, not on the named ones only. Null: as the framework needs it."
  type        = bool
  default     = null
}

variable "create_bucket" {
  description = "Make the bucket of the work dir. False: it exists, in the same compartment."
  type        = bool
  default     = true
}

variable "create_repository" {
  description = "Make the container repository. False: it exists, in the same compartment."
  type        = bool
  default     = true
}

variable "log_group_ocid" {
  description = "Log group to use, in the same compartment. Null: a new one."
  type        = string
  default     = null
}

variable "log_retention_days" {
  description = "Days that a new log keeps its lines: 30, 60, 90, 120, 150 or 180."
  type        = number
  default     = 30

  validation {
    condition     = contains([30, 60, 90, 120, 150, 180], var.log_retention_days)
    error_message = "A log keeps its lines for 30, 60, 90, 120, 150 or 180 days."
  }
}

variable "create_policies" {
  description = "Make the dynamic group and the policies. False: an administrator has done so."
  type        = bool
  default     = true
}

variable "user_group_ocid" {
  description = "Group of the people who launch and watch runs. Null: they have their rights already."
  type        = string
  default     = null
}

variable "allow_manage_buckets" {
  description = "Let job runs manage buckets too. One of the guides asks for it for the sync of artifacts; objects suffice in an existing bucket."
  type        = bool
  default     = false
}
