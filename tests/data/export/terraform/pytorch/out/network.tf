locals {
  make_subnet   = var.subnet_ocid == null
  make_vcn      = local.make_subnet && var.vcn_ocid == null
  make_gateways = local.make_subnet && (local.make_vcn || var.route_table_ocid == null)

  vcn_id         = local.make_vcn ? oci_core_vcn.cluster[0].id : var.vcn_ocid
  route_table_id = local.make_gateways ? oci_core_route_table.cluster[0].id : var.route_table_ocid
  subnet_id      = local.make_subnet ? oci_core_subnet.cluster[0].id : var.subnet_ocid

  # Policies about the network belong where the network is.
  network_compartment_id = local.make_subnet ? local.compartment_id : data.oci_core_subnet.existing[0].compartment_id

  all_tcp = var.allow_all_tcp_in_subnet == null ? local.needs_all_tcp : var.allow_all_tcp_in_subnet
}

data "oci_core_subnet" "existing" {
  count     = local.make_subnet ? 0 : 1
  subnet_id = var.subnet_ocid
}

# Object Storage, the container registry and Logging are reached without leaving Oracle's network.
data "oci_core_services" "all" {
  filter {
    name   = "name"
    values = ["All .* Services In Oracle Services Network"]
    regex  = true
  }
}

resource "oci_core_vcn" "cluster" {
  count          = local.make_vcn ? 1 : 0
  compartment_id = local.compartment_id
  cidr_blocks    = [var.vcn_cidr]
  display_name   = "${local.name}-vcn"
  dns_label      = local.dns_label
}

resource "oci_core_nat_gateway" "cluster" {
  count          = local.make_gateways ? 1 : 0
  compartment_id = local.compartment_id
  vcn_id         = local.vcn_id
  display_name   = "${local.name}-nat"
}

resource "oci_core_service_gateway" "cluster" {
  count          = local.make_gateways ? 1 : 0
  compartment_id = local.compartment_id
  vcn_id         = local.vcn_id
  display_name   = "${local.name}-services"

  services {
    service_id = data.oci_core_services.all.services[0].id
  }
}

resource "oci_core_route_table" "cluster" {
  count          = local.make_gateways ? 1 : 0
  compartment_id = local.compartment_id
  vcn_id         = local.vcn_id
  display_name   = "${local.name}-routes"

  route_rules {
    description       = "Packages and repositories on the internet"
    destination       = "0.0.0.0/0"
    destination_type  = "CIDR_BLOCK"
    network_entity_id = oci_core_nat_gateway.cluster[0].id
  }

  route_rules {
    description       = "Oracle services"
    destination       = data.oci_core_services.all.services[0].cidr_block
    destination_type  = "SERVICE_CIDR_BLOCK"
    network_entity_id = oci_core_service_gateway.cluster[0].id
  }
}

resource "oci_core_security_list" "cluster" {
  count          = local.make_subnet ? 1 : 0
  compartment_id = local.compartment_id
  vcn_id         = local.vcn_id
  display_name   = "${local.name}-nodes"

  dynamic "ingress_security_rules" {
    for_each = local.tcp_ports

    content {
      description = ingress_security_rules.value.description
      protocol    = "6" # TCP
      source      = var.subnet_cidr
      source_type = "CIDR_BLOCK"

      tcp_options {
        min = ingress_security_rules.value.min
        max = ingress_security_rules.value.max
      }
    }
  }

  dynamic "ingress_security_rules" {
    for_each = local.all_tcp ? [local.all_tcp_reason] : []

    content {
      description = ingress_security_rules.value
      protocol    = "6" # TCP
      source      = var.subnet_cidr
      source_type = "CIDR_BLOCK"
    }
  }

  ingress_security_rules {
    description = "Path MTU discovery"
    protocol    = "1" # ICMP
    source      = "0.0.0.0/0"
    source_type = "CIDR_BLOCK"

    icmp_options {
      type = 3
      code = 4
    }
  }

  egress_security_rules {
    description      = "Images, packages, data, logs and the other nodes"
    protocol         = "all"
    destination      = "0.0.0.0/0"
    destination_type = "CIDR_BLOCK"
  }
}

resource "oci_core_subnet" "cluster" {
  count                      = local.make_subnet ? 1 : 0
  compartment_id             = local.compartment_id
  vcn_id                     = local.vcn_id
  cidr_block                 = var.subnet_cidr
  display_name               = "${local.name}-nodes"
  dns_label                  = local.make_vcn ? local.dns_label : null
  prohibit_public_ip_on_vnic = true
  route_table_id             = local.route_table_id
  security_list_ids          = [oci_core_security_list.cluster[0].id]
}
