import type { ErasedIds } from '@venue-data/contract/erasure.ts'
import { keysOfVenue } from '../../../integrations/access/keys.ts'
import { type ErasureRow, confirmationsOf, erasuresBefore } from '../../../data/erasure/receipts/reads.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { home } from '../data/overview.ts'
import { page } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { counted, listFoot, pageRows } from '../parts/pager.ts'
import { idIn } from '../parts/time-words.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'

const path = `${home}/erasures`

/** Who was erased, by the numbers of their records, and which connected software says that its copies are gone. */
export const erasurePages: readonly VenuePage[] = [
  {
    method: 'GET',
    path,
    role: 'owner',
    answer: async (work, { query }) => page('Erased people', await erasedPeople(work, query.get('after'))),
  },
]

const erasedPeople = async ({ db, venue }: OfficeWork, after: string | null): Promise<Html> => {
  const before = idIn(after ?? '') ?? Number.MAX_SAFE_INTEGER
  const found = await erasuresBefore(db, venue.id, before, pageRows + 1)
  const rows = found.slice(0, pageRows)
  const next = found.length > pageRows ? String(rows.at(-1)?.id) : null
  const ids = rows.map(({ id }) => id)
  const [confirmations, keys] = await Promise.all([
    confirmationsOf(db, venue.id, ids),
    keysOfVenue(db, venue.id),
  ])
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  const said = ({ id }: ErasureRow): Html => {
    const own = confirmations.filter(({ erasure_id }) => erasure_id === id)
    if (own.length === 0) return html`<div class="small soft">not yet</div>`
    return html`${own.map(
      ({ key_id, at, note }) =>
        html`<div class="small soft">
          confirmed by ${names.get(key_id) ?? `key ${key_id}`}, ${momentInWords(at, venue.timezone)}${note !== null && `: ${note}`}
        </div>`,
    )}`
  }
  return html`<div class="page-head">
      <h1>Erased people</h1>
      <a class="button quiet" href="${home}">Your data</a>
    </div>
    <div class="stack">
      <section class="card">
        <p class="soft">
          Connected software is told which records to drop, never whose they were, and may confirm that its copies are gone.
        </p>
        ${
          rows.length === 0
            ? html`<p class="empty">Nobody has been erased yet.</p>`
            : html`<ul class="rows">
                ${rows.map(
                  (row) =>
                    html`<li>
                      <div class="grow">${momentInWords(row.at, venue.timezone)}: ${recordsOf(row)}${said(row)}</div>
                    </li>`,
                )}
              </ul>`
        }
        ${listFoot({ path, after, next })}
      </section>
    </div>`
}

const recordsOf = ({ ids }: ErasureRow): string =>
  kinds
    .flatMap(({ kind, one, many }) => (ids[kind].length === 0 ? [] : [counted(ids[kind].length, one, many)]))
    .join(', ')

const kinds: readonly { readonly kind: keyof ErasedIds; readonly one: string; readonly many?: string }[] = [
  { kind: 'guests', one: 'guest' },
  { kind: 'reservations', one: 'booking' },
  { kind: 'leads', one: 'lead' },
  { kind: 'waitlist', one: 'waitlist entry', many: 'waitlist entries' },
  { kind: 'ticketOrders', one: 'ticket order' },
  { kind: 'subscribers', one: 'subscriber' },
]
