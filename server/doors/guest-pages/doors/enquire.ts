import { limits } from '@venue-data/contract/limits.ts'
import { eventDateInWords } from '../../../messages/guest-mail/inquiry.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { type SentForm, madeByForm, makeOnce } from '../../../platform/http/form-token.ts'
import { isEmailAddress } from '../../../platform/kernel/email.ts'
import { phoneKey } from '../../../platform/kernel/phone/phone.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { inquireByGuest } from '../../../crm/leads/inquire.ts'
import {
  type Mistakes,
  areaField,
  card,
  choiceField,
  lineField,
  mistakeSummary,
  statePill,
} from '../frame/parts.ts'
import { originPart } from '../frame/origin.ts'
import { formToken, orAskedOften, trapMistake, trapPart } from '../frame/trap.ts'
import type { DoorPage } from '../frame/serve-visits.ts'
import { type ShownPage, type Visit, counted, doorPath, typed } from '../frame/visit.ts'
import { takingOr } from './taking.ts'

/** `/v/{slug}/enquire`: asking about a private event. */
export const enquirePages: readonly DoorPage[] = [
  {
    method: 'GET',
    path: '/v/:slug/enquire',
    door: 'enquire',
    answer: takingOr(async (_work, visit) => formPage(visit, {})),
  },
  {
    method: 'POST',
    path: '/v/:slug/enquire',
    door: 'enquire',
    answer: takingOr(async (work, visit) => {
      const sent = sentForm(visit)
      if (!sent) return { ...formPage(visit, mistakesIn(visit)), status: 400 }
      const made = await makeOnce(work, sent, async () => {
        const mistakes = await orAskedOften(work, visit, mistakesIn(visit))
        if (Object.keys(mistakes).length > 0) return { ...formPage(visit, mistakes), status: 400 }
        const { id } = await inquireByGuest(
          work,
          visit.settings,
          {
            contactName: typed(visit, 'name'),
            contactEmail: typed(visit, 'email'),
            contactPhone: typed(visit, 'tel'),
            occasion: typed(visit, 'occasion'),
            guestCount: typed(visit, 'size'),
            eventDate: dateSaid(visit),
            budgetPerPerson: typed(visit, 'budget'),
            diningStyle: typed(visit, 'style'),
            dietaryNeeds: typed(visit, 'diet'),
            notes: typed(visit, 'words'),
          },
          visit.language,
        )
        return id
      })
      return typeof made === 'number' ? counted(sentPage(visit), 'enquire', 'done') : made
    }),
    sentBefore: async ({ db, venue }, visit) => {
      const sent = sentForm(visit)
      const made = sent && (await madeByForm(db, venue.id, sent))
      return made === undefined ? undefined : sentPage(visit)
    },
  },
]

const sentForm = (visit: Visit): SentForm | undefined => {
  const token = formToken(visit)
  return token === undefined ? undefined : { form: 'enquire', token, body: '' }
}

const mistakesIn = (visit: Visit): Mistakes => {
  const { form, inquire } = visit.words
  const email = typed(visit, 'email')
  const phone = typed(visit, 'tel')
  const tooLong = (name: string, most: number): Mistakes =>
    Array.from(typed(visit, name)).length > most ? { [name]: form.tooLong(visit.formats.number(most)) } : {}
  return {
    ...trapMistake(visit),
    ...tooLong('size', limits.shortTextCharacters),
    ...(Array.from(dateSaid(visit)).length > limits.shortTextCharacters && {
      date: form.tooLong(visit.formats.number(limits.shortTextCharacters)),
    }),
    ...tooLong('budget', limits.shortTextCharacters),
    ...tooLong('diet', limits.shortTextCharacters),
    ...tooLong('words', mostWords),
    ...(typed(visit, 'size') === '' && { size: inquire.enterSize }),
    ...(typed(visit, 'name') === '' && { name: form.enterName }),
    ...tooLong('name', limits.nameCharacters),
    ...(!isEmailAddress(email) && { email: form.enterEmail }),
    ...(phone !== '' && !phoneKey(phone) && { tel: form.enterPhone }),
  }
}

const mostWords = 2_000

/** The day that was picked and what was said in words, as one text. */
const dateSaid = (visit: Visit): string =>
  [typed(visit, 'day'), typed(visit, 'date')].filter((one) => one !== '').join(', ')

const formPage = (visit: Visit, mistakes: Mistakes): ShownPage => {
  const { words, venue } = visit
  const { inquire, form, page } = words
  const line = (name: string, label: string, more: object = {}): Html =>
    lineField({ name, label, value: typed(visit, name), mistake: mistakes[name], ...more })
  const same = (one: string): readonly [string, string] => [one, one]
  return {
    title: `${inquire.title} · ${venue.name}`,
    look: 'narrow',
    description: inquire.intro,
    body: card(html`${mistakeSummary(words, mistakes)}
        <div class="stack">
          <h1>${inquire.title}</h1>
          <p>${inquire.intro}</p>
        </div>
        <form class="fields" method="post" action="${visit.link(doorPath(venue, 'enquire'))}" novalidate>
          ${trapPart(visit, mistakes)} ${originPart(visit, 'enquire')}
          <h2>${inquire.event}</h2>
          <div class="two">
            ${choiceField({
              name: 'occasion',
              label: inquire.occasion,
              value: typed(visit, 'occasion'),
              optional: page.optional,
              // Nothing is chosen beforehand.
              choices: [['', inquire.choose], ...inquire.occasions.map(same)],
            })}
            ${line('size', inquire.size, { optional: inquire.sizeHint })}
          </div>
          <div class="two">
            ${line('day', inquire.date, {
              type: 'date',
              optional: page.optional,
              least: wallTimeOf(visit.now, venue.timezone).date,
            })}
            ${line('date', inquire.dateWords, { hint: inquire.dateHint })}
          </div>
          <div class="two">
            ${line('budget', inquire.budget, { optional: page.optional })}
            ${choiceField({
              name: 'style',
              label: inquire.style,
              value: typed(visit, 'style'),
              choices: inquire.styles.map((one, at) => [at === 0 ? '' : one, one] as const),
            })}
          </div>
          ${line('diet', inquire.diet, { optional: page.optional })}
          ${areaField({
            name: 'words',
            label: inquire.more,
            value: typed(visit, 'words'),
            optional: page.optional,
            rows: 4,
            most: mostWords,
            mistake: mistakes['words'],
          })}
          <hr />
          <h2>${inquire.you}</h2>
          ${line('name', form.name, { autocomplete: 'name', required: true })}
          <div class="two">
            ${line('email', form.email, { type: 'email', inputmode: 'email', autocomplete: 'email', required: true, most: 254 })}
            ${line('tel', form.phone, { type: 'tel', autocomplete: 'tel', optional: page.optional })}
          </div>
          <div class="stack">
            <button class="btn">${inquire.submit}</button>
            <p class="hint">${inquire.submitHint}</p>
          </div>
        </form>`),
  }
}

/** A number of guests, if it is said as one. */
const sizeSaid = (visit: Visit): number | null => {
  const said = typed(visit, 'size')
  return /^[1-9]\d{0,3}$/.test(said) ? Number(said) : null
}

const sentPage = (visit: Visit): ShownPage => {
  const { words, venue } = visit
  const { inquire } = words
  const [before, address, after] = inquire.sent(typed(visit, 'email'))
  const facts = [
    [inquire.occasion, typed(visit, 'occasion')],
    [inquire.size, typed(visit, 'size')],
    [inquire.date, eventDateInWords(dateSaid(visit), visit.formats)],
    [inquire.style, typed(visit, 'style')],
  ] as const
  return {
    title: inquire.sentState,
    look: 'narrow',
    booked: { door: 'enquire', partySize: sizeSaid(visit) },
    body: card(html`<div class="stack">
          ${statePill('good', 'check', inquire.sentState)}
          <h1>${inquire.sentTitle(typed(visit, 'name'))}</h1>
          <p role="status">${before}<b>${address}</b>${after}</p>
        </div>
        <dl class="facts">
          ${facts.map(
            ([label, value]) =>
              value !== '' &&
              html`<dt>${label}</dt>
                <dd>${value}</dd>`,
          )}
        </dl>
        <div class="acts">
          <a class="btn line" href="${visit.link(doorPath(venue))}">${words.page.home(venue.name)}</a>
        </div>`),
  }
}
