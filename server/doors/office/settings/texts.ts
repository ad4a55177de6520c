import type { Context } from '../../../context.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import {
  queueTestText,
  removeTextSender,
  saveTextSender,
  textSenderOf,
} from '../../../book/texts/sender-store.ts'
import { type TestText, lastTestText, textsSince } from '../../../book/texts/texts-store.ts'
import { actorOf } from '../frame/actor.ts'
import { go, page } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import {
  type FormSeen,
  lineField,
  mistakePart,
  tokenField,
  typedIn,
  versionField,
  versionIn,
} from '../parts/forms/fields.ts'
import { once } from '../parts/once.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { counted } from '../parts/pager.ts'
import { settingsHead } from './tabs.ts'

const home = '/office/settings/texts'

/** How the venue texts parties whose table is ready. */
export const textsPages = (context: Context): readonly VenuePage[] => [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work) => page('Texts', await textsBody(context, work)),
  },
  {
    method: 'POST',
    path: home,
    role: 'manager',
    answer: async (work, { form }) => {
      if (sendsNone(context)) throw new Refusal(400, 'A practice instance sends no texts.')
      await saveTextSender(context, work, actorOf(work.me), {
        account: form.text('account'),
        token: form.text('token'),
        from: form.text('from'),
        seenVersion: versionIn(form),
      })
      return go(home, 'Saved. Parties you page are texted from now on.')
    },
    again: async (work, { form }, { message }) =>
      page('Texts', await textsBody(context, work, { typed: typedIn(form), mistake: message })),
  },
  {
    method: 'POST',
    path: `${home}/test`,
    role: 'manager',
    answer: async (work, { form }) => {
      await once(work, 'test-text', form, async () => {
        await queueTestText(work, actorOf(work.me), form.text('to'))
        return work.venue.id
      })
      return go(home, 'The test is on its way. Open this page again to see the result.')
    },
    again: async (work, { form }, { message }) =>
      page('Texts', await textsBody(context, work, undefined, { typed: typedIn(form), mistake: message })),
  },
  {
    method: 'POST',
    path: `${home}/remove`,
    role: 'manager',
    answer: async (work) => {
      await removeTextSender(work, actorOf(work.me))
      return go(home, 'Removed. No more texts will be sent.')
    },
  },
]

/** A practice instance, unless a stand-in takes its texts. */
const sendsNone = ({ config }: Context): boolean => config.practice && config.twilioUrl === undefined

const textsBody = async (
  context: Context,
  work: OfficeWork,
  sent?: FormSeen,
  tested?: FormSeen,
): Promise<Html> => {
  const { db, venue } = work
  const row = await textSenderOf(db, venue.id)
  const month = Temporal.PlainDate.from(wallTimeOf(work.now(), venue.timezone).date)
    .with({ day: 1 })
    .toZonedDateTime(venue.timezone)
    .toInstant()
  const { texts, segments } = await textsSince(db, venue.id, month)
  const seen: FormSeen = sent
    ? { ...sent, typed: { ...sent.typed, token: '' } }
    : { typed: { account: row?.account ?? '', from: row?.from_number ?? '', token: '' } }
  const test = row && (await lastTestText(db, venue.id))
  return html`${settingsHead(home)}
    <div class="stack">
      <section class="card">
        <h2>Texts to parties</h2>
        <p class="soft">
          With a Twilio account of your own, <em>Page</em> texts a party that its table is ready. Each text is one segment and is sent once or not at all; the row shows how it went and what they answered. Anyone who answers STOP gets no more texts; this does not affect the newsletter.
        </p>
        ${sendsNone(context) && html`<p class="hint">A practice instance sends no texts: nothing can be saved here.</p>`}
        <form class="form" method="post" action="${home}">
          ${mistakePart(row ? seen : (tested ?? seen))} ${versionField(row?.version ?? 0)}
          ${lineField(seen, { name: 'account', label: 'Account SID', most: 40, placeholder: 'AC…' })}
          <label class="field"
            ><span>Auth token</span
            ><input name="token" type="password" autocomplete="off" maxlength="100" />
            <small>${row ? 'Stored encrypted and never shown. Leave blank to keep it.' : 'Stored encrypted and never shown again.'}</small></label
          >
          ${lineField(seen, { name: 'from', label: 'Number texts come from', most: 20, placeholder: '+1 212 555 0100' })}
          <div class="inline"><button class="primary">Save</button></div>
        </form>
      </section>
      ${
        row &&
        html`<section class="card" id="test">
          <h2>Send a test</h2>
          ${test && html`<p>${testWords(test, venue.timezone)}</p>`}
          <form class="form" method="post" action="${home}/test">
            ${tokenField()}
            ${mistakePart(tested ?? {})}
            ${lineField(tested ?? { typed: { to: row.test_number ?? '' } }, {
              name: 'to',
              label: 'Your own number',
              type: 'tel',
              most: 40,
              placeholder: '+1 212 555 0100',
            })}
            <div class="inline"><button>Send a test text</button></div>
          </form>
        </section>
        <section class="card">
          <h2>This month</h2>
          <p>${counted(texts, 'text')}, ${counted(segments, 'segment')}. The provider charges for each segment.</p>
          <h2>Answers</h2>
          <p class="soft">
            At Twilio, enter this address for incoming messages of the number:
            <code class="breaks">${context.config.publicUrl}/texts/${venue.slug}/replies</code>
          </p>
          <form method="post" action="${home}/remove" data-asks="Stop sending texts?">
            <button class="danger">Remove</button>
          </form>
        </section>`
      }
    </div>`
}

/** The result of the last test. */
const testWords = ({ state, answer, at }: TestText, zone: string): string => {
  const when = momentInWords(at, zone)
  switch (state) {
    case 'delivered':
      return `The test of ${when} arrived.`
    case 'sent':
      return `The provider has accepted the test of ${when}.`
    case 'failed':
      return `The test of ${when} failed: ${answer ?? 'the provider did not say why'}.`
    case 'unknown':
      return `The test of ${when} may not have arrived: ${answer ?? 'the provider did not answer'}.`
    default:
      return `The test of ${when} is on its way.`
  }
}
