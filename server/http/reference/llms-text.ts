import { endpoints } from '@venue-data/contract/endpoints.ts'
import { chaptersOf } from './page.ts'
import { anchorOf } from './words.ts'

/**
 * `/llms.txt`: a short map for language models, which look here first for what is worth reading at an address
 * (llmstxt.org). Everything it lists comes from the rows of the contract and the chapters of the reference.
 */
export const llmsText = (baseUrl: string): string => {
  const { basics, sections } = chaptersOf(baseUrl)
  const rest = sections.flatMap(({ title, chapters }) =>
    title === 'Webhooks' || title === 'More' ? chapters : [],
  )
  const link = (title: string, anchor: string) => `- [${title}](${baseUrl}/docs#${anchor})`
  return `# Venue Data API

> The system of record of one restaurant and its API, version 1, over HTTP and JSON: reservations, guests, email
> subscribers, ticket orders, the waitlist, private-event leads, tasks, email campaigns and webhooks.

A key belongs to exactly one venue. Send it in the X-Service-Key header, and only from a server. There is no
sandbox: every request acts on the venue's real data.

## Documentation

- [OpenAPI 3.1 document](${baseUrl}/api/v1/openapi.json): every endpoint, field and refusal, for tools
- [Reference](${baseUrl}/docs): the same for people, on one page
${[...basics, ...rest].map(({ id, title }) => link(title, id)).join('\n')}

## Endpoints

${Object.values(endpoints)
  .map(({ id, method, path, summary }) => `${link(`${method} ${path}`, anchorOf(id))}: ${summary}`)
  .join('\n')}
`
}
