import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { refuseErased } from '../../platform/http/records/erased-records.ts'
import { houseOfBooking, houseOfGuest, tagNamesOf } from './reads.ts'
import {
  type BookingProfile,
  type GuestProfile,
  birthdayInWords,
  broughtProfile,
  mergedProfile,
  nothingKnown,
  unmergedProfile,
} from './rules.ts'
import { idsOfTags, writeBookingHouse, writeGuestHouse } from './writes.ts'

/**
 * Keeps what staff say of a guest. The guest's row is there and held by the caller, or new. Emits nothing: it is only
 * in the activity. Answers whether anything changed.
 */
export const keepGuestHouse = async (
  work: Work,
  actor: Actor,
  guest: number,
  to: GuestProfile,
): Promise<boolean> => {
  const { db, venue } = work
  const before = await houseOfGuest(db, venue.id, guest)
  if (isSame(inTrail(before), inTrail(to))) return false
  await refuseErased(db, venue.id, 'guest', guest)
  await writeGuestHouse(db, venue.id, guest, to)
  await recordActivity(
    work,
    actor,
    {
      action: 'edit',
      record: { kind: 'guest', id: guest },
      before: inTrail(before),
      after: inTrail(await houseOfGuest(db, venue.id, guest)),
    },
    work.now(),
  )
  return true
}

/** The same of a booking. */
export const keepBookingHouse = async (
  work: Work,
  actor: Actor,
  reservation: number,
  to: BookingProfile,
): Promise<boolean> => {
  const { db, venue } = work
  const before = await houseOfBooking(db, venue.id, reservation)
  const note = to.note === undefined ? before.note : to.note
  const next: BookingProfile = { ...to, note }
  if (isSame(before, next)) return false
  await refuseErased(db, venue.id, 'reservation', reservation)
  await writeBookingHouse(db, venue.id, reservation, {
    occasion: before.occasion === to.occasion ? undefined : (to.occasion ?? ''),
    seating: before.seating === to.seating ? undefined : (to.seating ?? ''),
    note: before.note === note ? undefined : (note ?? ''),
    tags: to.tags,
  })
  await recordActivity(
    work,
    actor,
    {
      action: 'edit',
      record: { kind: 'reservation', id: reservation },
      before,
      after: await houseOfBooking(db, venue.id, reservation),
    },
    work.now(),
  )
  return true
}

/** What a file added to what is known of a guest: the names of fields, and what found no place in one. */
export type Joined = { readonly filled: readonly string[]; readonly left: readonly string[] }
export const nothingJoined: Joined = { filled: [], left: [] }

/** Joins what a file says of a guest to what is known. The guest is held, or new. */
export const joinBroughtHouse = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  guest: number,
  brought: GuestProfile,
): Promise<Joined> => {
  if (isSame(inTrail(brought), inTrail(nothingKnown))) return nothingJoined
  const before = await houseOfGuest(db, venue.id, guest)
  const { after, left } = broughtProfile(before, brought)
  if (isSame(inTrail(before), inTrail(after))) return { filled: [], left }
  await writeGuestHouse(db, venue.id, guest, after)
  const added = await idsOfTags(
    db,
    venue.id,
    after.tags.filter((tag) => !before.tags.includes(tag)),
  )
  return {
    filled: [
      ...(after.vip && !before.vip ? ['vip'] : []),
      ...(after.birthday !== null && before.birthday === null ? ['birthday'] : []),
      ...added.map((id) => `tag:${id}`),
    ],
    left,
  }
}

/** Keeps what a file says of a booking that it just brought. */
export const keepBroughtBooking = (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  reservation: number,
  {
    occasion,
    note,
    tags,
  }: {
    readonly occasion: string | undefined
    readonly note: string | undefined
    readonly tags: readonly string[]
  },
): Promise<void> => writeBookingHouse(db, venue.id, reservation, { occasion, seating: undefined, note, tags })

/** Takes back what a file added to what is known of a guest. The guest is held. */
export const takeBackHouse = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  guest: number,
  added: { readonly vip: boolean; readonly birthday: boolean; readonly tags: readonly number[] },
): Promise<void> => {
  const now = await houseOfGuest(db, venue.id, guest)
  const names = await tagNamesOf(db, venue.id, added.tags)
  const after = {
    vip: now.vip && !added.vip,
    birthday: added.birthday ? null : now.birthday,
    tags: now.tags.filter((tag) => !names.includes(tag)),
  }
  if (!isSame(inTrail(now), inTrail(after))) await writeGuestHouse(db, venue.id, guest, after)
}

/** What an undone merge needs to know of what the house knew. */
export type MergedHouses = {
  readonly gone: GuestProfile
  readonly before: GuestProfile
  readonly after: GuestProfile
}

/** Gives what the house knows of one guest to another. Before the one is removed: what is said of them goes with them. */
export const mergeProfiles = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  kept: number,
  gone: number,
): Promise<MergedHouses> => {
  const [before, other] = await Promise.all([
    houseOfGuest(db, venue.id, kept),
    houseOfGuest(db, venue.id, gone),
  ])
  const after = mergedProfile(before, other)
  if (!isSame(inTrail(before), inTrail(after))) await writeGuestHouse(db, venue.id, kept, after)
  return { gone: other, before, after }
}

/** Takes it back. The guest who was removed is there again. */
export const partProfiles = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  kept: number,
  restored: number,
  { gone, before, after }: MergedHouses,
): Promise<void> => {
  const now = await houseOfGuest(db, venue.id, kept)
  const back = unmergedProfile(now, after, before)
  if (!isSame(inTrail(now), inTrail(back))) await writeGuestHouse(db, venue.id, kept, back)
  if (!isSame(inTrail(gone), inTrail(nothingKnown))) await writeGuestHouse(db, venue.id, restored, gone)
}

const inTrail = ({ vip, birthday, tags }: GuestProfile) => ({
  vip,
  birthday: birthday && birthdayInWords(birthday),
  tags,
})

type Comparable = { readonly tags: readonly string[] }

/** Tags have no order. */
const isSame = (one: Comparable, other: Comparable): boolean => textOf(one) === textOf(other)
const textOf = (one: Comparable): string =>
  JSON.stringify({ ...one, tags: one.tags.map((tag) => tag.toLowerCase()).toSorted() })
