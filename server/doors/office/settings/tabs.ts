import { type Html, html } from '../../../platform/html/html.ts'

const tabs = [
  ['/office/settings', 'Hours'],
  ['/office/settings/days', 'Days and blocks'],
  ['/office/settings/limits', 'Limits and pacing'],
  ['/office/settings/tables', 'Tables'],
  ['/office/settings/servers', 'Servers'],
  ['/office/settings/test', 'Test a request'],
  ['/office/settings/venue', 'Venue'],
  ['/office/settings/mail', 'Email'],
  ['/office/settings/texts', 'Texts'],
  ['/office/settings/payments', 'Payments'],
  ['/office/settings/guarantees', 'Cards and deposits'],
  ['/office/settings/experiences', 'Experiences'],
  ['/office/settings/guest-pages', 'Guest pages'],
] as const

/** The head of every settings page, with the current tab. */
export const settingsHead = (current: (typeof tabs)[number][0]): Html =>
  html` <div class="page-head"><h1>Settings</h1></div>
    <nav class="tabs" aria-label="Settings">
      ${tabs.map(
        ([to, name]) => html`<a href="${to}" ${to === current && html`aria-current="page"`}>${name}</a>`,
      )}
    </nav>`
