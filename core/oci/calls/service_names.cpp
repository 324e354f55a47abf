// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/calls/service_client.h"

namespace lockstep::oci {

const char* toString(Service service) {
  switch (service) {
    case Service::Identity:
      return "Identity";
    case Service::Core:
      return "Networking";
    case Service::ObjectStorage:
      return "Object Storage";
    case Service::DataScience:
      return "Data Science";
    case Service::Logging:
      return "Logging";
    case Service::LoggingSearch:
      return "Logging Search";
    case Service::LoggingIngestion:
      return "Logging Ingestion";
    case Service::Artifacts:
      return "Artifacts";
    case Service::Monitoring:
      return "Monitoring";
    case Service::MonitoringIngestion:
      return "Monitoring Ingestion";
    case Service::Limits:
      return "Limits";
    case Service::Auth:
      return "Authentication";
    case Service::Registry:
      return "Container Registry";
  }
  return "";
}

}  // namespace lockstep::oci
