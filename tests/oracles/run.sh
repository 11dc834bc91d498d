#!/bin/sh
# Checks what the library makes for each provider against the providers' own models, every file of it, and fails where
# there is a violation. Needs Python 3.11 and, the first time, a package index.
set -eu
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-target}
venv=$target/oracle-venv
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

failed=0
for file in "$samples"/*.*.*.json; do
    name=$(basename "$file" .json)
    kind=${name##*.}
    form=${name%.*}
    set -- --provider "${name%%.*}" "$file" --kind "$kind" -q
    [ "$kind" != tools ] || set -- "$@" --instances "$samples/instances/$form.json"
    [ "${form%-only}" = "$form" ] || set -- "$@" --strict
    # A part of the checker that is not installed proves nothing, so it counts as a failure too.
    printf '%s: ' "${form#*.}"
    "$venv/bin/python" tests/oracles/check_export.py "$@" 2>"$samples/skipped" || failed=1
    if [ -s "$samples/skipped" ]; then
        cat "$samples/skipped" >&2
        failed=1
    fi
done
exit $failed
