#!/bin/sh
# Starts the program that the package multiplo has installed.
program=/opt/multiplo/environment/bin/multiplo
if [ ! -x "$program" ]; then
  echo "Multiplo is not completely installed; run: sudo dpkg-reconfigure multiplo" >&2
  exit 2
fi
exec "$program" "$@"
