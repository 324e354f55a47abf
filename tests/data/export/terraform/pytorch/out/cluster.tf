# What follows from the train.yaml. The other files are the same for every cluster.
locals {
  # Names begin with this.
  name = "resnet-ddp"

  # In the addresses of a new VCN.
  dns_label = "resnetddp"

  # TCP ports on which the nodes reach each other.
  tcp_ports = [
    { min = 29400, max = 29400, description = "rendezvous (MASTER_PORT)" },
  ]

  # Whether these ports are not enough, and why.
  needs_all_tcp = true

  all_tcp_reason = "PyTorch: NCCL and Gloo choose free ports for their data"

  # The work dir: oci://bucket@namespace/prefix.
  bucket_name = "dt-bucket"

  file_namespace = "mytenancy"

  work_dir_prefix = "clusters"

  # Buckets that the job runs read and write.
  buckets = ["dt-bucket", "artifacts-bucket"]

  # The image, when it is in Oracle's registry.
  registry = "iad.ocir.io"

  repository_name = "team/resnet"

  image_tag = "7"

  # Certificates, vault secrets and metric namespaces that the job runs use.
  certificate_kinds = []

  secret_ocids = ["ocid1.vaultsecret.oc1.iad.bbbb"]

  metric_namespaces = []
}
