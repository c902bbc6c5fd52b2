#!/bin/sh
# Compiles the clients: types from the contract, the libraries of the table, and the table itself, into OUT (default: what is committed).
#     clients/build.sh [OUT]
set -eu
cd "$(dirname "$0")"
out=${1:-../service/rest/play/static}
[ -d node_modules ] || npm ci --silent
node_modules/.bin/openapi-typescript ../api/openapi.yaml --root-types --root-types-no-schema-prefix --default-non-nullable false \
    -o typescript/src/contract.ts >/dev/null
node vendor.mjs "$out"
rm -rf "$out/typescript" && find "$out/table" -name '*.js' -not -path '*/vendor/*' -delete
node_modules/.bin/tsc -p typescript --noEmit
node_modules/.bin/tsc -p typescript/examples
node_modules/.bin/tsc -p table --outDir "$out"
