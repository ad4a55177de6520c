import { randomBytes } from 'node:crypto'
import type { Work } from '../../../context.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { isHoldId } from '../../../book/reservations/holds/hold-reads.ts'
import { type HoldOutcome, extendHold, newHoldId, placeHold } from '../../../book/reservations/holds/holds.ts'
import { resolveService } from '../../../book/rules/resolve-service.ts'
import { type GuestAnswer, typed } from '../frame/visit.ts'
import { byNetwork } from '../frame/who.ts'
import { here, whenIn } from './book-asked.ts'
import { choiceOf, choicePage, chosenKey } from './book-experience.ts'
import { detailsPage } from './book-details.ts'
import type { TakingVisit } from './taking.ts'

/* A time is held from the moment it is chosen (`/v/{slug}/book`), so that the details are typed in peace. */

/** A time was chosen: it is held, if a rule does not say no and the guest does not hold too many. */
export const hold = async (work: Work, visit: TakingVisit, size: number): Promise<GuestAnswer> => {
  const [day = '', time = ''] = typed(visit, 'slot').split(' ')
  const when = whenIn(visit, (name) => (name === 'day' ? day : time))
  if (!when) throw badRequest(visit.words.gone.text)
  const before = typed(visit, 'hold')
  const around = typed(visit, 'around')
  // What was chosen for another time is chosen again.
  const choice = await choiceOf(work, visit, { size, when }, '')
  const outcome = await placeHold(work, {
    ...when,
    id: newHoldId(randomBytes),
    partySize: size,
    by: byNetwork(visit),
    ...(isHoldId(before) && { instead: before }),
    experience: chosenKey(choice),
  })
  // Refused at this very moment: the times say so, and show what is left.
  if (outcome.kind === 'refused')
    return {
      to: here(visit, {
        size,
        date: resolveService(visit.rules.around(day), when).serviceDate,
        around,
        hold: before,
        taken: time,
      }),
      refused: refusedIn(outcome),
    }
  return {
    to: here(visit, { size, day, time, hold: outcome.kind === 'held' ? outcome.hold.id : undefined }),
    counts: { door: 'book', steps: ['chosen'] },
  }
}

const refusedIn = ({ refusal, table }: Extract<HoldOutcome, { kind: 'refused' }>) => ({
  reason: refusal.reason,
  table,
})

/** Another time in place of one that was taken: held as well, and the form comes back filled. */
export const holdInstead = async (work: Work, visit: TakingVisit, size: number): Promise<GuestAnswer> => {
  const [day = '', time = ''] = typed(visit, 'slot').split(' ')
  const when = whenIn(visit, (name) => (name === 'day' ? day : time))
  if (!when) throw badRequest(visit.words.gone.text)
  const choice = await choiceOf(work, visit, { size, when })
  const outcome = await placeHold(work, {
    ...when,
    id: newHoldId(randomBytes),
    partySize: size,
    by: byNetwork(visit),
    experience: chosenKey(choice),
  })
  const form = new Map(visit.form)
  form.set('hold', [outcome.kind === 'held' ? outcome.hold.id : ''])
  return {
    ...(await detailsPage(work, { ...visit, form }, { size, when })),
    ...(outcome.kind === 'refused'
      ? { refused: refusedIn(outcome) }
      : { counts: { door: 'book', steps: ['chosen'] } }),
  }
}

/** Five minutes more, once; the form comes back filled. */
export const extend = async (work: Work, visit: TakingVisit, size: number): Promise<GuestAnswer> => {
  const when = whenIn(visit, (name) => typed(visit, name))
  if (!when) throw badRequest(visit.words.gone.text)
  const id = typed(visit, 'hold')
  if (isHoldId(id)) await extendHold(work, id)
  return detailsPage(work, visit, { size, when })
}

/** What was chosen: it is held with the time. */
export const choose = async (work: Work, visit: TakingVisit, size: number): Promise<GuestAnswer> => {
  const when = whenIn(visit, (name) => typed(visit, name))
  if (!when) throw badRequest(visit.words.gone.text)
  const choice = await choiceOf(work, visit, { size, when })
  if (choice.kind === 'ask') {
    const { enter, gone } = visit.words.experience
    const [why, status] = typed(visit, 'experience') === '' ? [enter, 400] : [gone, 409]
    return { ...choicePage(visit, { size, when }, choice.offers, why), status }
  }
  const before = typed(visit, 'hold')
  const experience = chosenKey(choice)
  const { date: day, time } = when
  const outcome = await placeHold(work, {
    ...{ ...when, partySize: size, by: byNetwork(visit), id: newHoldId(randomBytes), experience },
    ...(isHoldId(before) && { instead: before }),
  })
  if (outcome.kind === 'refused') {
    const { refusal, table } = outcome
    const isOtherFull = refusal.reason === 'experience-full'
    return {
      to: here(
        visit,
        isOtherFull ? { size, day, time, hold: before } : { size, date: day, hold: before, taken: time },
      ),
      refused: { reason: refusal.reason, table },
    }
  }
  const hold = outcome.kind === 'held' ? outcome.hold.id : undefined
  // The details were typed before: they come back filled.
  if (typed(visit, 'name') !== '' || typed(visit, 'email') !== '') {
    const form = new Map(visit.form)
    form.set('hold', [hold ?? ''])
    return detailsPage(work, { ...visit, form }, { size, when })
  }
  return { to: here(visit, { size, day, time, hold, experience }) }
}
