#!/bin/bash
# Whether the desk in this container answers: exit code 0 when /healthz says 200. Bash alone, so that the image needs no client.
set -u
exec 3<>"/dev/tcp/127.0.0.1/${HELPDESK_PORT:-8080}" || exit 1
printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
IFS= read -r -t 4 status <&3 || exit 1
[[ $status == 'HTTP/1.1 200 '* ]]
