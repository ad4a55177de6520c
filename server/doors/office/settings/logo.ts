import type { Context } from '../../../context.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { type Logo, logoPath, logoSize } from '../../../core/venue/logo/logo.ts'
import { removeLogo, saveLogo } from '../../../core/venue/logo/logo-store.ts'
import { logoAsked, logoLimits } from '../../../core/venue/logo/read-logo.ts'
import { actorOf } from '../frame/actor.ts'
import { go } from '../frame/page.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { withPicture } from '../parts/forms/picture-upload.ts'

const settings = '/office/settings/guest-pages'
const home = `${settings}/logo`

/** The logo of the guests' pages: uploaded and taken off apart from the other settings. */
export const logoPages = (context: Context): readonly VenuePage[] => [
  {
    method: 'POST',
    path: home,
    role: 'manager',
    upload: true,
    answer: async ({ venue, me, now }, { upload }) =>
      withPicture(upload, logoAsked, {
        back: settings,
        done: 'Logo saved. Your pages show it now.',
        save: (picture) =>
          context.db.transaction((queries) =>
            saveLogo({ db: queries.within(venue.id), venue, now }, actorOf(me), picture),
          ),
      }),
  },
  {
    method: 'POST',
    path: `${home}/remove`,
    role: 'manager',
    answer: async (work) => {
      await removeLogo(work, actorOf(work.me))
      return go(settings, 'Logo removed.')
    },
  },
]

/** The forms the fields below belong to: they are inside another form, and forms cannot be nested. */
export const logoForms =
  (): Html => html`<form id="logo-form" method="post" action="${home}" enctype="multipart/form-data"></form>
  <form id="logo-off" method="post" action="${home}/remove"></form>`

/** The logo there is, another one to choose, and the button that takes it off. */
export const logoFields = ({ slug }: { readonly slug: string }, logo: Logo | null): Html => {
  const size = logo && logoSize(logo, 72)
  return html`<div class="stack" id="logo">
    ${
      logo &&
      size &&
      html`<img src="${logoPath(slug, logo)}" width="${size.width}" height="${size.height}" alt="Your logo" />`
    }
    <label class="field"
      ><span>Logo</span><input form="logo-form" type="file" name="file" accept=".png,.jpg,.jpeg,.svg" required /><small
        >PNG, JPEG or SVG, at most ${logoLimits.bytes / 1024} KB. Guests see it as soon as you upload it. Save your other
        changes first.</small
      ></label
    >
    <div class="inline">
      <button form="logo-form">${logo ? 'Replace the logo' : 'Upload the logo'}</button>
      ${logo && html`<button form="logo-off" data-asks="Take the logo off your pages?">Remove the logo</button>`}
    </div>
  </div>`
}
