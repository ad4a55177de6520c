import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { placeOf } from '../reference/places.ts'
import { type Guide, readGuide } from './markdown.ts'

/*
 * The guides are the Markdown files of docs/ and the packages' READMEs, so that they also read well on a Git host and
 * in a registry. docs/README.md is the text of the site's first page.
 */

/** The text of the first page; like all of them, relative to the repository's root. */
export const frontFile = 'docs/README.md'

type GuideFile = { readonly file: string; readonly title: string }

/** Everything to read apart from the reference: grouped by the reader's goal, then running the service. */
export const guideFiles = {
  Guides: [
    { file: 'docs/first-hour.md', title: 'The first hour, with curl' },
    { file: 'docs/keep-a-copy.md', title: 'Keep a copy in step' },
    { file: 'docs/book-from-your-site.md', title: 'Book from your own site' },
    { file: 'docs/sell-tickets-online.md', title: 'Sell tickets from your own site' },
    { file: 'docs/take-a-deposit.md', title: 'Take a deposit from your own site' },
    { file: 'docs/guest-pages.md', title: 'Guest pages on your own site' },
    { file: 'docs/change-a-booking.md', title: 'Change a booking' },
    { file: 'docs/webhooks.md', title: 'Receive webhooks' },
    { file: 'docs/campaigns.md', title: 'Write a campaign' },
    { file: 'docs/apps.md', title: 'Connect an app' },
    { file: 'docs/practice.md', title: 'Practice instance' },
    { file: 'docs/go-live.md', title: 'Go live' },
    { file: 'docs/api.md', title: 'The whole API in examples' },
  ],
  'Tools and packages': [
    { file: 'docs/packages.md', title: 'Install the packages' },
    { file: 'sdk/README.md', title: 'SDK for TypeScript' },
    { file: 'sdk-python/README.md', title: 'SDK for Python' },
    { file: 'cli/README.md', title: 'Command line' },
    { file: 'mcp/README.md', title: 'MCP server' },
    { file: 'connectors/README.md', title: 'Connectors' },
    { file: 'connectors/n8n/README.md', title: 'n8n' },
    { file: 'connectors/zapier/README.md', title: 'Zapier' },
    { file: 'connectors/google-sheets/README.md', title: 'Google Sheets' },
    { file: 'connectors/postman/README.md', title: 'Postman' },
    { file: 'connectors/bruno/README.md', title: 'Bruno' },
    { file: 'conformance/README.md', title: 'Conformance suite' },
    { file: 'examples/README.md', title: 'Examples' },
  ],
  Background: [
    { file: 'docs/moves.md', title: 'How records move' },
    { file: 'docs/GLOSSARY.md', title: 'Glossary' },
  ],
  'Running the service': [
    { file: 'docs/production.md', title: 'In production' },
    { file: 'docs/settings.md', title: 'Settings' },
    { file: 'docs/operator.md', title: 'Operator’s commands' },
  ],
} as const satisfies Readonly<Record<string, readonly GuideFile[]>>

/** `docs/go-live.md` is at `/docs/guides/go-live`, `connectors/n8n/README.md` at `/docs/tools/n8n`. */
export const guidePath = (file: string): string =>
  file.startsWith('docs/')
    ? `/docs/guides/${posix.basename(file, '.md').toLowerCase()}`
    : `/docs/tools/${posix.basename(posix.dirname(file))}`

/** What guides link to other than pages: programs and files to download, which are in no package. */
export const takenAlong: readonly string[] = [
  'connectors/google-sheets/Code.gs',
  'connectors/google-sheets/appsscript.json',
  'examples/keep-a-copy/keep-a-copy.ts',
  'examples/keep-a-copy/keep_a_copy.py',
  'examples/check-in/check-in.ts',
  'examples/crm-sync/crm-sync.ts',
  'examples/crm-sync/crm.py',
  'examples/crm-sync/crm.ts',
  'examples/crm-sync/crm_sync.py',
  'examples/crm-sync/pairs.py',
  'examples/crm-sync/pairs.ts',
  'examples/receiver-on-workers/receiver.ts',
  'examples/receiver-on-workers/schema.sql',
  'examples/slack-notice/slack-notice.ts',
  'examples/voice-agent/voice-agent.ts',
  'examples/booking-page/booking-page.ts',
  'examples/warehouse-export/warehouse-export.ts',
  'examples/many-venues/many-venues.ts',
]

export const takenPath = (file: string): string => `/docs/files/${file}`

/** The text of a file in the repository. */
export const readText = (file: string): string =>
  readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')

/** A file's text as a service at that URL shows it. */
export const openGuide = (file: string, baseUrl: string): Guide =>
  opened.getOrInsertComputed(`${baseUrl} ${file}`, () => {
    return readGuide(atReaders(file, baseUrl), (href) => leadOf(file, href))
  })

/** Commands use the reader's own URL, except those that work only on a practice instance or beside the service. */
const atReaders = (file: string, baseUrl: string): string => {
  const text = readText(file)
  return isOfPackages(file)
    ? text.replaceAll('http://127.0.0.1:8080', baseUrl)
    : text
        .replaceAll('$ API=http://127.0.0.1:8080/', `$ API=${baseUrl}/`)
        .replaceAll('http://127.0.0.1:8080/docs/tools/', `${baseUrl}/docs/tools/`)
}

/** What is installed from the service and calls it. */
const isOfPackages = (file: string): boolean => file === 'docs/packages.md' || !file.startsWith('docs/')

/** Read once per process, for the page and for the search. */
const opened = new Map<string, Guide>()

const guideNames: ReadonlySet<string> = new Set(
  Object.values(guideFiles).flatMap((files) => files.map(({ file }) => file)),
)

/** Where a file's link leads on the site; nowhere for targets that exist only in the repository. */
const leadOf = (file: string, href: string): string | undefined => {
  if (href.startsWith('https://') || href.startsWith('#')) return href
  const [path = '', heading] = href.split('#')
  const there = heading === undefined ? '' : `#${heading}`
  const to = posix.join(posix.dirname(file), path)
  if (to === frontFile) return `/docs${there}`
  if (to === 'docs/openapi.json') return '/api/v1/openapi.json'
  if (takenAlong.includes(to)) return takenPath(to)
  if (to === 'docs/reasons.md') return placeOfReason(heading)
  return guideNames.has(to) ? `${guidePath(to)}${there}` : undefined
}

/** docs/reasons.md has the same list as the reference, which also shows the shapes of refusals. */
const placeOfReason = (heading: string | undefined): string => {
  if (heading === undefined) return placeOf('reasons')
  return heading === 'in-the-problem-form' ? placeOf('problem-form') : placeOf(`reason-${heading}`)
}
