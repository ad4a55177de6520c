import { wordsIn } from '../../messages/guest-words/words.ts'
import { guestLanguages } from '../../platform/kernel/guest-language.ts'
import { guestDoors } from '../../core/venue/guest-settings-rules.ts'
import { assetText } from './frame/asset.ts'

/*
 * `/embed.js`: one script tag puts a door into the venue's own site. The same file for every venue, and the only one that
 * another site loads; what its buttons say comes from the catalogs.
 */

const wordsOfDoors = (): object =>
  Object.fromEntries(
    guestLanguages.map((language) => {
      const { venue, page } = wordsIn(language)
      return [
        language,
        { close: page.close, ...Object.fromEntries(guestDoors.map((door) => [door, venue.door[door][0]])) },
      ]
    }),
  )

export const embedScript = {
  route: '/embed.js',
  text: assetText('embed.js').replace('const words = {}', `const words = ${JSON.stringify(wordsOfDoors())}`),
  /** Its address never changes, so a new release reaches every site within the hour. */
  headers: {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=3600',
    'cross-origin-resource-policy': 'cross-origin',
  },
}
