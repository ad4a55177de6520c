import { turnKinds } from '../../../data/reports/turn-kinds.ts'
import { rulesVersion } from '../../../book/rules/rules-change.ts'
import { allBookingRules } from '../../../book/rules/rules-store.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import type { Form, PageAnswer } from '../frame/page.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { addressOf } from '../parts/pager.ts'
import { numberOrText } from '../settings/limits/limit-rows.ts'
import { saveRules } from '../settings/save-rules.ts'
import { periodIn, placeOf } from './period.ts'
import { withTurn } from './with-turn.ts'

export const turnTimePath = '/office/reports/turn-time'

/** Takes a turn time over for sizes that have one now; or, as the undo of it, all turn times as they were. */
export const changeTurnTime = async (work: OfficeWork, form: Form): Promise<PageAnswer> => {
  const before = await allBookingRules(work.db, work.venue.id)
  const kind = turnKinds(before).find(({ sizes }) => sizes === form.text('sizes'))
  const minutes = numberOrText(form.text('minutes').trim())
  const usual = form.has('usual') ? turnsIn(form.text('usual')) : undefined
  // Of turn times that somebody changed meanwhile, saving says so.
  if (!kind && !usual && form.text('seen') === rulesVersion(before))
    throw badRequest('The sizes of parties must be ones of the report.')
  const saved = await saveRules(work, form, {
    action: 'change the turn times',
    done: usual
      ? 'The turn times are as they were before.'
      : 'Turn time saved. It holds for bookings from now on.',
    back: `${addressOf('/office/reports', periodIn(form))}#${placeOf(form, 'stays')}`,
    edit: (document) => ({
      ...document,
      turnMinutes:
        usual ??
        (kind
          ? withTurn(
              document.turnMinutes.filter((row) => row !== null),
              kind,
              minutes,
            )
          : document.turnMinutes),
    }),
  })
  if (saved.kind !== 'go' || usual) return saved
  const seen = rulesVersion(await allBookingRules(work.db, work.venue.id))
  return {
    ...saved,
    undo: {
      to: turnTimePath,
      fields: {
        ...{ seen, usual: before.turnTimes.map(({ upTo, minutes: held }) => `${upTo}:${held}`).join(' ') },
        ...periodIn(form),
        ...(form.has('on') && { on: form.text('on') }),
      },
    },
  }
}

/** "2:90 6:120": what the rules say of rows that are none is said where they are saved. */
const turnsIn = (text: string) =>
  text
    .split(' ')
    .filter((row) => row !== '')
    .map((row) => {
      const [upTo = '', minutes = ''] = row.split(':')
      return { upTo: numberOrText(upTo), minutes: numberOrText(minutes) }
    })
