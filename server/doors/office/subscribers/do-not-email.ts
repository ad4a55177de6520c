import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { suppressionsPage } from '../../../marketing/subscribers/staff-reads.ts'
import { suppressionReasons } from '../../../marketing/subscribers/states.ts'
import { type FormSeen, choiceField, lineField, mistakePart } from '../parts/forms/fields.ts'
import { listFoot, pageRows } from '../parts/pager.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { subscriberTabs } from './list.ts'
import { reasonTag, reasonWords } from './words.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'

const home = '/office/subscribers'

/** Addresses that never get email, each with its reason. */
export const doNotEmailPage = async (
  { db, venue }: OfficeWork,
  after: string | null,
  seen: FormSeen,
): Promise<Html> => {
  const list = await suppressionsPage(db, venue.id, { limit: pageRows, after })
  return html`<div class="page-head">
      <h1>Subscribers</h1>
      <a class="button primary" href="${home}/new">Add a subscriber</a>
    </div>
    ${await subscriberTabs({ db, venue }, `${home}/do-not-email`)}
    <div class="stack">
      <section class="card">
        <p class="soft">
          These addresses never get email, no matter which list they are on. Bounces and spam reports are added automatically.
        </p>
        <form class="form" method="post" action="${home}/do-not-email">
          ${mistakePart(seen)}
          <div class="quick">
            ${lineField(seen, { name: 'email', label: 'Email', type: 'email', most: limits.emailCharacters, required: true })}
            ${choiceField(
              { ...seen, typed: { reason: 'staff_removal', ...seen.typed } },
              {
                name: 'reason',
                label: 'Reason',
                choices: suppressionReasons.map((reason) => [reason, reasonWords[reason]] as const),
              },
            )}
            <button>Never email</button>
          </div>
        </form>
      </section>
      <section class="card list-card">
        ${
          list.rows.length === 0
            ? html`<p class="empty">${after === null ? 'Nobody is on the do-not-email list.' : 'Nothing more.'}</p>`
            : html`<ul class="rows">
                ${list.rows.map(
                  (row) =>
                    html`<li>
                      <div class="grow">
                        <span class="strong breaks">${row.email_key}</span>
                        <span class="small soft">since ${momentInWords(row.created_at, venue.timezone)}</span>
                      </div>
                      ${reasonTag(row.reason)}
                      <details class="take-off">
                        <summary>Remove…</summary>
                        <form class="search" method="post" action="${home}/do-not-email/remove">
                          <input type="hidden" name="address" value="${row.email_key}" />
                          <input name="why" required maxlength="${limits.shortTextCharacters}" placeholder="Why" aria-label="Why ${row.email_key} may be emailed again" />
                          <button>Remove</button>
                        </form>
                      </details>
                    </li>`,
                )}
              </ul>`
        }
        ${listFoot({ path: `${home}/do-not-email`, after, next: list.next })}
      </section>
    </div>`
}
