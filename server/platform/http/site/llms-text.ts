import { groups as about } from '@venue-data/contract/webhooks/endpoint.ts'
import { groupPath } from '../reference/places.ts'
import { guidePath } from './guides.ts'
import { rowsByGroup } from './reference-pages.ts'
import { shelvesOf } from './shelves.ts'

const apiPath = '/api/v1'

/**
 * `/llms.txt`: a short map for language models, which look here first to find what to read on a site (llmstxt.org). It
 * lists only the contract's rows and the site's pages.
 */
export const llmsText = (baseUrl: string): string => {
  const groupPaths: ReadonlySet<string> = new Set([...rowsByGroup.keys()].map(groupPath))
  const pages = shelvesOf(baseUrl)
    .flatMap(({ pages }) => pages)
    .filter(({ path }) => !groupPaths.has(path))
  const link = (title: string, path: string) => `- [${title}](${baseUrl}${path})`
  return `# Venue Data API

> The system of record of one restaurant and its API, version 1, over HTTP and JSON: reservations, guests, email
> subscribers, ticket orders, the waitlist, private-event leads, tasks, email campaigns and webhooks.

A key belongs to exactly one venue. Send it in the X-Service-Key header, and only from a server. Every request acts on
the venue's real data. To try things, start a practice instance on your own machine, the same
service with a made-up venue: ${baseUrl}${guidePath('docs/practice.md')}

Each page below is also Markdown: add .md to its address, or name text/markdown in Accept. All of them in one text are at
${baseUrl}/llms-full.txt.

## Documentation

- [OpenAPI 3.1 document](${baseUrl}/api/v1/openapi.json): every endpoint, field and refusal, for tools
${pages.map(({ title, path }) => link(title, path)).join('\n')}

## Endpoints

Each address begins with ${baseUrl}${apiPath}.

${[...rowsByGroup]
  .map(
    ([group, rows]) => `${link(group, groupPath(group))}: ${about[group]}
${rows.map(({ method, path, summary }) => `  - ${method} ${path.replace(apiPath, '')}: ${summary}`).join('\n')}`,
  )
  .join('\n')}
`
}
