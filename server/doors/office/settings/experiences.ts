import { openAccount } from '../../../core/money/account-store.ts'
import { guestSettingsOf } from '../../../core/venue/guest-settings.ts'
import { currencyOfVenue } from '../../../core/money/venue-currency.ts'
import { unpayableExperience } from '../../../book/reservations/guarantee/payable.ts'
import type { DocumentRules } from '../../../book/rules/booking-rules.ts'
import type { Experience } from '../../../book/rules/experiences/written-experience.ts'
import { documentBounds } from '../../../book/rules/rules-document-bounds.ts'
import { allBookingRules } from '../../../book/rules/rules-store.ts'
import { wordsIn } from '../../../messages/guest-words/words.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { type GuestLanguage, guestLanguages } from '../../../platform/kernel/guest-language.ts'
import { isoWeekdays, weekdayName } from '../../../platform/kernel/time/calendar.ts'
import { type Form, page } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import {
  type FormSeen,
  type Typed,
  areaField,
  choiceField,
  lineField,
  mistakePart,
  sentAgain,
  shownField,
  tickField,
} from '../parts/forms/fields.ts'
import { amountText, centsField, rateIn, rateText } from '../parts/money.ts'
import {
  filledRows,
  fitIn,
  partyFromField,
  servicesNamed,
  shownRows,
  termsFields,
  termsIn,
  type textIn,
  typedFit,
  typedTerms,
  whenFields,
} from './asking/asking-rows.ts'
import { inFormWords } from './mistake-words.ts'
import { numberOrText } from './limits/limit-rows.ts'
import { isStale, rulesVersionField, saveRules } from './save-rules.ts'
import { settingsHead } from './tabs.ts'

const home = '/office/settings/experiences'

/** What guests choose with their time on the venue's own page. */
export const experiencesPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work) => {
      const rules = await allBookingRules(work.db, work.venue.id)
      return page('Experiences', await body(work, rules, { typed: typedOf(rules) }))
    },
  },
  {
    method: 'POST',
    path: home,
    role: 'manager',
    answer: async (work, { form }) => {
      const experiences = rowsIn(form)
      const currency = await currencyOfVenue(work.db, work.venue.id)
      return saveRules(work, form, {
        action: 'change experiences',
        done: 'Saved. Bookings made until now keep what their guests chose.',
        back: home,
        edit: ({ experiences: _rows, ...document }) => ({ ...document, experiences }),
        refuses: (rules) => unpayableExperience(rules, currency),
      })
    },
    again: async (work, { form }, { message }) => {
      const rules = await allBookingRules(work.db, work.venue.id)
      const seen = sentAgain(form, inFormWords(message), isStale(rules, form) ? typedOf(rules) : undefined)
      return page('Experiences', await body(work, rules, seen))
    },
  },
]

const mostRows = documentBounds.experiences

const rowsIn = (form: Form) => {
  const taken = new Set(Array.from({ length: mostRows }, (_, i) => form.text(`key-${i}`).trim()))
  const read = (text: ReturnType<typeof textIn>, i: number) => {
    const asks = text('asks') || 'nothing'
    return {
      key: text('key') || newKey(text('name'), taken),
      name: text('name'),
      texts: guestLanguages
        .map((language) => ({
          language,
          name: text(`name-${language}`) || null,
          text: text(`text-${language}`) || null,
        }))
        .filter((one) => one.name !== null || one.text !== null),
      ...fitIn(text),
      weekdays: isoWeekdays.filter((day) => form.has(`day${day}-${i}`)),
      partyTo: numberOrText(text('partyTo')) ?? null,
      mostPerEvening: numberOrText(text('most')) ?? null,
      asks,
      ...(asks !== 'nothing' && termsIn(form, text, i)),
      ...(asks === 'prepaid' && {
        per: 'guest',
        feeCents: text('fee') === '' ? 0 : centsField(form, `fee-${i}`, 'The fee'),
        taxRate: text('tax') === '' ? 0 : rateIn(form, `tax-${i}`),
      }),
    }
  }
  return filledRows(form, { most: mostRows, by: 'name', read })
}

/** What programs call a new one: its name in small letters, with a number where another is called so. */
const newKey = (name: string, taken: Set<string>): string => {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[’']/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 34)
    .split('-')
    .filter((word) => word !== '')
    .join('-')
  const stem = plain === '' ? 'experience' : plain
  for (let n = 1; ; n++) {
    const key = n === 1 ? stem : `${stem}-${n}`
    if (taken.has(key)) continue
    taken.add(key)
    return key
  }
}

const typedOf = ({ experiences }: Pick<DocumentRules, 'experiences'>): Typed =>
  Object.fromEntries(
    experiences.flatMap((one, i) =>
      Object.entries(typedRow(one)).map(([name, value]) => [`${name}-${i}`, value]),
    ),
  )

const typedRow = (one: Experience): Record<string, string> => ({
  key: one.key,
  name: one.name,
  ...Object.fromEntries(
    one.texts.flatMap(({ language, name, text }) => [
      [`name-${language}`, name ?? ''],
      [`text-${language}`, text ?? ''],
    ]),
  ),
  ...typedFit(one),
  ...Object.fromEntries(one.weekdays.map((day) => [`day${day}`, 'yes'])),
  partyTo: one.partyTo === null ? '' : String(one.partyTo),
  most: one.mostPerEvening === null ? '' : String(one.mostPerEvening),
  asks: one.asks,
  ...typedTerms(one),
  ...(one.asks === 'nothing' && { hours: '' }),
  fee: one.feeCents === 0 ? '' : amountText(one.feeCents),
  tax: one.taxRate === 0 ? '' : rateText(one.taxRate),
})

const body = async ({ db, venue }: OfficeWork, rules: DocumentRules, form: FormSeen): Promise<Html> => {
  const [account, { settings }] = [await openAccount(db, venue.id), await guestSettingsOf(db, venue.id)]
  const about = {
    services: servicesNamed(rules.periods),
    languages: settings.languages,
    own: settings.language,
  }
  const rows = shownRows(form, { most: mostRows, by: 'name', show: (i) => rowFields(form, i, about) })
  const asks = rules.experiences.some((one) => one.asks !== 'nothing')
  return html`${settingsHead(home)}
    <section class="card">
      <form class="form" method="post" action="${home}">
        ${mistakePart(form)} ${rulesVersionField(rules)}${shownField(form)}
        <h2>Experiences</h2>
        <p class="soft">
          What guests choose with their time on your page: a menu, a counter, a tasting. Wherever some fit the size, day and time, the guest books one of them, and none when all of them are fully booked; add one that asks for nothing if guests may also have a table alone. One that asks for a card or for money wins over the rows of <a href="/office/settings/guarantees">Cards and deposits</a>.
        </p>
        ${
          account === undefined &&
          html`<p class="${asks ? 'error' : 'soft'}">
            Those that ask for a card or for money are not offered yet: connect a Stripe account under <a href="/office/settings/payments">Payments</a> first.
          </p>`
        }
        ${rows}
        <div><button class="primary">Save</button></div>
      </form>
    </section>`
}

type About = {
  readonly services: readonly string[]
  readonly languages: readonly GuestLanguage[]
  readonly own: GuestLanguage
}

const asking = [
  ['nothing', 'Nothing'],
  ['card', 'A card'],
  ['deposit', 'A deposit'],
  ['prepaid', 'The whole price'],
] as const

const rowFields = (form: FormSeen, i: number, about: About): Html => {
  const isNew = !form.typed[`key-${i}`]
  const words = (language: GuestLanguage): Html =>
    html`<div class="fields">
      ${lineField(form, { name: `name-${language}-${i}`, label: `Name in ${wordsIn(language).name}`, most: documentBounds.name, placeholder: form.typed[`name-${i}`] ?? '' })}
      ${areaField(form, { name: `text-${language}-${i}`, label: `Text in ${wordsIn(language).name}`, most: documentBounds.experienceText, rows: 2 })}
    </div>`
  const others = guestLanguages.filter(
    (one) => one !== about.own && (about.languages.includes(one) || hasWords(form, one, i)),
  )
  return html`<fieldset class="period form">
    <legend>${isNew ? 'New experience' : form.typed[`name-${i}`]}</legend>
    <input type="hidden" name="key-${i}" value="${form.typed[`key-${i}`]}" />
    <div class="fields">
      ${lineField(form, { name: `name-${i}`, label: 'Name', most: documentBounds.name, hint: isNew ? 'What your staff see, and guests too unless you write another below.' : 'Clear it to remove the experience.' })}
      ${lineField(form, { name: `most-${i}`, label: 'Parties an evening', numeric: 'numeric', hint: 'Empty: as many as there is room for.' })}
      ${partyFromField(form, i)}
      ${lineField(form, { name: `partyTo-${i}`, label: 'Parties up to', numeric: 'numeric' })}
      ${whenFields(form, i, about.services)}
    </div>
    <div class="inline" role="group" aria-label="Weekdays">
      ${isoWeekdays.map((day) => tickField(form, { name: `day${day}-${i}`, label: weekdayName(day) }))}
    </div>
    <p class="small soft">No weekday checked: every day.</p>
    <div class="fields">
      ${choiceField(form, { name: `asks-${i}`, label: 'Asks for', choices: asking })}
      ${termsFields(form, i, { amount: '95.00', hint: 'A price is always for each guest.' })}
      ${lineField(form, { name: `fee-${i}`, label: 'Fee for each guest', numeric: 'decimal', hint: 'On top of a price.' })}
      ${lineField(form, { name: `tax-${i}`, label: 'Tax (%)', numeric: 'decimal', hint: 'On top of a price, such as 8.875; empty where your prices include it.' })}
    </div>
    ${words(about.own)}
    ${
      others.length > 0 &&
      html`<details ${others.some((one) => hasWords(form, one, i)) && html`open`}>
        <summary>In other languages</summary>
        ${others.map(words)}
      </details>`
    }
    ${!isNew && html`<p class="small soft">Programs call it <code>${form.typed[`key-${i}`]}</code>.</p>`}
  </fieldset>`
}

const hasWords = ({ typed }: FormSeen, language: GuestLanguage, i: number): boolean =>
  ['name', 'text'].some((part) => typed[`${part}-${language}-${i}`])
