#!/usr/bin/env bash
# Runs the tests of S-57 where localhost is two addresses, as it is on many machines: in a namespace that has an
# /etc/hosts of its own. Exit code 77: the system gives no namespace, or has no IPv6.
#
#     two_localhosts.sh FLOW_TEST SCRATCH       SCRATCH: a folder for that /etc/hosts
set -euo pipefail

flow_test=$1 hosts=$2/two_localhosts

mkdir -p "$2"
printf '%s localhost\n' 127.0.0.1 ::1 >"$hosts"
in_namespace() { unshare --user --map-root-user --mount sh -c "mount --bind '$hosts' /etc/hosts && $1"; }

if ! in_namespace "getent ahosts localhost" | grep -q '^::1 '; then
  echo "SKIPPED: localhost cannot be made two addresses here" >&2
  exit 77
fi
in_namespace "'$flow_test' --gtest_filter='FieldCases.S57_*'" | tee "$hosts.log"
! grep -q SKIPPED "$hosts.log"
