#!/usr/bin/env bash
# The first process of a box of namespaces (harness/systemd_box.py makes it): hides what a systemd would change of this
# machine behind folders in memory, and becomes a systemd that knows the few units of a service and nothing else.
#
#     systemd_box.sh WEIR SCRATCH       WEIR becomes /usr/local/bin/weir; SCRATCH is an empty folder for mount points
set -euo pipefail

weir=$1 scratch=$2

# In memory, with what stands there now: over_copy FOLDER.
over_copy() {
  mount -t overlay -o "lowerdir=$1,upperdir=$scratch/upper$1,workdir=$scratch/work$1" box "$1"
}

mount --make-rprivate /
mount -t tmpfs box "$scratch"
mkdir -p "$scratch"/{upper,work}/{etc,usr/local/bin} "$scratch/units"
install "$weir" "$scratch/weir"
for unit in basic sysinit multi-user network-online shutdown local-fs sockets timers paths slices umount; do
  cp "/lib/systemd/system/$unit.target" "$scratch/units/"
done
over_copy /etc
over_copy /usr/local/bin
install "$scratch/weir" /usr/local/bin/weir
rm -rf /etc/systemd/system/* /etc/weir
mkdir /etc/weir
echo 0123456789abcdef0123456789abcdef >/etc/machine-id
mount --bind "$scratch/units" /lib/systemd/system
for folder in /run /var/cache /var/lib; do mount -t tmpfs box "$folder"; done
mount --make-rshared / # as systemd finds it on a machine of its own; credentials are handed over through it

# Its cgroups are below one of ours, or it would take hold of all processes.
for hierarchy in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
  if [[ -w "$hierarchy/cgroup.procs" ]]; then
    mkdir -p "$hierarchy/weir-box"
    echo 0 >"$hierarchy/weir-box/cgroup.procs"
  fi
done
unset NOTIFY_SOCKET
export container=weir-box
exec /lib/systemd/systemd --system --unit=basic.target --log-target=console --show-status=no
