import type { WaitlistEntry } from '@venue-data/contract/records/waitlist-entry.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { joinWaitlist, moveEntry } from '../../../book/waitlist/actions.ts'
import type { PlainWaitlistMove } from '../../../book/waitlist/states.ts'
import { recallParty, seatFromWaitlist } from '../../../book/waitlist/seat-party.ts'
import { type Stage, type Trigger, insist } from './trigger.ts'

const on = 'waitlist entry'

const joined = ({ work, actor, somebody }: Stage, date?: LocalDate): Promise<WaitlistEntry> =>
  joinWaitlist(work, actor, {
    guestName: somebody.name,
    email: somebody.email,
    phone: somebody.phone,
    partySize: 2,
    quotedMinutes: 'estimated',
    ...(date && { date }),
  })

/** Somebody who waited for the previous day's service. */
const joinedYesterday = (stage: Stage): Promise<WaitlistEntry> => {
  const { now, venue } = stage.work
  return joined(stage, addDays(wallTimeOf(now(), venue.timezone).date, -1))
}

const seated = ({ work, actor }: Stage, id: number): Promise<WaitlistEntry> =>
  insist((confirmed) => seatFromWaitlist(work, actor, { id, confirmed }))

const move =
  (name: PlainWaitlistMove) =>
  async (stage: Stage, asked: number | undefined): Promise<WaitlistEntry> => {
    const id = asked ?? (await joined(stage)).id
    return insist(() => moveEntry(stage.work, stage.actor, { id, move: name }))
  }

export const waitlistTriggers = {
  'waitlist.added': {
    about: 'a party joins the waitlist',
    emits: 'waitlist.added',
    on: null,
    run: (stage) => joined(stage),
  },
  'waitlist.updated': {
    about: 'staff tell the party how long it will wait',
    emits: 'waitlist.updated',
    on,
    run: move('quote'),
  },
  'waitlist.quoted': { about: 'the same', emits: 'waitlist.quoted', on, run: move('quote') },
  'waitlist.offered': { about: 'staff page the party', emits: 'waitlist.offered', on, run: move('page') },
  'waitlist.paged': { about: 'the same', emits: 'waitlist.offered', on, run: move('page') },
  'waitlist.booked': {
    about: 'staff seat the party; its reservation emits events too',
    emits: 'waitlist.booked',
    on,
    run: async (stage, asked) => seated(stage, asked ?? (await joined(stage)).id),
  },
  'waitlist.seated': {
    about: 'staff seat the party; its reservation emits events too',
    emits: 'waitlist.seated',
    on,
    run: async (stage, asked) => seated(stage, asked ?? (await joined(stage)).id),
  },
  'waitlist.left': {
    about: 'the party leaves the waitlist',
    emits: 'waitlist.left',
    on,
    run: move('leave'),
  },
  'waitlist.expired': {
    about: 'a party whose evening is over is taken off the waitlist (with --id, one whose time has passed)',
    emits: 'waitlist.expired',
    on,
    run: async (stage, asked) => {
      const id = asked ?? (await joinedYesterday(stage)).id
      return insist(() => moveEntry(stage.work, { kind: 'service' }, { id, move: 'expire' }))
    },
  },
  'waitlist.returned': {
    about: 'staff take back that they paged the party',
    emits: 'waitlist.returned',
    on,
    run: async (stage, asked) => {
      const id = asked ?? (await move('page')(stage, undefined)).id
      return insist(() => moveEntry(stage.work, stage.actor, { id, move: 'notYet' }))
    },
  },
  'waitlist.recalled': {
    about: 'staff put a seated party back on the waitlist',
    emits: 'waitlist.returned',
    on,
    run: async (stage, asked) => {
      const id = asked ?? (await seated(stage, (await joined(stage)).id)).id
      return insist(() => recallParty(stage.work, stage.actor, { id }))
    },
  },
} as const satisfies Record<string, Trigger>
