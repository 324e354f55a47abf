output "train_yaml" {
  description = "Values for the train.yaml: spec.infrastructure.spec, then workDir and image of spec.cluster.spec."
  value = {
    compartmentId = local.compartment_id
    projectId     = local.project_id
    subnetId      = local.subnet_id
    logGroupId    = local.log_group_id
    logId         = oci_logging_log.cluster.id
    workDir       = local.bucket_name == null ? null : "oci://${local.bucket_name}@${local.namespace}/${local.work_dir_prefix}"
    image         = local.repository_name == null ? null : "${coalesce(local.registry, "ocir.${var.region}.oci.oraclecloud.com")}/${local.namespace}/${local.repository_name}:${local.image_tag}"
  }
}

output "ports" {
  description = "TCP ports that must be open inside the subnet."
  value       = local.all_tcp ? ["all"] : [for range in local.tcp_ports : range.min == range.max ? tostring(range.min) : "${range.min}-${range.max}"]
}

output "policy_statements" {
  description = "What the policies grant, or would."
  value       = concat(local.run_statements, local.user_statements, local.network_statements)
}
