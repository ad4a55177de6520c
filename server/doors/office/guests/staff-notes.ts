import { readSignedNote } from '../../../crm/guests/rules.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { tag } from '../parts/tags.ts'
import { dateInWords } from '../../../platform/kernel/time/in-words.ts'

/**
 * "2026-10-06 automation: another phone was given: (646) 555-0100", as `conflictLine` of the guests' rules writes it.
 */
const conflict = /^(\d{4}-\d{2}-\d{2}) (\w+): another (name|email|phone) was given: (.*)$/

/** Notes line by line; a value that was given but not saved is highlighted, so that somebody resolves it. */
export const staffNotes = (notes: string): Html =>
  notes === ''
    ? html`<p class="soft">No notes yet.</p>`
    : html`<ul class="notes">
        ${notes.split('\n').map((line) => {
          const [, date, source, field, value] = conflict.exec(line) ?? []
          if (date === undefined || value === undefined) return noteLine(line)
          return html`<li class="conflict">
            ${tag(`Another ${field}`, 'warn')} <span class="breaks strong">${value}</span>
            <span class="small soft">${dateInWords(date)}, by ${sources[source ?? ''] ?? source}</span>
          </li>`
        })}
      </ul>`

/** What somebody wrote, and below it who and when. */
const noteLine = (line: string): Html => {
  const note = readSignedNote(line)
  return note === undefined
    ? html`<li class="breaks">${line}</li>`
    : html`<li class="breaks">${note.text}<br /><span class="small soft">${note.author}, ${dateInWords(note.date)}</span></li>`
}

const sources: Record<string, string> = {
  automation: 'connected software',
  public: 'the guest',
  staff: 'staff',
  import: 'an import',
  merge: 'a merge',
}
