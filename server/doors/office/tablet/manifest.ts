import { guestSettingsOf } from '../../../core/venue/guest-settings.ts'
import { type Logo, logoPath } from '../../../core/venue/logo/logo.ts'
import type { Venue } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { appIcon, manifestPath } from './home-screen.ts'
import type { OpenPage } from '../frame/serve-page.ts'

/*
 * The office as an app on a tablet's home screen: full screen, under the venue's name. Read with the cookie, since the name
 * and the logo are the venue's.
 */

export const manifestPages: readonly OpenPage[] = [
  {
    method: 'GET',
    path: manifestPath,
    role: 'anyone',
    answer: async ({ db }, _asked, me) => ({
      kind: 'file',
      type: 'application/manifest+json; charset=utf-8',
      body: JSON.stringify(await manifestOf(db, me?.venue)),
    }),
  },
]

/** https://www.w3.org/TR/appmanifest/ */
const manifestOf = async (db: Queries, venue: Venue | undefined) => {
  const logo = venue && (await guestSettingsOf(db.within(venue.id), venue.id)).logo
  const name = venue?.name ?? 'Venue Data'
  return {
    name,
    short_name: name,
    id: '/office',
    // From there on to each role's first page.
    start_url: '/office',
    scope: '/office',
    display: 'fullscreen',
    background_color: '#11293f',
    theme_color: '#11293f',
    icons: [
      ...(venue && logo && isIcon(logo) ? [iconOf(logoPath(venue.slug, logo), logo)] : []),
      iconOf(appIcon.address, { type: 'png', width: appIcon.pixels }),
    ],
  }
}

/** The smallest side of a picture that home screens take, in pixels. */
const leastPixels = 512

/** Home screens take what is square, and drawn or large enough. */
const isIcon = ({ type, width, height }: Logo): boolean =>
  width === height && (type === 'svg' || (type === 'png' && width >= leastPixels))

const iconOf = (src: string, { type, width }: Pick<Logo, 'type' | 'width'>) =>
  type === 'svg'
    ? { src, type: 'image/svg+xml', sizes: 'any' }
    : { src, type: 'image/png', sizes: `${width}x${width}` }
