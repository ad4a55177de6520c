import type { Change, EventItem } from '@venue-data/sdk'
import type { Output } from '../world.ts'
import { type Paint, paint } from './paint.ts'
import { cut, padded, printable } from './printable.ts'

/** A change or an event on one line: when, what, to which record, and what sets it apart. */
export const happenedLine = (item: object, out: Output): string => {
  const { at, what, record, about } = 'event' in item ? ofEvent(item as EventItem) : ofChange(item as Change)
  const time = `${at.slice(0, 19)}Z`
  const start = `${time}  ${padded(printable(what), 'event' in item ? 26 : 7)}  ${padded(printable(record), 22)}`
  const rest = cut(printable(about), Math.max(10, out.columns() - start.length - 2))
  return (
    `${paint(out, 'dim', time)}${paint(out, colorOf(what), start.slice(time.length))}  ${rest}`.trimEnd() +
    '\n'
  )
}

type Said = { readonly at: string; readonly what: string; readonly record: string; readonly about: string }

const ofEvent = ({ event, occurredAt, record, changed, data }: EventItem): Said => ({
  at: occurredAt,
  what: event,
  record: record ? `${record.kind} ${record.id}` : '',
  about: [nameOf(data), changed.length > 0 && `(${changed.join(', ')})`].filter(Boolean).join(' '),
})

const ofChange = ({ kind, id, change, revision, at, data }: Change): Said => ({
  at,
  what: change,
  record: `${kind} ${id}`,
  about: [nameOf(data), `revision ${revision}`].filter(Boolean).join(' · '),
})

/** What people would call the record, and what it is about. */
const nameOf = (data: object | null): string => {
  const fields = Object(data) as Record<string, unknown>
  const told = [
    'guestName',
    'name',
    'contactName',
    'title',
    'email',
    'buyerEmail',
    'partySize',
    'date',
    'time',
    'status',
    'stage',
  ]
  return told
    .map((field) => fields[field])
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .slice(0, 5)
    .join(' · ')
}

const colorOf = (what: string): Paint => {
  if (/(?:deleted|cancelled|erased|failed|disabled|no_show|merged|unsubscribed)$/.test(what)) return 'red'
  if (/(?:created|added|paid|seated|completed|confirmed|booked)$/.test(what)) return 'green'
  return 'cyan'
}
