# What follows from the train.yaml. The other files are the same for every cluster.
locals {
  # Names begin with this.
  name = "job-x"

  # In the addresses of a new VCN.
  dns_label = "jobx"

  # TCP ports on which the nodes reach each other.
  tcp_ports = [
    { min = 12346, max = 12346, description = "TensorFlow servers (WORKER_PORT)" },
    { min = 12350, max = 12350, description = "TensorFlow servers (WORKER_PORT)" },
  ]

  # Whether these ports are not enough, and why.
  needs_all_tcp = false

  all_tcp_reason = "All TCP inside the subnet"

  # The work dir: oci://bucket@namespace/prefix.
  bucket_name = "dt-bucket"

  file_namespace = "mytenancy"

  work_dir_prefix = "pre $${fix} %%{if} \"q\"/Größe"

  # Buckets that the job runs read and write.
  buckets = ["dt-bucket"]

  # The image, when it is in Oracle's registry.
  registry = null

  repository_name = null

  image_tag = "latest"

  # Certificates, vault secrets and metric namespaces that the job runs use.
  certificate_kinds = []

  secret_ocids = []

  metric_namespaces = []
}
