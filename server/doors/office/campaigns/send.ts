import type { Blocker } from '@venue-data/contract/records/campaign.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { allowanceOf } from '../../../marketing/campaigns/allowance.ts'
import { whatItTakes } from '../../../marketing/campaigns/audience/holdout.ts'
import { type CampaignRow, pendingOf, retryableCopies } from '../../../marketing/campaigns/reads.ts'
import type { Context } from '../../../context.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { momentInWords, numberInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { venueOfSlug } from '../../../core/venue/actions.ts'
import type { VenueRow } from '../../../core/venue/venues.ts'
import { type PageAnswer, page } from '../frame/page.ts'
import { type FormSeen, lineField, mistakePart } from '../parts/forms/fields.ts'
import { tag } from '../parts/tags.ts'
import { cityOf } from '../parts/time-words.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { checklistOf } from './shown-mail.ts'
import { checklistPart } from './checklist.ts'
import { peopleWords } from './counters.ts'
import { campaignHead } from './steps.ts'
import { stopPart } from './stop.ts'
import { home } from './words.ts'

type Sent = FormSeen & { readonly blockers: readonly Blocker[] }

/** What is left to do before it goes out, in order. */
export const sendPage = async (
  context: Context,
  work: OfficeWork,
  row: CampaignRow,
  sent?: Sent,
): Promise<PageAnswer> => {
  const { db, venue, now } = work
  const zone = venue.timezone
  const head = campaignHead(row, 'send', zone)
  if (row.status === 'scheduled' || row.status === 'sending') {
    return page(row.name, html`${head} ${sent && mistakePart(sent)} ${stopPart(row, zone, now())}`)
  }
  const retryable = row.status === 'sent' ? await retryableCopies(db, venue.id, row.id) : 0
  if (row.status !== 'draft' && retryable === 0) {
    return page(
      row.name,
      html`${head}
        <section class="card">
          <p>${row.status === 'sent' ? 'This campaign was sent.' : 'This campaign was stopped; no more of it will be sent.'}</p>
          <div class="inline"><a class="button" href="${home}/${row.id}/report">Report</a></div>
        </section>`,
    )
  }
  const [venueRow, allowance, checked] = await Promise.all([
    venueOfSlug(db, venue.slug),
    allowanceOf(db, venue, now(), now()),
    checklistOf(context, work, row, now().add({ minutes: limits.sendHoldMinutes })),
  ])
  const people = pendingOf(row) + retryable
  const blockers = sent?.blockers.length ? sent.blockers : checked.blockers
  const isReady = row.test_sent_at !== null && row.composed_at !== null && people > 0
  return page(
    row.name,
    html`${head}
      <div class="with-side">
        <div class="stack">
          ${row.status === 'draft' && testPart(row, venueRow, zone)}
          ${listPart(row, people, retryable)}
          <section class="card form" id="send">
            <header><h2>Send it</h2></header>
            ${context.mail.kind === 'files' && html`<p class="hint">This service has no mail relay: emails are written to files on the server and reach nobody.</p>`}
            ${sent && mistakePart(sent)}
            ${
              isReady
                ? sendForm(row, people, retryable, sent ?? { typed: {} }, { zone, now: now() })
                : html`<p class="soft">${row.test_sent_at === null ? 'Send a test first.' : 'Build the list first.'}</p>`
            }
          </section>
        </div>
        <div class="stack">
          ${checklistPart({ ...checked, blockers })}
          <section class="card">
            <h2>Your plan this month</h2>
            <dl class="facts">
              <dt>Included</dt>
              <dd>${numberInWords(allowance.included)} emails</dd>
              <dt>Used or planned</dt>
              <dd>${numberInWords(allowance.used)}</dd>
              <dt>Left</dt>
              <dd>${numberInWords(allowance.left)} ${people > allowance.left && tag('too few', 'bad')}</dd>
            </dl>
          </section>
        </div>
      </div>`,
  )
}

const testPart = (row: CampaignRow, venue: VenueRow, zone: string): Html => {
  const [first, ...others] = venue.test_addresses
  return html`<section class="card form">
    <header>
      <h2>Test</h2>
      ${row.test_sent_at === null ? tag('not done', 'warn') : tag('done', 'good')}
    </header>
    ${
      first === undefined
        ? html`<p class="hint">No test addresses saved yet.</p>
            <div><a class="button" href="/office/settings/venue">Add test addresses</a></div>`
        : html`<p>
              ${
                row.test_sent_at === null
                  ? 'No test of this version has reached you yet. Changing the subject or the email requires a new one.'
                  : `A test reached you ${momentInWords(row.test_sent_at, zone)}. Nothing has changed since.`
              }
            </p>
            <p class="small soft breaks">
              One copy goes to ${first}${others.length > 0 && ` and ${others.length === 1 ? (others[0] ?? '') : `${others.length} more`}`}.
              <a href="/office/settings/venue">Change addresses</a>
            </p>
            <form method="post" action="${home}/${row.id}/test">
              <button ${row.test_sent_at === null && html`class="primary"`}>Send a test</button>
            </form>`
    }
  </section>`
}

const listPart = (row: CampaignRow, people: number, retryable: number): Html =>
  html`<section class="card">
    <header>
      <h2>People</h2>
      ${row.composed_at === null ? tag('not built', 'warn') : people === 0 ? tag('nobody', 'warn') : tag('built', 'good')}
    </header>
    ${
      retryable > 0
        ? html`<p>
            ${peopleWords(retryable)} did not get it because their mail server deferred it for a day. You can send it to them now; nobody gets it twice.
          </p>`
        : html`<p>${row.composed_at === null ? 'The list has not been built yet.' : `The list has ${peopleWords(people)}.`}
            ${row.held_count > 0 && heldWords(row)}</p>
            ${!row.reliable && html`<p class="mistake">It is not reliable: something it depends on was missing. Build it again.</p>`}
            <div><a class="button" href="${home}/${row.id}/people">${row.composed_at === null ? 'Choose people' : 'View people'}</a></div>`
    }
  </section>`

const heldWords = ({ row_count: people, held_count: held, holdout_pct: percent }: CampaignRow): string =>
  [
    `${peopleWords(held)} ${held === 1 ? 'is' : 'are'} held back for comparison.`,
    whatItTakes({ people, held, percent }) ?? '',
  ].join(' ')

const sendForm = (
  row: CampaignRow,
  people: number,
  retryable: number,
  seen: FormSeen,
  { zone, now }: { readonly zone: string; readonly now: Temporal.Instant },
): Html => {
  const isLater = seen.typed['when'] === 'later'
  const today = wallTimeOf(now, zone).date
  const typed = { date: today, ...seen.typed }
  return html`<form class="form" method="post" action="${home}/${row.id}/send">
    <fieldset class="when-to-send">
      <legend class="hidden-text">When</legend>
      <label class="check"
        ><input type="radio" name="when" value="now" ${!isLater && html`checked`} />
        <span>Now: it goes out ${limits.sendHoldMinutes} minutes after you press Send, and you can stop it until then</span></label
      >
      <label class="check"
        ><input type="radio" name="when" value="later" ${isLater && html`checked`} /> <span>Later, at a day and time</span></label
      >
      <div class="fields later">
        ${lineField({ typed }, { name: 'date', label: 'Day', type: 'date' })}
        ${lineField({ typed }, { name: 'time', label: `Time (${cityOf(zone)})`, placeholder: timeInWords('10:00') })}
      </div>
    </fieldset>
    ${lineField(seen, {
      name: 'confirmCount',
      label: `It goes to ${peopleWords(people)}. Type that number to confirm`,
      numeric: 'numeric',
      most: 12,
      required: true,
    })}
    <div class="inline">
      <button class="primary wide">${retryable > 0 ? 'Send again to' : 'Send to'} ${peopleWords(people)}</button>
    </div>
  </form>`
}
