#!/bin/bash
# Checks the desk in this container: exit code 0 if /healthz answers 200. Only Bash, so that the image needs no HTTP client.
set -u
exec 3<>"/dev/tcp/127.0.0.1/${HELPDESK_PORT:-8080}" || exit 1
printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
IFS= read -r -t 4 status <&3 || exit 1
[[ $status == 'HTTP/1.1 200 '* ]]
