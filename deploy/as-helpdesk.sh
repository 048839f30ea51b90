#!/bin/sh
# Gives the data directory to the desk's user and runs a command as that user: volumes of some hosts belong to root at first.
set -eu
user=10001
data=${HELPDESK_DATA:?names the data directory}
mkdir -p "$data"
# A directory that belongs to the user already was given before, with all that is in it.
if [ "$(stat -c %u "$data")" != "$user" ]; then
  chown -R "$user:$user" "$data"
  chmod 0700 "$data"
fi
cd "$data"
exec setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs "$@"
