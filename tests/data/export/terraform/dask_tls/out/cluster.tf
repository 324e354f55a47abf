# What follows from the train.yaml. The other files are the same for every cluster.
locals {
  # Names begin with this.
  name = "grid-search"

  # In the addresses of a new VCN.
  dns_label = "gridsearch"

  # TCP ports on which the nodes reach each other.
  tcp_ports = [
    { min = 3000, max = 3100, description = "Dask nannies (--nanny-port)" },
    { min = 8700, max = 8800, description = "Dask workers (--worker-port)" },
    { min = 8790, max = 8790, description = "Dask scheduler" },
    { min = 8791, max = 8791, description = "Dask dashboard" },
  ]

  # Whether these ports are not enough, and why.
  needs_all_tcp = false

  all_tcp_reason = "All TCP inside the subnet"

  # The work dir: oci://bucket@namespace/prefix.
  bucket_name = "dt-bucket"

  file_namespace = "mytenancy"

  work_dir_prefix = "dask"

  # Buckets that the job runs read and write.
  buckets = ["dt-bucket"]

  # The image, when it is in Oracle's registry.
  registry = "iad.ocir.io"

  repository_name = "dask"

  image_tag = "1"

  # Certificates, vault secrets and metric namespaces that the job runs use.
  certificate_kinds = ["leaf-certificate-bundles", "certificate-authority-bundles"]

  secret_ocids = []

  metric_namespaces = []
}
