import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { type Reason, edgeReasons, faults, reasons } from '@venue-data/contract/reasons.ts'

/** All reason codes with status, cause, a sample sentence and where they are given, as a page of Markdown. */
export const reasonsPage = (): string => `# Reason codes

Every refusal is \`{"error": "<one plain sentence>"}\`. Where a program may act on the kind of refusal, there is also a
\`reason\`, one of the codes below. The sentences are samples: real ones have the venue's and the request's days, times
and numbers. The list may grow within version 1; treat a code you do not know like its status.

${(Object.keys(reasons) as Reason[]).map(entry).join('\n')}
# In the problem form

A client that names \`application/problem+json\` in \`Accept\` also gets a reason for every 400 and for requests refused before any
rule is checked. In the plain form these refusals have none.

| Reason | Status | When |
|---|---|---|
${Object.entries(edgeReasons)
  .map(([reason, { status, when }]) => `| \`${reason}\` | ${status} | ${when} |`)
  .join('\n')}

Each entry of \`errors\` names a place of the request and what is wrong there:

| \`errors[].reason\` | Means |
|---|---|
${Object.entries(faults)
  .map(([fault, means]) => `| \`${fault}\` | ${means} |`)
  .join('\n')}

*This page is generated from \`contract/reasons.ts\` and \`contract/endpoints.ts\` by \`npm run generate\`.*
`

const entry = (reason: Reason): string => {
  const { status, when, sentence } = reasons[reason]
  const given = rows
    .filter((row) => row.reasons?.includes(reason) || (reason === 'scope-missing' && row.scope))
    .map(({ method, path }) => `\`${method} ${path}\``)
  return `## \`${reason}\`

- **Status:** ${status}
- **When:** ${when}
- **Says, for example:** “${sentence}”
${given.length > 0 ? `- **Given by:** ${given.join(', ')}\n` : ''}`
}

const rows: readonly Endpoint[] = Object.values(endpoints)
