import assert from 'node:assert/strict'
import { guestSettingsOf } from '../core/venue/guest-settings.ts'
import { venueOfId } from '../core/venue/venues.ts'
import type { GuestMailRow } from '../mail/guest-mail-queue.ts'
import { composeLetter } from '../messages/guest-mail/compose.ts'
import type { Written } from '../messages/guest-mail/writing.ts'
import { actAt } from './act.ts'
import { rowsOf } from './rows.ts'
import type { TestService, TestVenue } from './service.ts'

type Scene = { readonly service: TestService; readonly venue: TestVenue }

/** The newest mail of a kind, written as it would go out now; or why it would not. */
export const writtenOf = async ({ service, venue }: Scene, kind: string): Promise<Written> => {
  const [row] = await rowsOf<GuestMailRow>(
    service,
    `select * from guest_mail where venue_id = $1 and kind = '${kind}' order by id desc`,
    [venue.id],
  )
  const whole = await venueOfId(service.db, venue.id)
  assert.ok(row && whole, `no mail ${kind}`)
  const { settings } = await guestSettingsOf(service.db, venue.id)
  const mail = { ...row, record_id: Number(String(row.record_id)) }
  return actAt(service, venue, (work) =>
    composeLetter({ work, context: service.context, venue: whole, settings, mail }),
  )
}

export const letterOf = async (scene: Scene, kind: string) => {
  const written = await writtenOf(scene, kind)
  assert.ok('letter' in written, JSON.stringify(written))
  return written.letter
}

/** All mails that wait went out. */
export const mailsWentOut = ({ service, venue }: Scene) =>
  rowsOf(
    service,
    `update guest_mail set state = 'sent', due_at = null, ended_at = made_at, tries = 1 where venue_id = $1 and state = 'waiting'`,
    [venue.id],
  )
