import type { McpServer } from '@modelcontextprotocol/server'
import { endpointsInShort, events, reasons, scopes } from './generated/reference.ts'
import { aboutUntrusted } from './untrusted.ts'

type Page = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly text: string
}

const lines = (record: Readonly<Record<string, string>>): string =>
  Object.entries(record)
    .map(([name, meaning]) => `- \`${name}\`: ${meaning}`)
    .join('\n')

const pages: readonly Page[] = [
  {
    name: 'contract',
    title: 'The contract in short',
    description: 'How the venue’s data works, every endpoint of the API, and what a key may be allowed.',
    text: `# The Venue Data API in short

- Dates (YYYY-MM-DD) and times (HH:MM) are those at the venue; moments end in Z and are UTC. A booking for 00:30 has the date of the day that has just begun.
- A reservation made by software is a request (Requested) until the staff confirm it. Then come Confirmed, Seated and Completed; or Cancelled, or No-show.
- A field without a value is null. New fields and new words may come at any time.
- A key belongs to one venue and may do what its scopes say.
- ${aboutUntrusted}

# Scopes

${lines(scopes)}

# Endpoints

${endpointsInShort.join('\n')}`,
  },
  {
    name: 'reasons',
    title: 'Reasons',
    description: 'Every reason with which the service refuses something, and what it means.',
    text: `# Reasons\n\n${lines(Object.fromEntries(Object.entries(reasons).map(([name, { status, when }]) => [name, `(${status}) ${when}`])))}`,
  },
  {
    name: 'events',
    title: 'Events',
    description: 'Every event that events_since may tell of, and when it happens.',
    text: `# Events\n\n${lines(events)}`,
  },
]

/** What a client can read in addition to the tools; none of it contains personal data. */
export const addResources = (server: McpServer): void => {
  for (const { name, title, description, text } of pages) {
    const mimeType = 'text/markdown'
    server.registerResource(
      name,
      `venue-data://${name}`,
      { title, description, mimeType },
      ({ href: uri }) => ({
        contents: [{ uri, mimeType, text }],
      }),
    )
  }
}
