import { describe, it } from 'node:test'
import { bookingNamed } from '../../core/money/booking-name.ts'
import { lookingAtPaid } from '../../marketing/subscribers/looking-at-paid.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { lookFirst } from '../../tickets/online/restored/look-first.ts'
import { reconcile } from '../../tickets/online/reconciling/reconcile.ts'
import { backUp, type VenueBackup } from '../venue-backup.ts'
import { cardGone, cardsGone, faultsNow, paidThere } from './audit.ts'
import { type Step, guestSteps } from './guest-steps.ts'
import { machineSteps } from './machine-steps.ts'
import { staffSteps } from './staff-steps.ts'
import { moneyStories } from './stories.ts'
import { untilNothingIsLeft } from './until-nothing-is-left.ts'
import { type MoneyWorld, tried } from './world.ts'

/*
 * Stories in which a backup is put back: the processor goes on, and the copy knows less than it. Once it has looked, everything
 * that was paid for a booking it has is written at that booking, so is a card that was kept for it, and everything else of ours is
 * for somebody to look at. Its key may not be taken when it looks.
 */

const backups = new WeakMap<MoneyWorld, VenueBackup & Pick<MoneyWorld, 'heldSince'>>()

/** Of cards that were deleted after the backup, what is wrong on the copy: it learns that when it is about to use one. */
const goneSince = new WeakMap<MoneyWorld, ReadonlySet<string>>()

/** When a copy looked last. */
const lookedAt = new WeakMap<MoneyWorld, Temporal.Instant>()

const keepBackup: Step = async (world) => {
  const { heldSince } = world
  backups.set(world, { ...(await backUp(world.service, world.venue)), heldSince })
}

const putBack: Step = async (world) => {
  const backup = backups.get(world)
  if (!backup) return 'nothing'
  await backup.putBack()
  backups.delete(world)
  goneSince.set(world, new Set((await cardsGone(world)).map(cardGone)))
  // The last that anybody did here was before the backup.
  world.later({ seconds: 1 })
  world.heldSince = backup.heldSince ?? world.service.context.clock()
  return 'put back'
}

/** What moves money or asks for it, and is lost here. */
const lostSteps = [...guestSteps, ...staffSteps, ...machineSteps].filter(([name]) =>
  new Set([
    ...['guest secures a table', 'guest buys tickets', 'guest changes', 'staff ask', 'staff edit', 'work'],
    ...['nobody comes', 'manager charges', 'manager gives back', 'manager refunds an order'],
  ]).has(name),
)
const doAsked = guestSteps.find(([name]) => name === 'guest does what is asked')

/** The service goes on after its last backup, and is lost. */
const loseSince: Step = async (world) => {
  if (world.heldSince) return 'nothing'
  await keepBackup(world)
  const lost: string[] = []
  for (let left = world.random.integer(2, 6); left > 0; left--) {
    const steps = [...lostSteps, ...(doAsked ? [doAsked, doAsked] : [])]
    const [name, step] = world.random.pick(steps)
    await tried(world, `(lost) ${name}`, () => step(world))
    lost.push(name)
  }
  await putBack(world)
  return lost.join(', ')
}

const resume: Step = async (world) => {
  const { stripe, random } = world
  if (!world.heldSince) return 'nothing'
  const { key } = stripe
  const isTaken = random.chance(0.7)
  if (!isTaken) stripe.key = `${key}0`
  try {
    await lookFirst(world.context, world.heldSince, lookingAtPaid)
  } finally {
    stripe.key = key
  }
  if (isTaken) lookedAt.set(world, world.service.context.clock())
  else lookedAt.set(world, Temporal.Instant.fromEpochMilliseconds(0))
  world.heldSince = undefined
  return isTaken ? 'resumed' : 'resumed with a key that was not taken'
}

/** What is paid on a page that the copy does not know, once it has looked, is found when that page is over. */
const isSince = (world: MoneyWorld, created: number): boolean => {
  const looked = lookedAt.get(world)
  return looked !== undefined && created * 1_000 >= looked.epochMilliseconds
}

/**
 * What was paid for a booking that is here, and is neither written nor under way here: it would be asked for once more.
 * `atNight`: what the night has found, also of what was paid since the copy looked.
 */
const unknownHere = async (
  world: MoneyWorld,
  atNight: ReadonlySet<string> | undefined,
): Promise<string[]> => {
  if (world.heldSince) return []
  const faults: string[] = []
  const { service, venue, rows } = world
  const known = await rows<{ ref: string }>(
    `select ref::text from payment where venue_id = $1 union select ref::text from checkout where venue_id = $1`,
  )
  const refs = new Set(known.map(({ ref }) => ref))
  const looked = await rows<{ subject: string }>(
    `select subject from money_matter where venue_id = $1 and kind = 'not-here'`,
  )
  for (const { id, metadata, created } of paidThere(world)) {
    if (refs.has(metadata['ref'] ?? '') || atNight?.has(id)) continue
    if (!atNight && isSince(world, created)) continue
    const booking = await bookingNamed(service.db, venue.id, metadata['booking'] ?? null)
    if (booking !== undefined) faults.push(`${id} was paid for booking ${booking}, which does not know it`)
    else if (!looked.some(({ subject }) => subject === id)) faults.push(`nobody looks at ${id}`)
  }
  return faults
}

/** A booking that waits for a card of its guest, who left one on a page that is not known here, once all of that was looked at. */
const askedTwice = async ({ stripe, rows, service, venue, heldSince }: MoneyWorld): Promise<string[]> => {
  const looking = await rows(`select id from processor_account where venue_id = $1 and look_from is not null`)
  if (heldSince || looking.length > 0) return []
  const asked = await rows<{ id: string }>(
    `select reservation_id as id from guarantee where venue_id = $1 and status = 'asked' and kind = 'card' and reservation_id is not null`,
  )
  const known = await rows<{ ref: string }>(`select ref::text from checkout where venue_id = $1`)
  const faults: string[] = []
  for (const { customer, metadata } of stripe.sessions.values()) {
    if (typeof customer !== 'string' || !stripe.customers.has(customer)) continue
    if (known.some(({ ref }) => ref === metadata?.['ref'])) continue
    const booking = await bookingNamed(service.db, venue.id, metadata?.['booking'] ?? null)
    if (asked.some(({ id }) => Number(id) === booking))
      faults.push(`booking ${booking} is asked for a card again`)
  }
  return faults
}

/** What is only seen of a card that is charged twice is for somebody to look at. */
const isLookedAt = async ({ rows }: MoneyWorld, fault: string): Promise<boolean> => {
  const [, guarantee] = /^a card was charged .*"id":"?(\d+)/.exec(fault) ?? []
  if (guarantee === undefined) return false
  const found = await rows(
    `select m.id from money_matter m join guarantee g on g.venue_id = $1 and g.reservation_id = m.reservation_id
      where m.venue_id = $1 and g.id = ${guarantee} and m.kind = 'payment-differs'`,
  )
  return found.length > 0
}

const faultsOnCopy = async (world: MoneyWorld, atNight?: ReadonlySet<string>): Promise<string[]> => {
  const faults: string[] = []
  for (const fault of await faultsNow(world))
    if (!goneSince.get(world)?.has(fault) && !(await isLookedAt(world, fault))) faults.push(fault)
  return [...faults, ...(await unknownHere(world, atNight)), ...(await askedTwice(world))]
}

/** What was given back in the dashboard and nobody called about is written down at night; what has no place here is named. */
const foundAtNight = async ({ service, venue }: MoneyWorld): Promise<ReadonlySet<string>> => {
  const to = service.context.clock().toString().slice(0, 10)
  const days = { from: addDays(to, -60), to }
  const { differences } = await reconcile(service.context, { ...venue, plan: 'pro' }, days)
  return new Set(differences.map(({ objectRef }) => objectRef))
}

/** Of every payment that is written, what came in and what went back is the same in both books. */
const betweenBooks = async (world: MoneyWorld): Promise<string[]> => {
  const faults: string[] = []
  const here = await world.rows<{ ref: string; processor_ref: string; amount: number; back: number }>(
    `select p.ref, p.processor_ref, p.amount_cents as amount, (
         select coalesce(sum(r.amount_cents + r.beyond_cents), 0)::int from refund r
          where r.venue_id = $1 and r.payment_id = p.id and r.state = 'succeeded' and r.via = 'processor' and r.origin <> 'dispute') as back
       from payment p where p.venue_id = $1 and p.state = 'succeeded' and p.via = 'processor'`,
  )
  for (const row of here) {
    const there = paidThere(world).filter(({ metadata }) => metadata['ref'] === row.ref)
    const back = [...world.stripe.refunds.values()]
      .filter(({ payment_intent: of, status }) => of === row.processor_ref && status === 'succeeded')
      .reduce((sum, { amount }) => sum + amount, 0)
    if (there.length !== 1 || there[0]?.amount !== row.amount || back !== row.back)
      faults.push(`${there.length} there, and back ${back}, here ${JSON.stringify(row)}`)
  }
  return faults
}

/** A refund waits for a dispute whose end nobody calls about: it is done once a night has found that the bank took the money. */
const lostUnheard = [
  1374879007,
  [
    1121011989, 1516461842, 969578352, 870296791, 1505740673, 1917124832, 7227668, 119439872, 1397394027,
    944092085, 874405464, 494956477, 1907304108, 36765063, 1763261094, 364845449, 1372535658, 113428531,
    1337764247, 1399115753, 79306913, 412970423, 186153236, 907084526, 1557574179, 787546882, 803386050,
    1203497734, 202925189, 781510518, 806770535, 446742376, 1158507768, 1022183316, 1390819874, 123956171,
    216112660, 547996493, 880590506, 1635330887, 1139846815, 672171163, 1387263750, 1356043819, 1816324593,
    421034449, 1335029327, 1536134407, 1564381223, 1851785147, 1837640534, 1670432522, 152004515, 339011203,
    1046568536, 462396727, 1657553046, 1813345548, 790231699, 1423977483, 1226615327, 2031292947, 1223626180,
    1896887111,
  ],
] as const

/** A card is deleted with its guest's data after the backup that is put back. */
const deletedSince = [
  2097191197,
  [
    439992765, 1662658720, 795890804, 1551062979, 1042434913, 1291400178, 231821984, 839147581, 1858781607,
    348157964, 1309038324, 698520839, 695654062, 291237705, 173369616, 390326169, 1438506003, 1817235964,
    1669037130, 309055200, 598721182, 679167060, 298993325, 1831861216, 1700428073, 50620828, 1722078412,
    1511703814, 1754270071, 1577455480, 102255269, 650188834, 96378222, 1174993252, 309388413, 427598215,
    393065861, 1445731926, 432008881, 26213003, 91166400, 1734402783, 1412741272, 1842351916, 1235377417,
    1791424726, 1922708548, 644553259, 2131917768, 295649402, 1916690711, 808444108, 1323839503, 1416354325,
    277331767, 1619717767, 846923024, 821078622, 2004406050, 2094806476, 1730121533, 776057472,
  ],
] as const

/** A bank took a deposit whose request nobody answered: what was given back of it by itself stood in the way of that again and again. */
const takenUnanswered = [
  454253802,
  [
    1143862479, 2091029700, 522111641, 254859195, 1610252640, 986982620, 1050594453, 11171959, 855654514,
    175365386, 896982529, 1603637657, 1641918327, 603115446, 1230779977, 1844684182, 1457567680, 459773483,
    688543964, 1413927530, 1215194815, 319228756, 355964501, 471678337, 471732178, 2082335485, 1725515575,
    1154900788, 809865290, 86243711, 268401572, 926423397, 886815882, 2126579733, 1299251451, 126556778,
    495609436, 1310567602, 1680639173, 247215614, 230208686, 1167984215, 799044400, 1717079329, 704881454,
    134346480, 1285903217, 1953089211, 1470133325, 608441949, 2143775265, 438545418, 434445550, 1633352475,
    128033251, 249331650, 298693496, 716069390, 701424755, 342620397, 961951810, 1809177713, 245641021,
    148093936, 2029400282, 324895636, 2066555168, 2066799821, 1064423248, 635154761, 657362545, 1588073543,
    642678600, 473935467, 2027245209, 700357938, 1669254876, 624184345,
  ],
] as const

describe('every cent on a copy that was restored', () => {
  const { tell } = moneyStories()

  it('that was paid for a booking it has is at that booking once it has looked, and all else of ours is looked at', () =>
    tell({
      runs: 4,
      toldBefore: [lostUnheard, deletedSince, takenUnanswered],
      length: { minLength: 40, maxLength: 80 },
      steps: [
        ...[...guestSteps, ...staffSteps, ...machineSteps],
        ['a backup is made', keepBackup, 4],
        ['a backup is put back', putBack, 6],
        ['all since a backup is lost', loseSince, 6],
        ['sending is resumed', resume, 14],
      ],
      beforeEach: (world) => {
        world.dying = world.random.chance(0.12) ? 0.6 : 0
      },
      faultsAfterEach: (world) => faultsOnCopy(world),
      faultsAtTheEnd: async (world) => {
        world.dying = 0
        world.stripe.trouble = undefined
        await resume(world)
        // No night is needed for what was paid or kept on pages of before.
        await untilNothingIsLeft(world, { nights: false })
        lookedAt.delete(world)
        const early = await unknownHere(world, undefined)
        for (const customer of world.stripe.customers.keys()) early.push(`${customer} was never deleted`)
        if (early.length > 0) return early
        const atNight = await foundAtNight(world)
        return [...(await faultsOnCopy(world, atNight)), ...(await betweenBooks(world))]
      },
    }))
})
