import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

/*
 * Names that nobody has published: running a line that installs one would run anything a stranger publishes there tomorrow. The
 * files of our packages are installed by their address.
 */

const root = join(import.meta.dirname, '../../..')
const names = ['@venue-data/[a-z]+', 'venue-data(?:-mcp)?', 'venue_data', 'n8n-nodes-venue-data']
const installers = [
  '(?:npm|pnpm|yarn|bun|deno) (?:install|i|ci|add|exec|x|dlx|create|init)',
  'npx',
  'bunx',
  'uvx',
  'pipx? (?:install|run)',
  'uv (?:add|tool|pip)',
  '"npx", ?(?:"-y", ?)?',
  '\\*\\*Install\\*\\*',
]
const told = new RegExp(
  `(?:${installers.join('|')})[^\\n]*?(?<![\\w./-])(?:${names.join('|')})(?![\\w./-])(?!\\[[a-z]+\\] @ http)`,
)
const inRegistry = /npmjs\.com\/package\/(?:@venue-data|[\w-]*venue-data)|pypi\.org\/project\/venue/

const faultsIn = (text: string): string[] =>
  text.split('\n').filter((line) => told.test(line) || inRegistry.test(line))

describe('no page and no comment says to install or run a name that is not published', () => {
  it('in the repository', () => {
    const files = globSync('**/*.{md,ts,js,mjs,cjs,json,py,toml,html,yml,sh,gs}', {
      cwd: root,
      exclude: [
        '**/node_modules',
        '.data',
        'packed',
        '**/dist',
        '**/build',
        '**/CHANGELOG.md',
        'server/test/tree/unpublished.test.ts',
      ],
    })
    assert.ok(files.includes('cli/README.md') && files.length > 1000, String(files.length))
    const found = files.flatMap((file) =>
      faultsIn(readFileSync(join(root, file), 'utf8')).map((line) => `${file}: ${line.trim()}`),
    )
    assert.deepEqual(found, [])
  })

  for (const line of [
    'npm install @venue-data/sdk',
    '`npx @venue-data/cli login` works without installing.',
    'npm install --global venue-data',
    '"args": ["npx", "-y", "@venue-data/mcp", "--allow"]',
    '`pip install venue-data`, and put this',
    'pip install "venue-data[flask]"',
    '**Settings**, **Community nodes**, **Install**, `n8n-nodes-venue-data`.',
    "documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-venue-data'",
  ])
    it(`the check fires on ${line}`, () => assert.deepEqual(faultsIn(line), [line]))

  for (const line of [
    'npm install http://127.0.0.1:8080/docs/tools/sdk.tgz',
    "pip install 'venue-data[flask] @ http://127.0.0.1:8080/docs/tools/venue_data-0.1.0-py3-none-any.whl'",
    'npx zapier-platform register "Venue Data"',
    'npx conformance --base-url http://127.0.0.1:8080',
    'npm install ~/n8n-nodes-venue-data-0.1.0.tgz',
  ])
    it(`the check lets ${line} be`, () => assert.deepEqual(faultsIn(line), []))
})
