import { limits } from '@venue-data/contract/limits.ts'
import type { EntryRow, EntryWords } from '../../../book/day/entry-row.ts'
import { moveEntry } from '../../../book/waitlist/actions.ts'
import { changeEntry } from '../../../book/waitlist/by-key.ts'
import { inLine } from '../../../book/waitlist/states.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { typedPhone, typedText } from '../../../platform/kernel/typed-fields.ts'
import { actorOf } from '../frame/actor.ts'
import type { Form, PageAnswer } from '../frame/page.ts'
import { versionIn } from '../parts/forms/fields.ts'
import { guestNameIn, partySizeIn } from '../parts/forms/party-fields.ts'
import { type Press, answerUndone, answerWith } from '../parts/press.ts'
import { guestsInWords } from '../parts/time-words.ts'
import type { Undo } from '../parts/undo.ts'
import type { OfficeWork } from '../frame/serve-page.ts'

/*
 * A party in line that grows or shrinks at the door, or whose name or number was misheard: it keeps its place. What it was
 * promised was for as many as it was, so another size is quoted again.
 */

/** Its fields in the form of a party's buttons. */
export const changeFields = ({ id, party_size, guest_name, phone, notes }: EntryRow): Html =>
  html`<details id="w${id}-edit" class="ask-once edit-party">
    <summary>Change…</summary>
    <label><span class="small soft">Guests</span><input name="partySize" type="number" inputmode="numeric" min="1" max="${limits.partyGuests}" value="${party_size}" /></label>
    <label><span class="small soft">Name</span><input name="guestName" maxlength="${limits.nameCharacters}" autocomplete="off" value="${guest_name}" /></label>
    <label><span class="small soft">Phone</span><input name="phone" type="tel" maxlength="40" autocomplete="off" value="${phone}" /></label>
    <label><span class="small soft">Notes</span><input name="notes" maxlength="${limits.notesCharacters}" autocomplete="off" value="${notes}" /></label>
    <button id="w${id}-change" name="move" value="change">Save</button>
  </details>`

type Typed = Pick<EntryWords, 'party_size' | 'guest_name' | 'phone' | 'notes'>

export const changeParty = async (
  work: OfficeWork,
  form: Form,
  row: EntryRow,
  { press, back, list }: { readonly press: Press; readonly back: string; readonly list: Undo['list'] },
): Promise<PageAnswer> => {
  const isSeen = row.status === form.text('status') && row.version === versionIn(form)
  if (!isSeen || !inLine.some((status) => status === row.status))
    return answerUndone(press, `${press.who} changed meanwhile. Nothing was done.`)
  const changes: Typed = {
    party_size: partySizeIn(form),
    guest_name: guestNameIn(form),
    phone: typedPhone('The phone number', form.text('phone')),
    notes: typedText('The note', form.text('notes'), limits.notesCharacters),
  }
  if (Object.entries(changes).every(([name, value]) => row[name as keyof Typed] === value))
    return answerUndone(press, `${press.who}: nothing was changed.`)
  const actor = actorOf(work.me)
  const isUndo = form.text('undo') !== ''
  // The quote was the last that was done, so it goes first.
  const before = form.has('quoted') ? await quoteAgain(work, actor, row, true) : undefined
  const seenVersion = before?.version ?? row.version
  const changed = await changeEntry(work, actor, { id: row.id, seenVersion, changes })
  const isOtherSize = changed.party_size !== row.party_size
  const quoted =
    isOtherSize && !isUndo && wasQuoted(row) ? await quoteAgain(work, actor, row, false) : undefined
  const after = { ...changed, ...(quoted && { version: quoted.version }) }
  const promised = (): string => {
    if (quoted) return `, quoted ${quoted.record.quotedMinutes} minutes`
    return !isUndo && wasQuoted(row) ? '; no table takes so many, and their old quote was for fewer' : ''
  }
  const words = isOtherSize ? `${guestsInWords(after.party_size)} now${promised()}` : 'changed'
  if (isUndo) return answerWith(press, `${press.who}: ${words}, as before.`)
  const undo: Undo = {
    to: `/office/waitlist/${row.id}/moves`,
    hidden: {
      ...{ version: after.version, status: after.status, back, undo: '1', ...(quoted && { quoted: '1' }) },
      ...{ partySize: row.party_size, guestName: row.guest_name, phone: row.phone, notes: row.notes },
    },
    press: ['move', 'change'],
    id: `w${row.id}-undo-change`,
    list,
  }
  return answerWith(press, `${press.who}: ${words}.`, { undo })
}

/** Whether it waits at the door and was quoted a time: a party that waits for a place in the book was not. */
const wasQuoted = ({ status, quoted_minutes, for_later }: EntryRow): boolean =>
  status === 'waiting' && quoted_minutes !== null && !for_later

/** Quotes the party as it is now, or takes that back. */
const quoteAgain = async (
  work: OfficeWork,
  actor: ReturnType<typeof actorOf>,
  { id }: EntryRow,
  isUndo: boolean,
) => {
  const outcome = await moveEntry(work, actor, { id, move: 'quote', isUndo })
  return outcome.kind === 'done' ? outcome : undefined
}
