import { chooseLanguage } from '../../messages/guest-words/choose-language.ts'
import { wordsIn } from '../../messages/guest-words/words.ts'
import { type Content, type Html, html } from '../../platform/html/html.ts'
import { guestLanguages } from '../../platform/kernel/guest-language.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { type Preferences, pauses } from '../../marketing/subscribers/preferences.ts'
import type { VenueRow } from '../../core/venue/venues.ts'
import type { Speaking } from '../../messages/guest-mail/writing.ts'
import { type Look, plainFrame } from './frame/whole-page.ts'

/* The pages behind the links of each news mail, in the guest's language. */

/** What each of them is made from. */
export type Mailing = {
  readonly look: Look
  readonly venue: Pick<VenueRow, 'name' | 'timezone'>
  readonly speaking: Speaking
}

/** One button and nothing else to do. */
export const leavePage = (mailing: Mailing, person: Preferences): Html => {
  if (person.status === 'unsubscribed') return leftPage(mailing)
  const { name } = mailing.venue
  const { words } = mailing.speaking
  return page(
    mailing,
    words.mailing.leaveTitle(name),
    html`<h1>${words.mailing.leaveHead}</h1>
      <p>${around(words.mailing.leaveText(name, maskedAddress(person.email)))}</p>
      <form method="post"><button class="btn">${words.mailing.leave}</button></form>
      <p class="hint">${words.mailing.leaveHint}</p>`,
  )
}

export const leftPage = (mailing: Mailing): Html => {
  const { name } = mailing.venue
  const { words } = mailing.speaking
  return page(
    mailing,
    words.mailing.leftTitle,
    html`<h1>${words.mailing.leftTitle}</h1>
      <p role="status">${words.mailing.left(name)}</p>
      <p class="hint">${words.mailing.leftHint(name)}</p>`,
  )
}

export const choicesPage = (
  mailing: Mailing,
  person: Preferences,
  { path, saved = false }: { readonly path: string; readonly saved?: boolean },
): Html => {
  if (person.status === 'unsubscribed') return leftPage(mailing)
  const { name, timezone } = mailing.venue
  const { words, formats } = mailing.speaking
  const { mailing: said } = words
  const pausedUntil = person.mail_paused_until
  return page(
    mailing,
    said.title(name),
    html`<h1>${said.head(name)}</h1>
      ${saved && html`<p class="note good" role="status">${said.saved}</p>`}
      <p>${around(said.whose(maskedAddress(person.email)))}</p>
      <form method="post" action="${path}" class="fields">
        <fieldset>
          <legend>${said.pause}</legend>
          ${choice('pause', '', said.noPause, pausedUntil === null)}
          ${
            pausedUntil !== null &&
            choice(
              'pause',
              'keep',
              said.pausedUntil(formats.date(wallTimeOf(toInstant(pausedUntil), timezone).date)),
              true,
            )
          }
          ${pauses.map((days) => choice('pause', String(days), said.pauseFor(formats.number(days)), false))}
        </fieldset>
        <fieldset>
          <legend>${said.what}</legend>
          <label class="tick"
            ><input type="checkbox" name="birthday" value="yes" ${person.birthday_mails && html`checked`} /> ${said.birthday}</label
          >
          ${person.topics.map(
            ({ id, name: topic, chosen }) =>
              html`<label class="tick"
                ><input type="checkbox" name="topic" value="${id}" ${chosen && html`checked`} /> ${topic}</label
              >`,
          )}
        </fieldset>
        <button class="btn">${said.save}</button>
      </form>
      <form method="post" action="${path}" class="fields">
        <input type="hidden" name="do" value="leave" />
        <button class="btn line">${said.leaveAll}</button>
      </form>`,
  )
}

/** Their record was erased; there is nothing left to choose, and nothing more is sent. */
export const goneSubscriber = (mailing: Mailing): Html => {
  const { name } = mailing.venue
  const { words } = mailing.speaking
  return page(
    mailing,
    words.mailing.goneTitle,
    html`<h1>${words.mailing.goneTitle}</h1>
      <p>${words.mailing.gone(name)}</p>`,
  )
}

/** A damaged link, or one of a venue that is gone: in the browser's language, as nothing else is known. */
export const lostLinkPage = (look: Look, preferred: string | undefined): Html => {
  const language = chooseLanguage(guestLanguages, 'en', undefined, preferred)
  const { lost } = wordsIn(language)
  return plainFrame(look, lost.title, html`<h1>${lost.title}</h1><p role="alert">${lost.text}</p>`, language)
}

/** Nobody could look at the press, such as in a rush for tickets: in the browser's language. */
export const busyPage = (look: Look, preferred: string | undefined): Html => {
  const language = chooseLanguage(guestLanguages, 'en', undefined, preferred)
  const { busy } = wordsIn(language)
  return plainFrame(look, busy.title, html`<h1>${busy.title}</h1><p role="alert">${busy.text}</p>`, language)
}

export const mistakePage = (look: Look, sentence: string): Html =>
  plainFrame(look, 'That did not work', html`<h1>That did not work</h1><p role="alert">${sentence}</p>`)

/** Enough to recognize one's own address, too little to learn somebody else's from a forwarded mail. */
export const maskedAddress = (email: string): string => {
  const at = email.lastIndexOf('@')
  return `${Array.from(email)[0]}•••${email.slice(at)}`
}

const page = ({ look, venue, speaking }: Mailing, title: string, body: Content): Html =>
  plainFrame(look, title, html`<p class="soft">${venue.name}</p>${body}`, speaking.language)

const around = ([before, address, after]: readonly [string, string, string]): Html =>
  html`${before}<strong>${address}</strong>${after}`

const choice = (name: string, value: string, words: Content, checked: boolean): Html =>
  html`<label class="tick"
    ><input type="radio" name="${name}" value="${value}" ${checked && html`checked`} /> ${words}</label
  >`
