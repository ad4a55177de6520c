import { type Group, groups as about } from '@venue-data/contract/webhooks/endpoint.ts'
import { records } from '@venue-data/contract/endpoints.ts'
import { eventNames } from '@venue-data/contract/webhooks/events.ts'
import { problemTypes, reasons } from '@venue-data/contract/reasons.ts'
import { type Content, type Html, html } from '../../html/html.ts'
import { nodeOf } from '../openapi/openapi-schema.ts'
import { methodBadge } from '../reference/endpoint-part.ts'
import { groupPath, placeOf } from '../reference/places.ts'
import { anchorOf, spaced } from '../reference/words.ts'
import { frontFile, openGuide } from './guides.ts'
import type { Page } from './page.ts'
import { rowsByGroup } from './reference-pages.ts'

/*
 * The first page: docs/README.md, the reference by group, and an index of every name. The whole reference used to be on
 * this page, so the index keeps its anchors: an old link lands on a line here that links to the new place, and the
 * script follows it automatically.
 */

export const frontPage = (baseUrl: string): Page => ({
  title: 'Start here',
  path: '/docs',
  open: () => {
    const { body, passages } = openGuide(frontFile, baseUrl)
    return {
      body: html`<article class="guide">${body}</article>
        ${groupList()} ${byName()}`,
      headings: [
        ...passages.filter(({ level }) => level === 2),
        { id: 'by-group', title: 'Reference by group' },
        { id: 'by-name', title: 'Everything by name' },
      ],
    }
  },
})

const groupList = (): Html =>
  html` <section class="by-group" id="by-group">
    <h2><a href="#by-group">Reference by group</a></h2>
    <ul>
      ${[...rowsByGroup.keys()].map(
        (group) => html`<li><a href="${groupPath(group)}">${group}</a> ${about[group]}</li> `,
      )}
    </ul>
  </section>`

const byName = (): Html =>
  html` <section class="by-name" id="by-name">
    <h2><a href="#by-name">Everything by name</a></h2>
    ${[...rowsByGroup].map(([group, rows]) =>
      nameList(
        group,
        groupAnchor(group),
        rows.map(({ id, method, path }) => ({
          anchor: anchorOf(id),
          words: html`${methodBadge(method)} <code>${path.replace('/api/v1', '')}</code>`,
        })),
      ),
    )}
    ${nameList(
      'Records',
      'records',
      records.map((record) => {
        const name = nodeOf(record).$id as string
        return { anchor: `record-${anchorOf(name)}`, words: spaced(name) }
      }),
    )}
    ${nameList(
      'Events',
      'event-samples',
      eventNames.map((name) => ({ anchor: `event-${name}`, words: html`<code>${name}</code>` })),
    )}
    ${nameList(
      'Reason codes',
      'reasons',
      Object.keys(reasons).map((reason) => ({
        anchor: `reason-${reason}`,
        words: html`<code>${reason}</code>`,
      })),
    )}
    ${nameList(
      'Problem types',
      'problem-form',
      Object.entries(problemTypes).map(([anchor, words]) => ({ anchor, words })),
    )}
    ${nameList(
      'Chapters',
      undefined,
      Object.entries(chapterNames).map(([anchor, words]) => ({ anchor, words })),
    )}
  </section>`

const groupAnchor = (group: Group): string => `group-${anchorOf(group)}`

type Name = { readonly anchor: string; readonly words: Content }

const nameList = (title: string, anchor: string | undefined, names: readonly Name[]): Html =>
  html` <h3>${anchor === undefined ? title : nameLink({ anchor, words: title })}</h3>
    <ul>
      ${names.map((name) => html`<li>${nameLink(name)}</li> `)}
    </ul>`

const nameLink = ({ anchor, words }: Name): Html =>
  html`<a id="${anchor}" href="${placeOf(anchor)}">${words}</a>`

/** Names that are neither endpoints nor in a catalog. */
const chapterNames: Readonly<Record<string, string>> = {
  introduction: 'Introduction',
  authentication: 'Authentication',
  requests: 'Requests and replies',
  lists: 'Lists',
  idempotency: 'Trying again safely',
  'rate-limit': 'Rate limit',
  versioning: 'Versioning',
  errors: 'Errors',
  receiving: 'What a delivery is',
  verifying: 'Verifying a signature',
  retrying: 'Retries and disabling',
  events: 'Events',
  'keeping-a-copy': 'Keeping a copy in sync',
  segment: 'Segment',
}
