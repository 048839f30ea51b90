#!/bin/sh
# Makes the desk's user the owner of the data directory and runs a command as that user: on some hosts, new volumes belong to root.
set -eu
user=10001
data=${HELPDESK_DATA:?names the data directory}
mkdir -p "$data"
# If the user owns the directory, it owns everything in it from an earlier start.
if [ "$(stat -c %u "$data")" != "$user" ]; then
  chown -R "$user:$user" "$data"
  chmod 0700 "$data"
fi
cd "$data"
exec setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs "$@"
