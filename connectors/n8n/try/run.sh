#!/bin/sh
# Runs the node in a real n8n, by n8n's own engine: installs n8n beside this package (minutes, and about 2 GB), gives it a
# credential and a workflow, and executes it. Start the demo first:
#
#   PRACTICE=on PRACTICE_KEYS=service_sk_PracticeReadWrite000000000000000001b8ctY:read_write npm start
#
# BASE_URL and KEY name another service. With `start` as the word it then starts the editor at http://127.0.0.1:5678.
set -eu
cd "$(dirname "$0")/.."
base=${BASE_URL:-http://127.0.0.1:8080}
key=${KEY:-service_sk_PracticeReadWrite000000000000000001b8ctY}
folder=${N8N_FOLDER:-$PWD/.n8n-try}

npm run --silent build
mkdir -p "$folder"
[ -x "$folder/node_modules/.bin/n8n" ] || npm install --no-audit --no-fund --prefix "$folder" n8n@2.41.3

export N8N_USER_FOLDER="$folder" N8N_CUSTOM_EXTENSIONS="$PWD/dist" DB_TYPE=sqlite
export N8N_DIAGNOSTICS_ENABLED=false N8N_VERSION_NOTIFICATIONS_ENABLED=false N8N_TEMPLATES_ENABLED=false
n8n="$folder/node_modules/.bin/n8n"

umask 077
cat >"$folder/credentials.json" <<JSON
[{"id": "venueDataTry0001", "name": "Venue Data", "type": "venueDataApi", "data": {"baseUrl": "$base", "apiKey": "$key"}}]
JSON
"$n8n" import:credentials --input="$folder/credentials.json"
"$n8n" import:workflow --input=try/workflow.json
"$n8n" execute --id=venueDataTry0001
[ "${1:-}" != start ] || exec "$n8n" start
