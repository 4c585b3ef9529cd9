#!/bin/sh
# Starts Multiplo from this kit with a double click on macOS.
exec /bin/sh "$(dirname -- "$0")/multiplo.sh" "$@"
