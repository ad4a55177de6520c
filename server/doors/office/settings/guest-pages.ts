import type { Context } from '../../../context.ts'
import { wordsIn } from '../../../messages/guest-words/words.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import {
  type GuestLanguage,
  guestLanguages,
  isGuestLanguage,
} from '../../../platform/kernel/guest-language.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { venuePreview } from '../../guest-pages/doors/preview.ts'
import { failedStaffMails } from '../../../mail/mail-staff.ts'
import { type KeptGuestSettings, guestSettingsOf } from '../../../core/venue/guest-settings.ts'
import { changeGuestSettings } from '../../../book/rules/change-guest-settings.ts'
import {
  type Asking,
  type GuestSettings,
  type GuestTexts,
  addressParts,
  askings,
  guestDoors,
  guestSettingsMistakes,
} from '../../../core/venue/guest-settings-rules.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, go, page } from '../frame/page.ts'
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
  versionField,
  versionIn,
} from '../parts/forms/fields.ts'
import { failedStaffMailPart } from '../service/staff-mail.ts'
import { frameSiteForm, frameSitePages, frameSitesPart } from './frame-sites.ts'
import { logoFields, logoForms, logoPages } from './logo.ts'
import { settingsHead } from './tabs.ts'

const home = '/office/settings/guest-pages'

/** What guests see and may do by themselves, with the page as it would look. */
export const guestSettingsPages = (context: Context): readonly VenuePage[] => [
  ...logoPages(context),
  ...frameSitePages,
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work) => {
      const kept = await guestSettingsOf(work.db, work.venue.id)
      return bodyPage(context, work, { typed: typedOf(kept.settings) }, kept)
    },
  },
  {
    method: 'POST',
    path: home,
    role: 'manager',
    answer: async (work, { form }) => {
      await changeGuestSettings(work, actorOf(work.me), {
        changes: settingsIn(form),
        seen: versionIn(form),
      })
      return go(home, 'Guest pages saved.')
    },
    again: async (work, { form }, { message }) => {
      const kept = await guestSettingsOf(work.db, work.venue.id)
      const { settings, version } = kept
      const isStale = form.text('version') !== String(version)
      const seen = sentAgain(form, message, isStale ? typedOf(settings) : undefined)
      return bodyPage(context, work, seen, kept)
    },
  },
  {
    method: 'GET',
    path: `${home}/preview`,
    role: 'manager',
    answer: async (work) => {
      const { settings, logo } = await guestSettingsOf(work.db, work.venue.id)
      return { kind: 'preview', document: await venuePreview(context, work, settings, logo) }
    },
  },
  {
    method: 'POST',
    path: `${home}/preview`,
    role: 'manager',
    apart: true,
    answer: async (work, { form }) => {
      const { settings, logo } = await guestSettingsOf(work.db, work.venue.id)
      const changed = { ...settings, ...settingsIn(form) }
      const mistakes = guestSettingsMistakes(changed)
      if (mistakes.length > 0) throw badRequest(mistakes.join('\n'))
      return { kind: 'preview', document: await venuePreview(context, work, changed, logo) }
    },
  },
]

const doorNames = {
  book: 'Book a table',
  waitlist: 'Join today’s line, and the list for another day',
  enquire: 'Inquire about a private event',
  news: 'Sign up for news',
  tickets: 'Buy tickets for events',
} as const

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** A number that cannot be read is refused with the sentence of its field. */
const numberIn = (form: Form, name: string, otherwise: number): number =>
  form.text(name).trim() === '' ? otherwise : Number(form.text(name))

const settingsIn = (form: Form): Partial<GuestSettings> => {
  const language = form.text('language')
  const texts: { -readonly [L in keyof GuestSettings['texts']]: GuestTexts } = {}
  for (const one of guestLanguages) {
    const text = (name: string): string | null =>
      form.text(`${name}-${one}`).replaceAll('\r\n', '\n').trim() || null
    texts[one] = { welcome: text('welcome'), policy: text('policy') }
  }
  const upTo = form.text('confirmUpTo').trim()
  return {
    doors: guestDoors.filter((door) => form.has(`door-${door}`)),
    ...(isGuestLanguage(language) && { language }),
    languages: guestLanguages.filter((one) => one === language || form.has(`language-${one}`)),
    accent: form.text('accent').trim().toLowerCase(),
    texts,
    confirmUpTo: upTo === '' ? null : Number(upTo),
    confirmServices: linesOf(form.text('confirmServices')),
    cancelMinutes: numberIn(form, 'cancelMinutes', 0),
    reminderHours: numberIn(form, 'reminderHours', 0),
    askPhone: form.text('askPhone') as Asking,
    askOccasion: form.has('askOccasion'),
    askSeating: form.has('askSeating'),
    questions: linesOf(form.text('questions')),
    staffMail: form.text('staffMail').trim() || null,
    frameSites: linesOf(form.text('frameSites')),
    found: form.has('found'),
    menuUrl: form.text('menuUrl').trim() || null,
    pictureUrl: form.text('pictureUrl').trim() || null,
    cuisines: linesOf(form.text('cuisines')),
    address: {
      street: form.text('street').trim() || null,
      city: form.text('city').trim() || null,
      region: form.text('region').trim() || null,
      postalCode: form.text('postalCode').trim() || null,
    },
    lineOpensMinutes: numberIn(form, 'lineOpensMinutes', 60),
    offerMinutes: numberIn(form, 'offerMinutes', 30),
    offersBySelf: form.has('offersBySelf'),
    mailConnected: form.has('mailConnected'),
  }
}

const yes = (is: boolean): string => (is ? 'yes' : '')

const typedOf = (settings: GuestSettings): Typed => ({
  ...Object.fromEntries(guestDoors.map((door) => [`door-${door}`, yes(settings.doors.includes(door))])),
  ...Object.fromEntries(
    guestLanguages.flatMap((one) => [
      [`language-${one}`, yes(settings.languages.includes(one))],
      [`welcome-${one}`, settings.texts[one]?.welcome ?? ''],
      [`policy-${one}`, settings.texts[one]?.policy ?? ''],
    ]),
  ),
  language: settings.language,
  accent: settings.accent,
  confirmUpTo: settings.confirmUpTo === null ? '' : String(settings.confirmUpTo),
  confirmServices: settings.confirmServices.join('\n'),
  cancelMinutes: String(settings.cancelMinutes),
  reminderHours: String(settings.reminderHours),
  askPhone: settings.askPhone,
  askOccasion: yes(settings.askOccasion),
  askSeating: yes(settings.askSeating),
  questions: settings.questions.join('\n'),
  staffMail: settings.staffMail ?? '',
  frameSites: settings.frameSites.join('\n'),
  found: yes(settings.found),
  menuUrl: settings.menuUrl ?? '',
  pictureUrl: settings.pictureUrl ?? '',
  cuisines: settings.cuisines.join('\n'),
  ...Object.fromEntries(addressParts.map((part) => [part, settings.address[part] ?? ''])),
  lineOpensMinutes: String(settings.lineOpensMinutes),
  offerMinutes: String(settings.offerMinutes),
  offersBySelf: yes(settings.offersBySelf),
  mailConnected: yes(settings.mailConnected),
})

const askingWords: Record<Asking, string> = {
  no: 'Do not ask',
  optional: 'Ask, but do not require it',
  required: 'Require it',
}

/** The venue's own texts in a language. */
const textFields = (form: FormSeen, language: GuestLanguage): Html => {
  const { name } = wordsIn(language)
  return html`${areaField(form, { name: `welcome-${language}`, label: `Welcome (${name})`, most: 1_000, rows: 2 })}
  ${areaField(form, {
    name: `policy-${language}`,
    label: `Before guests book (${name})`,
    most: 1_000,
    rows: 2,
    hint: 'How long a table is held, what a late cancellation means.',
  })}`
}

const hasText = ({ typed }: FormSeen, language: GuestLanguage): boolean =>
  [typed[`welcome-${language}`], typed[`policy-${language}`]].some((text) => (text ?? '') !== '')

/** What a venue pastes into its own site. */
const embedTag = (publicUrl: string, slug: string): string =>
  `<script async src="${publicUrl}/embed.js" data-venue="${slug}" data-door="book"></script>
<noscript><a href="${publicUrl}/v/${slug}/book">Book a table</a></noscript>`

/** Which saved settings the page shows next to the form. */
type Shown = Pick<KeptGuestSettings, 'settings' | 'version' | 'logo'>

const bodyPage = async (
  context: Context,
  work: OfficeWork,
  form: FormSeen,
  kept: Shown,
): Promise<PageAnswer> => {
  const failed = await failedStaffMails(work.db, work.venue.id)
  const sites = await frameSitesPart(work, kept.settings)
  return page(
    'Guest pages',
    body(context, work, form, { ...kept, sites, failed: failedStaffMailPart(work, failed) }),
  )
}

const body = (
  context: Context,
  { venue }: OfficeWork,
  form: FormSeen,
  {
    version,
    logo,
    sites,
    failed,
  }: Shown & { readonly sites: Html | undefined; readonly failed: Html | undefined },
): Html => {
  const address = `${context.config.publicUrl}/v/${venue.slug}`
  const number = (name: string, label: string, hint = '') =>
    lineField(form, { name, label, hint, numeric: 'numeric' })
  const typedLanguage = form.typed['language'] ?? ''
  const own = isGuestLanguage(typedLanguage) ? typedLanguage : 'en'
  const others = guestLanguages.filter((one) => one !== own)
  return html`${settingsHead(home)} ${failed} ${logoForms()} ${frameSiteForm()}
    <form class="editor" id="editor" method="post" action="${home}" data-preview="${home}/preview">
      <section class="card form">
        ${mistakePart(form)} ${versionField(version)}${shownField(form)}
        <p>Your guests’ page: <a href="${address}">${address}</a></p>
        <h2>What guests can do</h2>
        ${guestDoors.map((door) => tickField(form, { name: `door-${door}`, label: doorNames[door] }))}
        <h2>How it looks</h2>
        ${logoFields(venue, logo)}
        <div class="fields">
          ${lineField(form, { name: 'accent', label: 'Color', most: 7, hint: 'As # and six digits or letters, such as #1c5878. Text on it is kept readable.' })}
          ${choiceField(form, {
            name: 'language',
            label: 'Your own language',
            choices: guestLanguages.map((one) => [one, wordsIn(one).name] as const),
          })}
        </div>
        <p>Also offered:</p>
        ${guestLanguages.map((one) => tickField(form, { name: `language-${one}`, label: wordsIn(one).name }))}
        ${textFields(form, own)}
        <details ${others.some((one) => hasText(form, one)) && html`open`}>
          <summary>Your texts in other languages</summary>
          ${others.map((one) => textFields(form, one))}
        </details>
        <h2>Bookings</h2>
        <div class="fields">
          ${number('confirmUpTo', 'Confirm parties at once up to', 'Leave empty to confirm each by hand.')}
          ${number('cancelMinutes', 'Guests cancel and change until (minutes before)')}
          ${number('reminderHours', 'Reminder (hours before)', '0 for none.')}
          ${choiceField(form, {
            name: 'askPhone',
            label: 'Phone number',
            choices: askings.map((one) => [one, askingWords[one]] as const),
          })}
        </div>
        ${areaField(form, { name: 'confirmServices', label: 'Only in these services, one per line', most: 2_000, rows: 2, hint: 'Leave empty for all.' })}
        ${tickField(form, { name: 'askOccasion', label: 'Ask for the occasion' })}
        ${tickField(form, { name: 'askSeating', label: 'Ask where they would like to sit' })}
        <p class="small soft">With tables on, they choose among your rooms; where there is only one for them, they are not asked.</p>
        ${areaField(form, { name: 'questions', label: 'Your own yes-or-no questions, one per line', most: 700, rows: 3, hint: 'Up to 3. Answers are for staff only.' })}
        ${tickField(form, { name: 'mailConnected', label: 'Email guests about changes to bookings that connected software made' })}
        <h2>Line and list</h2>
        <div class="fields">
          ${number('lineOpensMinutes', 'Today’s line opens (minutes before a service)')}
          ${number('offerMinutes', 'An offered table is held (minutes)')}
        </div>
        ${tickField(form, { name: 'offersBySelf', label: 'Offer tables automatically when they open up' })}
        <h2>Search engines</h2>
        ${tickField(form, { name: 'found', label: 'Let search engines list these pages' })}
        <p class="small soft">They also read your hours, phone and postal address. What you add here is only for them, and for those who share a page.</p>
        <div class="fields">
          ${lineField(form, { name: 'menuUrl', label: 'Your menu', type: 'url', most: 500, hint: 'Its web address.' })}
          ${lineField(form, { name: 'pictureUrl', label: 'A picture of your restaurant', type: 'url', most: 500, hint: 'Its web address; best 1,200 by 630 pixels. Without one, your logo.' })}
          ${lineField(form, { name: 'street', label: 'Street and number', most: 200 })}
          ${lineField(form, { name: 'city', label: 'City', most: 200 })}
          ${lineField(form, { name: 'region', label: 'State or region', most: 200 })}
          ${lineField(form, { name: 'postalCode', label: 'Postal code', most: 200 })}
        </div>
        ${areaField(form, { name: 'cuisines', label: 'Cuisines, one per line', most: 300, rows: 2, hint: 'Up to 5, such as Italian.' })}
        <h2>Email and other sites</h2>
        ${lineField(form, { name: 'staffMail', label: 'Email staff about each request at', type: 'email', most: 254 })}
        ${areaField(form, { name: 'frameSites', label: 'Your sites, one per line', most: 4_000, rows: 2, hint: 'Such as https://www.example.com. They may show these pages in a frame, and guests who pay come back to them.' })}
        ${sites}
        <details>
          <summary>Put a page into your own site</summary>
          <p class="small soft">List the site above, save, and paste this into its page. <code>data-door</code> may also be <code>enquire</code> (the inquiry form) or <code>news</code>; <code>data-mode="button"</code> makes a button that opens a dialog.</p>
          <pre class="scroll" tabindex="0">${embedTag(context.config.publicUrl, venue.slug)}</pre>
        </details>
        <div class="actions">
          <button class="primary">Save</button>
          <button formaction="${home}/preview" formtarget="preview" formnovalidate>Show the preview</button>
        </div>
      </section>
      <div class="beside">
        <section class="card preview" aria-label="Preview">
          <div class="widths" role="group" aria-label="Preview width">
            <label class="chip"><input type="radio" name="previewWidth" value="phone" checked /><span>Phone</span></label>
            <label class="chip"><input type="radio" name="previewWidth" value="desktop" /><span>Desktop</span></label>
          </div>
          <div class="frame-of-mail">
            <iframe name="preview" title="The page as guests see it" src="${home}/preview" sandbox="" referrerpolicy="no-referrer"></iframe>
          </div>
        </section>
      </div>
    </form>`
}
