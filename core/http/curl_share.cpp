// SPDX-License-Identifier: GPL-3.0-or-later
#include "http/curl_share.h"

namespace lockstep {

CurlShare::CurlShare() : share_(curl_share_init()) {
  if (share_ == nullptr) return;
  curl_share_setopt(share_, CURLSHOPT_LOCKFUNC, &lock);
  curl_share_setopt(share_, CURLSHOPT_UNLOCKFUNC, &unlock);
  curl_share_setopt(share_, CURLSHOPT_USERDATA, this);
  curl_share_setopt(share_, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS);
  curl_share_setopt(share_, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
}

CurlShare::~CurlShare() {
  if (share_ != nullptr) curl_share_cleanup(share_);
}

void CurlShare::lock(CURL* /*easy*/, curl_lock_data data, curl_lock_access /*access*/, void* self) {
  static_cast<CurlShare*>(self)->mutexes_.at(data).lock();
}

void CurlShare::unlock(CURL* /*easy*/, curl_lock_data data, void* self) {
  static_cast<CurlShare*>(self)->mutexes_.at(data).unlock();
}

}  // namespace lockstep
