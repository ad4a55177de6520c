import { type Html, html } from '../../../platform/html/html.ts'
import { openPeriodsOn } from '../../../book/rules/resolve-service.ts'
import { closingsOf } from '../../../book/rules/tonight.ts'
import { type DayBook, type Slot, bookAddress, minuteOfDate } from '../today/read-day.ts'
import { minuteInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { tokenField } from '../parts/forms/fields.ts'
import { listForm } from '../parts/forms/list-form.ts'

/*
 * What a host changes about tonight itself, in the strip of its pacing: more covers in one slot, and no more bookings
 * online. Both take effect at every door at once, and both have their undo in the last line.
 */

export const [slotPath, onlinePath] = ['/office/service/slots', '/office/service/online'] as const

/** The most covers added at a press: one digit too many must not open an evening. */
export const mostMore = 500

export const tonightForms = (day: DayBook): Html => {
  const capped = slotsAhead(day).filter(({ mostCovers }) => mostCovers !== null)
  const until = endOf(day)
  const back = bookAddress(day.query)
  const closed = closingsOf(day.rules, day.date).filter(({ toMinute }) => toMinute > minuteNow(day))
  const own = day.rules.pacingExceptions.filter(({ serviceDate }) => serviceDate === day.date)
  const unused = own.filter(({ fromMinute }) => !day.slots.some((slot) => slot.fromMinute === fromMinute))
  return html`<div class="tonight">
    ${
      capped.length > 0 &&
      listForm(
        slotPath,
        { back, date: day.date },
        html`${tokenField()}<label class="inline"
            ><input name="more" type="number" inputmode="numeric" min="1" max="${mostMore}" value="4" class="few" /><span
              >more covers at</span
            ></label
          ><select name="slot" aria-label="Slot">
            ${capped.map(({ fromMinute, time, covers, mostCovers }) => html`<option value="${fromMinute}">${timeInWords(time)} (${covers} of ${mostCovers})</option>`)}</select
          ><button>Add</button>`,
        { look: 'inline' },
      )
    }
    ${
      closed.length > 0
        ? closed.map((span) =>
            listForm(
              onlinePath,
              { back, span: spanText(span) },
              html`<span>Online bookings are closed until ${minuteInWords(span.toMinute)}.</span
                ><button name="do" value="open">Open them again</button>`,
              { look: 'inline' },
            ),
          )
        : until !== undefined &&
          listForm(
            onlinePath,
            { back, span: spanText({ serviceDate: day.date, fromMinute: minuteNow(day), toMinute: until }) },
            html`<button name="do" value="close">Close online bookings for tonight</button>`,
            { look: 'inline' },
          )
    }
    ${
      own.length > 0 &&
      html`<p class="soft small">
        Tonight
        ${own
          .filter((one) => !unused.includes(one))
          .map(
            ({ fromMinute, maxCovers }) =>
              `${minuteInWords(fromMinute)} takes ${maxCovers ?? 'as many as usual'}`,
          )
          .join(
            ', ',
          )}${unused.length > 0 && ` (set for ${unused.map(({ fromMinute }) => minuteInWords(fromMinute)).join(', ')}, which is no longer a slot)`}.
      </p>`
    }
  </div>`
}

const minuteNow = ({ rules, date, now }: DayBook): number =>
  Math.max(0, Math.floor(minuteOfDate(rules, date, now)))

/** When tonight's last service ends; undefined when all are over. */
const endOf = (day: DayBook): number | undefined => {
  const ends = openPeriodsOn(day.rules, day.date).map(({ endMinute }) => endMinute)
  const last = Math.max(-1, ...ends)
  return last > minuteNow(day) ? last : undefined
}

export type Span = { readonly serviceDate: string; readonly fromMinute: number; readonly toMinute: number }

export const spanText = ({ serviceDate, fromMinute, toMinute }: Span): string =>
  `${serviceDate} ${fromMinute} ${toMinute}`

/** The slots that still matter. */
export const slotsAhead = ({ slots, rules, date, now }: DayBook): readonly Slot[] => {
  const since = minuteOfDate(rules, date, now)
  return slots.filter(({ toMinute }) => toMinute > since)
}
