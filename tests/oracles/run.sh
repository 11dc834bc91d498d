#!/bin/sh
# Checks what the library makes for each provider against the providers' own models, every file of it, and fails where
# there is a violation. Needs Python 3.11 and, the first time, a package index.
set -eu
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-target}
venv=$target/oracle-venv
case $target in /*) ;; *) target=$PWD/$target ;; esac
samples=$target/oracle-samples

# Made anew when the list of packages changes.
if ! cmp -s tests/oracles/requirements.txt "$venv/requirements.txt"; then
    rm -rf "$venv"
    "${PYTHON:-python3}" -m venv "$venv"
    "$venv/bin/pip" install --quiet --requirement tests/oracles/requirements.txt
    cp tests/oracles/requirements.txt "$venv/requirements.txt"
fi

rm -rf "$samples"
${CARGO:-cargo} run --quiet --package toolkit-tests --example oracle_samples -- "$samples"
# What a whole conversation holds, request after request, whatever the model writes.
TOOLKIT_SAMPLES=$samples ${CARGO:-cargo} test --quiet --package toolkit-tests --lib conversation::adversary > /dev/null

# One file. A part of the checker that is not installed proves nothing, so what it says of that counts as a failure.
cat > "$samples/check.sh" <<'EOF'
set -eu
file=$1
name=$(basename "$file" .json)
kind=${name##*.}
form=${name%.*}
set -- --provider "${name%%.*}" "$file" --kind "$kind" -q
[ "$kind" != tools ] || set -- "$@" --instances "$samples/instances/$form.json"
[ "${form%-only}" = "$form" ] || set -- "$@" --strict
failed=0
said=$("$venv/bin/python" tests/oracles/check_export.py "$@" 2>"$file.skipped") || failed=1
echo "${form#*.}: $said"
if [ -s "$file.skipped" ]; then
    cat "$file.skipped" >&2
    failed=1
fi
exit $failed
EOF
export venv samples
# As many at once as there are processors: most of the time of one is that of loading the SDKs.
printf '%s\n' "$samples"/*.*.*.json | xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN)" sh "$samples/check.sh"
