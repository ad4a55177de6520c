import { badRequest } from '../../platform/kernel/refusal.ts'
import { isGuestLanguage } from '../../platform/kernel/guest-language.ts'
import { venueOfSlug } from '../../core/venue/actions.ts'
import { guestSettingsOf } from '../../core/venue/guest-settings.ts'
import { changeGuestSettings } from '../../book/rules/change-guest-settings.ts'
import {
  type GuestDoor,
  type GuestSettings,
  guestDoors,
  isGuestDoor,
} from '../../core/venue/guest-settings-rules.ts'
import type { Venue } from '../../core/venue/venue.ts'
import { type Answer, command, needed, text } from './command.ts'
import { sheet } from './print.ts'

/** The doors of guest pages, for scripts; everything else is set in the office. */
export const pagesCommand = command({
  words: 'pages',
  about: `Turns doors of the guest pages on and off (${guestDoors.join(', ')}; "all" for each), sets the color and the language, and prints them. Without a change it only prints.`,
  flags: {
    venue: needed(text('S')),
    on: text('D,D'),
    off: text('D,D'),
    color: text('#RRGGBB'),
    language: text('L'),
  },
  run: async ({ db, clock, config }, { venue: slug, on, off, color, language }) => {
    const venue = await venueOfSlug(db, slug)
    const wanted = { on: doorsIn('on', on), off: doorsIn('off', off) }
    if (language !== undefined && !isGuestLanguage(language))
      throw badRequest(`There are no guest pages in the language "${language}".`)
    const isChange = [on, off, color, language].some((one) => one !== undefined)
    const { settings } = await db.transaction(async (queries) => {
      const work = { db: queries.within(venue.id), venue: venue as Venue, now: clock }
      const before = await guestSettingsOf(work.db, venue.id)
      if (!isChange) return before
      return changeGuestSettings(
        work,
        { kind: 'service' },
        {
          changes: {
            doors: guestDoors.filter(
              (door) =>
                !wanted.off.includes(door) &&
                (wanted.on.includes(door) || before.settings.doors.includes(door)),
            ),
            ...(color !== undefined && { accent: color.toLowerCase() }),
            ...(language !== undefined && { language }),
          },
        },
      )
    })
    return answerWith(`${config.publicUrl}/v/${venue.slug}`, settings)
  },
})

const doorsIn = (flag: string, given: string | undefined): readonly GuestDoor[] => {
  if (given === undefined || given.trim() === '') return []
  if (given.trim() === 'all') return guestDoors
  const doors = given.split(',').map((one) => one.trim())
  const strange = doors.find((one) => !isGuestDoor(one))
  if (strange !== undefined)
    throw badRequest(`--${flag}: there is no door "${strange}"; the doors are ${guestDoors.join(', ')}.`)
  return doors.filter(isGuestDoor)
}

const answerWith = (url: string, { doors, accent, language }: GuestSettings): Answer => {
  const shown = { url, doors, color: accent, language }
  return { json: shown, text: sheet({ ...shown, doors: doors.join(', ') || 'none' }) }
}
