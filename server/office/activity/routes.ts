import { newestActivity } from '../../activity/reads.ts'
import { html } from '../../html/html.ts'
import { page } from '../frame/page.ts'
import { idIn } from '../parts/time-words.ts'
import { pageRows } from '../parts/pager.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { activityList } from './list.ts'

const home = '/office/activity'

/** Who did what at the venue, newest first. Private: for managers, never in the API. */
export const activityPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async ({ db, venue }, { query }) => {
      const before = idIn(query.get('before') ?? undefined) ?? null
      const rows = await newestActivity(db, venue.id, { limit: pageRows + 1, before })
      const shown = rows.slice(0, pageRows)
      const next = rows.length > pageRows ? shown.at(-1)?.id : undefined
      return page(
        'Activity',
        html`<div class="page-head">
            <div>
              <h1>Activity</h1>
              <p class="soft small">Every change, and who made it. Managers only; never in exports or the API.</p>
            </div>
          </div>
          <section class="card list-card">
            ${
              shown.length === 0
                ? html`<p class="empty">${before === null ? 'No activity yet.' : 'Nothing earlier.'}</p>`
                : activityList(shown, venue.timezone)
            }
            ${
              (before !== null || next !== undefined) &&
              html`<nav class="list-foot" aria-label="Pages">
                ${before !== null && html`<a class="button" href="${home}">‹ Latest</a>`}
                ${next === undefined ? html`<span class="soft small">This is the start of the log.</span>` : html`<a class="button" rel="next" href="${home}?before=${next}">Earlier ›</a>`}
              </nav>`
            }
          </section>`,
      )
    },
  },
]
