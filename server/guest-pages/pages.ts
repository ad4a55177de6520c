import { type Content, type Html, html } from '../html/html.ts'
import { type Moment, toInstant } from '../kernel/moment.ts'
import { type Preferences, pauses } from '../subscribers/preferences.ts'
import type { Venue } from '../venue/venue.ts'
import { type Look, plainFrame } from './frame/whole-page.ts'

type PageVenue = Pick<Venue, 'name' | 'timezone'>

/** One button and nothing else to do. */
export const leavePage = (look: Look, { name }: PageVenue, person: Preferences): Html =>
  person.status === 'unsubscribed'
    ? leftPage(look, { name })
    : plainFrame(
        look,
        `Unsubscribe from ${name}`,
        html`<p class="soft">${name}</p>
          <h1>Unsubscribe?</h1>
          <p>${name} will send no more email to <strong>${maskedAddress(person.email)}</strong>.</p>
          <form method="post"><button class="btn">Unsubscribe</button></form>
          <p class="hint">Email about your own bookings is not affected.</p>`,
      )

export const leftPage = (look: Look, { name }: Pick<PageVenue, 'name'>): Html =>
  plainFrame(
    look,
    `Unsubscribed from ${name}`,
    html`<p class="soft">${name}</p>
      <h1>You are unsubscribed</h1>
      <p role="status">${name} will send you no more email. A message already on its way may still arrive.</p>
      <p class="hint">Was this a mistake? You can join the list again with ${name} at any time.</p>`,
  )

export const choicesPage = (
  look: Look,
  { name, timezone }: PageVenue,
  person: Preferences,
  { token, saved = false }: { readonly token: string; readonly saved?: boolean },
): Html => {
  if (person.status === 'unsubscribed') return leftPage(look, { name })
  const pausedUntil = person.mail_paused_until
  return plainFrame(
    look,
    `Email from ${name}`,
    html`<p class="soft">${name}</p>
      <h1>Your email from ${name}</h1>
      ${saved && html`<p class="note good" role="status">Saved.</p>`}
      <p>For <strong>${maskedAddress(person.email)}</strong>.</p>
      <form method="post" action="/p/${token}" class="fields">
        <fieldset>
          <legend>Pause</legend>
          ${choice('pause', '', 'No pause', pausedUntil === null)}
          ${
            pausedUntil !== null &&
            choice('pause', 'keep', `No email until ${dayOf(pausedUntil, timezone)}`, true)
          }
          ${pauses.map((days) => choice('pause', String(days), `No email for ${days} days`, false))}
        </fieldset>
        <fieldset>
          <legend>What to send</legend>
          <label class="tick"
            ><input type="checkbox" name="birthday" value="yes" ${person.birthday_mails && html`checked`} /> Something
            for my birthday</label
          >
          ${person.topics.map(
            ({ id, name: topic, chosen }) =>
              html`<label class="tick"
                ><input type="checkbox" name="topic" value="${id}" ${chosen && html`checked`} /> ${topic}</label
              >`,
          )}
        </fieldset>
        <button class="btn">Save</button>
      </form>
      <form method="post" action="/p/${token}" class="fields">
        <input type="hidden" name="do" value="leave" />
        <button class="btn line">Unsubscribe from everything</button>
      </form>`,
  )
}

/** Their record was erased; there is nothing left to choose, and nothing is sent any more. */
export const goneSubscriber = (look: Look, { name }: PageVenue): Html =>
  plainFrame(
    look,
    `Email from ${name}`,
    html`<p class="soft">${name}</p>
      <h1>You are not on the list</h1>
      <p>${name} no longer has this address on its email list and sends nothing to it.</p>`,
  )

export const mistakePage = (look: Look, sentence: string): Html =>
  plainFrame(look, 'That did not work', html`<h1>That did not work</h1><p role="alert">${sentence}</p>`)

/** Enough to recognize one's own address, too little to learn somebody else's from a forwarded mail. */
export const maskedAddress = (email: string): string => {
  const at = email.lastIndexOf('@')
  return `${Array.from(email)[0]}•••${email.slice(at)}`
}

const choice = (name: string, value: string, words: Content, checked: boolean): Html =>
  html`<label class="tick"
    ><input type="radio" name="${name}" value="${value}" ${checked && html`checked`} /> ${words}</label
  >`

const dayOf = (moment: Moment, timezone: string): string =>
  toInstant(moment).toZonedDateTimeISO(timezone).toPlainDate().toLocaleString('en', { dateStyle: 'long' })
