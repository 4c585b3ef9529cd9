#!/bin/sh
# Starts Multiplo from this kit on Linux and macOS, and hands its arguments on: multiplo.sh simulate ...
# It looks for a Python of the kit; program/start.py does the rest.
kit=$(cd -- "$(dirname -- "$0")" && pwd) || exit 2

is_suitable() {
  # The python3 of macOS itself is a stub that asks to install the developer tools.
  [ "$(uname -s)" = Darwin ] && [ "$(command -v "$1")" = /usr/bin/python3 ] && return 1
  "$1" -I "$kit/program/check_python.py" >/dev/null 2>&1
}

while read -r version || [ -n "$version" ]; do
  for python in \
    "python$version" \
    "/Library/Frameworks/Python.framework/Versions/$version/bin/python$version" \
    "/opt/homebrew/bin/python$version" \
    "/usr/local/bin/python$version"; do
    if is_suitable "$python"; then
      exec "$python" "$kit/program/start.py" "$@"
    fi
  done
done <"$kit/program/pythons.txt"
if is_suitable python3; then
  exec python3 "$kit/program/start.py" "$@"
fi

cat "$kit/program/no_python.txt" >&2
if [ $# -eq 0 ] && [ -t 0 ]; then
  read -r _
fi
exit 2
