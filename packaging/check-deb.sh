#!/usr/bin/env bash
# Proves the Debian packages on a bare Debian 12: debootstrap a minimal system, install the .deb files with nothing but
# their own dependencies, start every program, and draw a page of the desktop. Needs root, debootstrap and a mirror.
#   packaging/check-deb.sh build/release/lockstep_0.1.0_amd64.deb [build/release/lockstep-trainer_0.1.0_amd64.deb]
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: $0 FILE.deb…" >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || { echo "must run as root (chroot)" >&2; exit 2; }
command -v debootstrap >/dev/null || apt-get install -y -qq --no-install-recommends debootstrap

work=$(mktemp -d)
root=$work/root
cleanup() { umount "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"; }
trap cleanup EXIT

debootstrap --variant=minbase bookworm "$root" >"$work/debootstrap.log" 2>&1 || { tail "$work/debootstrap.log"; exit 1; }
cp -a /etc/apt/. "$root/etc/apt/"
cp /etc/resolv.conf "$root/etc/resolv.conf"
mount -t proc proc "$root/proc"
for deb in "$@"; do cp "$deb" "$root/tmp/"; done
inside() { chroot "$root" env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

inside apt-get update -qq
inside sh -c 'apt-get install -y -qq --no-install-recommends /tmp/*.deb' >"$work/install.log" 2>&1 || { tail -20 "$work/install.log"; exit 1; }
for program in "$root"/usr/bin/lockstep*; do
  dynamic=$(readelf -dW "$program")
  grep -q 'FLAGS_1.*NOW.*PIE' <<<"$dynamic" || { echo "error: ${program##*/} is not hardened: no PIE, or no BIND_NOW" >&2; exit 1; }
done
inside lockstep --version
inside lockstep plan /usr/share/lockstep/starter/pytorch-cpp/train.yaml >/dev/null
inside lockstep-desktop --screenshot /tmp/shots --page clusters
inside sh -c 'ls -l /tmp/shots/*.png'
inside apt-get install -y -qq --no-install-recommends shared-mime-info desktop-file-utils >>"$work/install.log" 2>&1
inside update-mime-database /usr/share/mime
inside grep -qx 'application/vnd.lockstep.run:\*.lockstep' /usr/share/mime/globs
inside desktop-file-validate /usr/share/applications/io.github.lockstep.Lockstep.desktop
inside sh -c 'lockstep rehearsal start && lockstep rehearsal stop'
inside sh -c '! command -v lockstep-trainer >/dev/null || lockstep-trainer --help >/dev/null'
echo "installed and started on a bare system"
