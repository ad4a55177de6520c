import { type Html, html } from '../../../platform/html/html.ts'
import { momentInWords, numberInWords } from '../../../platform/kernel/time/in-words.ts'
import { type FrameSite, frameSiteLimits, frameSitesOf } from '../../../core/venue/frame-sites.ts'
import { guestSettingsOf } from '../../../core/venue/guest-settings.ts'
import { changeGuestSettings } from '../../../book/rules/change-guest-settings.ts'
import { type GuestSettings, isListed } from '../../../core/venue/guest-settings-rules.ts'
import { actorOf } from '../frame/actor.ts'
import { go } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'

const settings = '/office/settings/guest-pages'
const home = `${settings}/sites`

/** Lists a site that asked for a page. */
export const frameSitePages: readonly VenuePage[] = [
  {
    method: 'POST',
    path: home,
    role: 'manager',
    answer: async (work, { form }) => {
      const site = form.text('site')
      const kept = await guestSettingsOf(work.db, work.venue.id)
      if (!isListed(kept.settings, site))
        await changeGuestSettings(work, actorOf(work.me), {
          changes: { frameSites: [...kept.settings.frameSites, site] },
          seen: kept.version,
        })
      return go(settings, `${site} is on the list. It shows your pages from now on.`)
    },
  },
]

/** The form that the buttons below belong to: they are inside another form, and forms cannot be nested. */
export const frameSiteForm = (): Html => html`<form id="site-form" method="post" action="${home}"></form>`

/** What the frames of each site said: of those on the list when they last showed a page, and which others asked for one. */
export const frameSitesPart = async (
  { db, venue }: OfficeWork,
  kept: Pick<GuestSettings, 'frameSites'>,
): Promise<Html | undefined> => {
  const heard = await frameSitesOf(db, venue.id)
  const others = heard.filter(({ site }) => !isListed(kept, site))
  if (kept.frameSites.length + others.length === 0) return undefined
  const when = ({ seen_at }: FrameSite): string => momentInWords(seen_at, venue.timezone)
  return html`<div class="stack" id="sites">
    <h3>What the frames on these sites said</h3>
    <p class="small soft">Browsers name the site with every page they ask for. The service itself visits no site.</p>
    <ul class="rows">
      ${kept.frameSites.map((one) => {
        const site = new URL(one).origin
        const row = heard.find((found) => found.site === site)
        return html`<li>
          <div class="grow">
            <b>${one}</b>
            <p class="small">${
              !row
                ? `No frame asked for a page in the last ${numberInWords(frameSiteLimits.days)} days.`
                : row.listed
                  ? `Last showed a page on ${when(row)}.`
                  : `Asked for a page on ${when(row)}, before it was on the list. Not heard from since.`
            }</p>
          </div>
        </li>`
      })}
      ${others.map(
        (row) => html`<li>
          <div class="grow">
            <b>${row.site}</b>
            <p class="small">${
              row.listed
                ? `Last showed a page on ${when(row)}. It is no longer on the list.`
                : `Not on the list. It asked for a page on ${when(row)}, and got none.`
            }</p>
          </div>
          <button form="site-form" name="site" value="${row.site}" aria-label="Add ${row.site} to the list">Add</button>
        </li>`,
      )}
    </ul>
    ${others.length > 0 && html`<p class="small soft">Add only sites that are yours. Save your other changes first.</p>`}
  </div>`
}
