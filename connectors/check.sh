#!/bin/sh
# Checks the connectors with the platforms' own tools: makes what is generated of them, installs the tools in their own
# folders, in parallel, lints and builds the n8n nodes, checks the Zapier app, and runs all of it against a real service.
set -eu
if [ $# -gt 0 ]; then
  printf "It takes no words, such as '%s'.\nUsage: npm run check:connectors\n" "$1" >&2
  exit 2
fi
cd "$(dirname "$0")"
NODE=$(cd .. && node project-node.cjs)
PATH="$(dirname "$NODE"):$PATH"

"$NODE" ../packing/main.ts connectors

check() {
  (cd "$1" && npm ci && npm run --silent --if-present check)
}
check n8n &
n8n=$!
check zapier &
zapier=$!
check readers
wait "$n8n"
wait "$zapier"

cd .. && exec "$NODE" server/test/run/run.ts --connectors
