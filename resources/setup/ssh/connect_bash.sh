# SPDX-License-Identifier: GPL-3.0-or-later
# As connect.py, for sh, with the bash of the machine for its /dev/tcp.
# shellcheck shell=sh disable=SC2154  # whoever sends it sets targets and word before it
for target in $targets; do
  (
    number=${target%%,*}
    rest=${target#*,}
    # shellcheck disable=SC2016  # the inner shell expands them
    said=$(timeout 4 bash -c 'exec 3<>"/dev/tcp/$0/$1" && { read -r -t 3 line <&3; printf "said=%s" "$line"; }' \
      "${rest%%,*}" "${rest#*,}" 2>&1)
    code=$?
    case "$said" in
      said="$word"*) how="open greeted" ;;
      said=*) how="open mute" ;;
      *refused*) how="refused mute" ;;
      *"not known"*|*"name resolution"*|*"No address"*) how="unresolved mute" ;;
      *"timed out"*) how="silent mute" ;;
      *) if [ "$code" = 124 ]; then how="silent mute"; else how="no-route mute"; fi ;;
    esac
    echo "lockstep:$number=$how"
  ) &
done
wait
