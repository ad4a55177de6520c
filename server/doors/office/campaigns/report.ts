import { type CampaignRow, pendingOf, recipientsOf } from '../../../marketing/campaigns/reads.ts'
import {
  type Reactions,
  none,
  notSent,
  putOff,
  reactionsOf,
} from '../../../marketing/campaigns/staff-reads.ts'
import { errorSentence } from '../../../marketing/campaigns/reasons-to-wait.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { type Moment, toInstant } from '../../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { momentInWords, numberInWords } from '../../../platform/kernel/time/in-words.ts'
import { nothing, page, part } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { peopleWords } from './counters.ts'
import { campaignHead } from './steps.ts'
import { type Share, barTable, sharesBar } from './report-chart.ts'
import { type Look, lookOf, markOf, perMinute, readLook } from './report-mark.ts'
import { stopPart } from './stop.ts'
import { failureHints, failureWords, home, laterOf, skipWords } from './words.ts'
import { campaignOf, copyButton } from './write.ts'
import { live } from '../parts/live.ts'

/** A campaign's results, as they happen. For managers. */
export const reportPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: `${home}/:id/report`,
    role: 'manager',
    answer: async (work, { params, query, partOnly }) => {
      // Read before the rest: a change in between shows at the next refresh, instead of never.
      const row = await campaignOf(work, params.id)
      const last = readLook(query.get('seen'))
      if (partOnly && last?.mark === markOf(row, work.now())) return nothing
      const report = await reportPart(work, row, last)
      if (partOnly) return part(report)
      return page(row.name, report)
    },
  },
]

const isOpen = ({ status }: CampaignRow): boolean => status === 'scheduled' || status === 'sending'

/** From this many minutes before its time it is refreshed every two seconds. */
const nearMinutes = 15

const isNear = (row: CampaignRow, now: Temporal.Instant): boolean => {
  const due = laterOf(row.scheduled_at, row.send_hold_until)
  return (
    row.status === 'sending' ||
    due === null ||
    Temporal.Instant.compare(toInstant(due), now.add({ minutes: nearMinutes })) <= 0
  )
}

const reportPart = async (work: OfficeWork, row: CampaignRow, last: Look | undefined): Promise<Html> => {
  const { db, venue } = work
  const now = work.now()
  const [reactions, whys, later] = await Promise.all([
    reactionsOf(db, venue.id, [row.id]).then((found) => found.get(row.id) ?? none),
    notSent(db, venue.id, row.id),
    row.status === 'sending' ? putOff(db, venue.id, row.id, now) : 0,
  ])
  const failed = whys.filter(({ state }) => state === 'failed')
  const skipped = whys.filter(({ state }) => state === 'skipped')
  const again = failed.find(({ why }) => why === 'used-up')?.people ?? 0
  const seen = lookOf(row, now)
  return html`<div
    ${
      isOpen(row)
        ? live({
            ...{ id: 'report', address: `${home}/${row.id}/report`, mark: seen },
            every: isNear(row, now) ? '2s' : '60s',
            swap: row.status === 'sending' ? 'outerMorph' : 'outerHTML',
          })
        : html`id="report"`
    }
  >
    ${campaignHead(row, 'report', venue.timezone, copyButton(row))}
    <div class="stack">
    ${isOpen(row) && stopPart(row, venue.timezone, now)}
    ${row.status === 'draft' && html`<p class="hint">This is a draft: nothing has been sent yet.</p>`}
    ${!isOpen(row) && row.last_error !== '' && html`<p class="hint" role="status">${errorSentence(row)}</p>`}
    ${outcome(row, later, now, last, venue.timezone)}
    ${
      (row.started_at !== null || row.status === 'sent') &&
      html`<div class="columns">
        <section class="card">
          <h2>Responses</h2>
          ${cameBack(row, reactions)}
          ${row.started_at !== null && broughtLink(row.started_at, venue.timezone)}
        </section>
        <section class="card">
          <h2>Not sent</h2>
          ${
            failed.length + skipped.length === 0
              ? html`<p class="soft">Everybody got it.</p>`
              : html`${
                  failed.length > 0 &&
                  barTable(
                    'Failed',
                    failed.map(({ why, people }) => failureRow(why, people)),
                    row.failed_count,
                  )
                }
                ${
                  skipped.length > 0 &&
                  barTable(
                    'Left out on purpose',
                    skipped.map(({ why, people }) => skipRow(why, people)),
                    row.skipped_count,
                  )
                }`
          }
          ${
            again > 0 &&
            row.status === 'sent' &&
            html`<div><a class="button" href="${home}/${row.id}/send">Send again to ${peopleWords(again)}</a></div>`
          }
        </section>
      </div>`
    }
  </div>
  </div>`
}

/** Campaigns are in the reports by the day they began to go out. */
const broughtLink = (started: Moment, zone: string): Html => {
  const { date } = wallTimeOf(toInstant(started), zone)
  return html`<p><a href="/office/reports?from=${date}&to=${date}&compare=none#campaigns">What it brought, in Reports</a></p>`
}

const outcome = (
  row: CampaignRow,
  later: number,
  now: Temporal.Instant,
  last: Look | undefined,
  zone: string,
): Html => {
  const pending = pendingOf(row)
  const shares: readonly Share[] = [
    { words: 'Sent', count: row.sent_count, tone: 'good' },
    { words: 'Failed', count: row.failed_count, tone: 'bad' },
    { words: 'Left out on purpose', count: row.skipped_count, tone: 'soft' },
    { words: 'Still to send', count: pending, tone: 'open' },
  ]
  return html`<section class="card">
    <header>
      <h2>${row.started_at === null && row.status !== 'sent' ? 'The list' : 'Results'}</h2>
      <span class="small soft">${timesWords(row, zone)}</span>
    </header>
    ${
      recipientsOf(row) === 0
        ? html`<p class="soft">Nobody is on the list.</p>`
        : sharesBar(`${peopleWords(recipientsOf(row))} on the list`, shares)
    }
    ${row.status === 'sending' && html`<p class="soft" id="speed">${speedWords(row, now, last)}</p>`}
    ${later > 0 && html`<p class="soft">${peopleWords(later)} were deferred by their mail server and will be retried for up to a day.</p>`}
    ${row.held_count > 0 && html`<p class="soft">${peopleWords(row.held_count)} were held back for comparison and get nothing from this ${row.series_key === '' ? 'campaign' : 'series'}.</p>`}
  </section>`
}

const speedWords = (row: CampaignRow, now: Temporal.Instant, last: Look | undefined): string => {
  const rate = perMinute(row, now, last)
  return rate === undefined ? 'Just started.' : `${numberInWords(rate)} emails per minute.`
}

const timesWords = ({ started_at, finished_at }: CampaignRow, zone: string): string => {
  if (started_at === null) return ''
  const at = (moment: Moment) => momentInWords(moment, zone)
  if (finished_at === null) return `since ${at(started_at)}`
  const minutes = Math.max(
    1,
    Math.round((toInstant(finished_at).epochMilliseconds - toInstant(started_at).epochMilliseconds) / 60_000),
  )
  return `${at(started_at)}, in ${numberInWords(minutes)} ${minutes === 1 ? 'minute' : 'minutes'}`
}

const cameBack = ({ sent_count: sent }: CampaignRow, { left, hard, soft, complaints }: Reactions): Html =>
  html`${barTable(
    'Out of those sent',
    [
      { words: 'Unsubscribed from this email', count: left, tone: 'soft' },
      { words: 'Bounced: no such mailbox', count: hard, tone: 'bad' },
      { words: 'Bounced: full or busy', count: soft, tone: 'soft' },
      { words: 'Reported as spam', count: complaints, tone: 'bad' },
    ],
    sent,
  )}
  ${
    complaints > 0 &&
    sent > 0 &&
    complaints / sent > 0.001 &&
    html`<p class="hint">More than one in a thousand reported it as spam. Mail services start filtering senders at that rate.</p>`
  }
  <p class="small soft">Opens are not tracked.</p>`

const failureRow = (why: string, count: number): Share => ({
  words: failureWords[why as keyof typeof failureWords] ?? why,
  count,
  tone: 'bad',
  hint: failureHints[why as keyof typeof failureHints],
})

const skipRow = (why: string, count: number): Share => ({
  words: skipWords[why as keyof typeof skipWords] ?? why,
  count,
  tone: 'soft',
})
