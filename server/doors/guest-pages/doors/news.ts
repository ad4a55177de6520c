import { type Html, html } from '../../../platform/html/html.ts'
import { isEmailAddress } from '../../../platform/kernel/email.ts'
import { isGuestLanguage } from '../../../platform/kernel/guest-language.ts'
import { topicsOfVenue } from '../../../marketing/subscribers/preferences-store.ts'
import {
  confirmSignUp,
  confirmationOf,
  languageOfSubscriber,
  mailConfirmationAgain,
  signUpByGuest,
} from '../../../marketing/subscribers/sign-up.ts'
import { maskedAddress } from '../pages.ts'
import { type Mistakes, card, lineField, mistakeSummary, statePill, tickField } from '../frame/parts.ts'
import { originPart } from '../frame/origin.ts'
import { orAskedOften, trapMistake, trapPart } from '../frame/trap.ts'
import type { DoorPage, LinkPage } from '../frame/serve-visits.ts'
import { type ShownPage, type Visit, counted, doorPath, typed } from '../frame/visit.ts'
import { takingOr } from './taking.ts'

/** `/v/{slug}/news`: signing up for the venue's mail. */
export const newsPages: readonly DoorPage[] = [
  {
    method: 'GET',
    path: '/v/:slug/news',
    door: 'news',
    answer: takingOr(async (work, visit) => {
      const topics = await topicsOfVenue(work.db, work.venue.id)
      return signUpPage(visit, topics, {})
    }),
  },
  {
    method: 'POST',
    path: '/v/:slug/news',
    door: 'news',
    answer: takingOr(async (work, visit) => {
      const { words, venue } = visit
      const topics = await topicsOfVenue(work.db, work.venue.id)
      const email = typed(visit, 'email')
      const birthday = readBirthday(typed(visit, 'bday'), words.news.birthdayMonthFirst)
      const mistakes = await orAskedOften(work, visit, {
        ...trapMistake(visit),
        ...(!isEmailAddress(email) && { email: words.form.enterEmail }),
        ...(birthday === undefined && { bday: words.news.enterBirthday }),
      })
      if (birthday === undefined || Object.keys(mistakes).length > 0)
        return { ...signUpPage(visit, topics, mistakes), status: 400 }
      const chosen = new Set(visit.form.get('t'))
      await signUpByGuest(work, {
        email,
        firstName: typed(visit, 'given') || null,
        birthday,
        topics: topics.filter(({ id }) => chosen.has(String(id))).map(({ id }) => id),
        statement: words.news.consent(venue.name),
        pageUrl: `${visit.publicUrl}${visit.path}`,
        language: visit.language,
      })
      return counted(checkPage(visit, email), 'news', 'done')
    }),
  },
]

/** The box on other forms that asks for the venue's news; nothing where the venue has no news on its pages. */
export const newsTick = ({ settings, words, venue }: Visit, isTicked: boolean): Html | false =>
  settings.doors.includes('news') && tickField('news', 'yes', words.book.news(venue.name), isTicked)

/** What was agreed to by that box; null: it was left as it was. Undefined: nobody was asked. */
export const newsChosen = ({ settings, form, words, venue, publicUrl, path }: Visit) => {
  if (!settings.doors.includes('news')) return undefined
  return form.has('news') ? { statement: words.book.news(venue.name), pageUrl: `${publicUrl}${path}` } : null
}

const languageOfSignUp: LinkPage['languageOf'] = async ({ db, venue }, { record }) => {
  const kept = await languageOfSubscriber(db, venue.id, record)
  return kept !== null && isGuestLanguage(kept) ? kept : null
}

/** `/c/{token}`: one large button. A GET changes nothing, since mail scanners follow every link. */
export const confirmPages: readonly LinkPage[] = [
  {
    method: 'GET',
    path: '/c/:token',
    purpose: 'confirm',
    languageOf: languageOfSignUp,
    answer: async (work, visit, { record }) => {
      const found = await confirmationOf(work, record)
      switch (found.state) {
        case 'waits':
          return askPage(visit, found.email)
        case 'confirmed':
          return donePage(visit)
        case 'old':
          return oldPage(visit)
        case 'over':
          return lostPage(visit)
        default:
          return found satisfies never
      }
    },
  },
  {
    method: 'POST',
    path: '/c/:token',
    purpose: 'confirm',
    languageOf: languageOfSignUp,
    answer: async (work, visit, { record }) => {
      if (typed(visit, 'do') === 'again') {
        await mailConfirmationAgain(work, record)
        return againPage(visit)
      }
      const found = await confirmSignUp(work, record)
      if (found.state === 'confirmed') return donePage(visit)
      return found.state === 'over' ? lostPage(visit) : oldPage(visit)
    },
  },
]

type Topic = { readonly id: number; readonly name: string }

const signUpPage = (visit: Visit, topics: readonly Topic[], mistakes: Mistakes): ShownPage => {
  const { words, venue } = visit
  const title = words.news.title(venue.name)
  const chosen = new Set(visit.form.get('t'))
  return {
    title,
    look: 'narrow',
    description: words.news.intro,
    body: card(html`
      ${mistakeSummary(words, mistakes)}
      <div class="stack">
        <h1>${title}</h1>
        <p>${words.news.intro}</p>
      </div>
      <form class="fields" method="post" action="${visit.link(doorPath(venue, 'news'))}" novalidate>
        ${trapPart(visit, mistakes)} ${originPart(visit, 'news')}
        ${lineField({
          name: 'email',
          label: words.form.email,
          value: typed(visit, 'email'),
          type: 'email',
          inputmode: 'email',
          autocomplete: 'email',
          required: true,
          most: 254,
          mistake: mistakes['email'],
        })}
        <div class="two">
          ${lineField({
            name: 'given',
            label: words.news.firstName,
            value: typed(visit, 'given'),
            optional: words.page.optional,
            autocomplete: 'given-name',
          })}
          ${lineField({
            name: 'bday',
            label: words.news.birthday,
            value: typed(visit, 'bday'),
            optional: words.page.optional,
            hint: words.news.birthdayHint,
            most: 10,
            mistake: mistakes['bday'],
          })}
        </div>
        ${
          topics.length > 0 &&
          html`<fieldset>
            <legend>${words.news.topics}</legend>
            ${topics.map(({ id, name }) => tickField('t', String(id), name, chosen.has(String(id))))}
          </fieldset>`
        }
        <div class="stack">
          <p class="hint">${words.news.consent(venue.name)}</p>
          <button class="btn">${words.news.submit}</button>
        </div>
      </form>
    `),
  }
}

/** The same for known and unknown addresses. */
const checkPage = (visit: Visit, email: string): ShownPage => {
  const { words, venue } = visit
  const [before, address, after] = words.news.check(email)
  return {
    title: words.news.checkTitle,
    look: 'narrow',
    body: card(
      html`<div class="stack">
        <h1>${words.news.checkTitle}</h1>
        <p role="status">${before}<b>${address}</b>${after}</p>
        <p class="hint">
          ${words.news.checkHint} <a href="${visit.link(doorPath(venue, 'news'))}">${words.news.tryAgain}</a>.
        </p>
      </div>`,
    ),
  }
}

const askPage = (visit: Visit, email: string): ShownPage => {
  const { words, venue } = visit
  const [before, address, after] = words.news.confirm(venue.name, maskedAddress(email))
  return {
    title: words.news.confirmTitle,
    look: 'narrow',
    body: card(
      html`<div class="stack">
          <h1>${words.news.confirmTitle}</h1>
          <p>${before}<b>${address}</b>${after}</p>
        </div>
        <form class="stack" method="post" action="${visit.link(visit.path)}">
          <button class="btn">${words.news.confirmSubmit}</button>
          <p class="hint">${words.news.confirmHint}</p>
        </form>`,
    ),
  }
}

const donePage = ({ words, venue, link }: Visit): ShownPage => ({
  title: words.news.doneTitle,
  look: 'narrow',
  body: card(
    html`<div class="stack">
        ${statePill('good', 'check', words.news.state)}
        <h1>${words.news.doneTitle}</h1>
        <p role="status">${words.news.done}</p>
      </div>
      <div class="acts"><a class="btn line" href="${link(doorPath(venue))}">${words.page.home(venue.name)}</a></div>`,
  ),
})

const oldPage = (visit: Visit): ShownPage => ({
  title: visit.words.news.oldTitle,
  look: 'narrow',
  body: card(
    html`<div class="stack">
        <h1>${visit.words.news.oldTitle}</h1>
        <p>${visit.words.news.old}</p>
      </div>
      <form class="acts" method="post" action="${visit.link(visit.path)}">
        <input type="hidden" name="do" value="again" />
        <button class="btn">${visit.words.news.oldSubmit}</button>
      </form>`,
  ),
})

const againPage = ({ words }: Visit): ShownPage => ({
  title: words.news.againTitle,
  look: 'narrow',
  body: card(
    html`<div class="stack">
      <h1>${words.news.againTitle}</h1>
      <p role="status">${words.news.again}</p>
    </div>`,
  ),
})

/** A link that no longer leads anywhere looks like one that never did. */
export const lostPage = ({ words, venue, link }: Visit): ShownPage => ({
  title: words.lost.title,
  look: 'narrow',
  status: 404,
  body: card(
    html`<div class="stack">
        <h1>${words.lost.title}</h1>
        <p>${words.lost.text}</p>
      </div>
      <div class="acts"><a class="btn" href="${link(doorPath(venue))}">${words.page.home(venue.name)}</a></div>`,
  ),
})

/** A month and a day, in the order of the language; null if empty, undefined if it is not a valid date. */
const readBirthday = (
  text: string,
  monthFirst: boolean,
): { readonly month: number; readonly day: number } | null | undefined => {
  if (text === '') return null
  const [, one, two] = /^(\d{1,2})\s*[/.-]\s*(\d{1,2})$/.exec(text) ?? []
  if (one === undefined || two === undefined) return undefined
  const [month, day] = monthFirst ? [Number(one), Number(two)] : [Number(two), Number(one)]
  const most = month >= 1 && month <= 12 ? Temporal.PlainYearMonth.from({ year: 2024, month }).daysInMonth : 0
  return day >= 1 && day <= most ? { month, day } : undefined
}
