import { hasBothOrders, importFields, takesNotes } from '../../../data/imports/fields.ts'
import { type SheetRow, sheetDays } from '../../../data/imports/sheet.ts'
import type { ImportRow, RefusedRow } from '../../../data/imports/store.ts'
import { type Preview, type Untaken, mostNewTags, undoFirst } from '../../../data/imports/imports.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { home, stateTag, titleOfKind } from '../data/overview.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'

/** A file before it is imported: which column is what, the first rows, and what would happen to them. */
export const readyPage = (row: ImportRow, preview: Preview, today: string, mistake?: string): Html => html`
  ${head(row)}
  ${mistake && html`<p class="mistake" role="alert">${mistake}</p>`}
  <form class="form" method="post" action="${home}/imports/${row.id}/start">
    <div class="stack">
      <section class="card">
        <header><h2>Match the columns</h2></header>
        <p class="soft">
          ${row.plan.header ? 'Guessed from the headings' : 'No headings were recognized'}; correct anything that is wrong.
        </p>
        <div class="fields">
          ${importFields[row.kind].map(
            ({ name, title }) =>
              html`<label class="field"
                ><span>${title}</span
                ><select name="column-${name}">
                  <option value="">–</option>
                  ${preview.header.map(
                    (heading, i) =>
                      html`<option value="${i}" ${row.plan.columns[name] === i && html`selected`}>
                        ${heading.slice(0, 60)}
                      </option>`,
                  )}
                </select></label
              >`,
          )}
          ${preview.untaken.filter(({ isStaffWords }) => isStaffWords).map(staffWordsField)}
          <label class="field"
            ><span>Date format</span
            ><select name="dates">
              <option value="month-first" ${row.plan.dates === 'month-first' && html`selected`}>month/day/year</option>
              <option value="day-first" ${row.plan.dates === 'day-first' && html`selected`}>day.month.year</option>
            </select></label
          >
        </div>
        ${
          hasBothOrders(row.plan) &&
          html`<p class="hint">
            Some dates in this file begin with the day, others with the month. Those that fit only the other order are skipped, each with its line, and bookings whose date fits both are listed to check. It is best to correct the file first.
          </p>`
        }
        ${row.kind === 'subscribers' && evidenceFields(row, today)} ${besidesPart(row, preview)}
        ${
          row.kind === 'reservations' &&
          html`<label class="check"
            ><input type="checkbox" name="leaveOutRepeats" value="yes" ${row.plan.leaveOutRepeats === true && html`checked`} /> Leave
            out rows that repeat another</label
          >`
        }
        <div class="inline"><button formaction="${home}/imports/${row.id}/plan">Refresh preview</button></div>
      </section>
      ${previewCard(preview)}
      <section class="card">
        <header><h2>Import</h2></header>
        ${notTakenPart(row, preview)}
        <p>${eventsInWords(row, preview)}</p>
        <div class="inline">
          <button class="${isDecided(preview) ? 'primary' : ''}">Import ${rowsInWords(row, preview)}</button>
          <button class="quiet" formaction="${home}/imports/${row.id}/cancel" formnovalidate>
            Discard the file
          </button>
        </div>
      </section>
    </div>
  </form>`

/** A second column of what staff wrote, which goes to the same notes as the first. */
const staffWordsField = ({ column, heading, place }: Untaken): Html =>
  html`<label class="field"
    ><span>${heading.slice(0, 60)}</span
    ><select name="besides-${column}">
      ${place === undefined && html`<option value="">Choose…</option>`}
      <option value="note" ${place === 'note' && html`selected`}>Staff notes, with this heading</option>
      <option value="out" ${place === 'out' && html`selected`}>Leave out</option>
    </select></label
  >`

/** Where the columns go that no field takes. */
const besidesPart = ({ kind, plan }: ImportRow, { untaken: all, newTags }: Preview): Html => {
  const untaken = all.filter(({ isStaffWords }) => !isStaffWords)
  return html`
  ${
    untaken.length > 0 &&
    html`<div class="form" role="group" aria-labelledby="besides">
      <h3 id="besides">Columns without a place</h3>
      <div class="fields">
        ${untaken.map(
          ({ column, heading, rows, sample, place, isConsent }) =>
            html`<label class="field"
              ><span>${heading.slice(0, 60)}</span
              ><select name="besides-${column}">
                <option value="">Choose…</option>
                ${takesNotes(kind) && !isConsent && html`<option value="note" ${place === 'note' && html`selected`}>A line in the staff notes</option>`}
                <option value="out" ${place === 'out' && html`selected`}>Leave out</option>
              </select>
              <small>${inFigures(rows)} ${rows === 1 ? 'row' : 'rows'}, such as “${sample.slice(0, 40)}”</small></label
            >`,
        )}
      </div>
    </div>`
  }
  ${
    newTags > mostNewTags &&
    html`<label class="check"
      ><input type="checkbox" name="manyTags" value="yes" ${plan.manyTags === true && html`checked`} /> Add the
      ${inFigures(newTags)} new tags in this file</label
    >`
  }`
}

/** Whether every column with something in it has a place, or is left out. */
const isDecided = ({ untaken }: Preview): boolean => untaken.every(({ place }) => place !== undefined)

/** "6 rows", "3 of 6 rows"; of a long file only the first rows have been checked. */
const rowsInWords = ({ row_count: all }: ImportRow, { checked, refusals, known }: Preview): string => {
  const left = sum(refusals) + known
  const some = left > 0 && checked >= all ? `${inFigures(all - left)} of ` : ''
  return `${some}${inFigures(all)} ${all === 1 ? 'row' : 'rows'}`
}

const notTakenPart = ({ kind }: ImportRow, { untaken, refusals, differs, checked }: Preview): Html => {
  const columns = untaken.filter(({ place }) => place !== 'note')
  if (columns.length === 0 && refusals.size === 0 && differs.length === 0)
    return html`<p class="soft">Every column that has something in it is taken${checked > 0 && ', and so is each of the rows that were checked'}.</p>`
  return html`<div class="hint">
    <p><strong>Not taken:</strong></p>
      ${columns.map(
        ({ heading, rows, place, isConsent }) =>
          html`<p>
            ${heading.slice(0, 60)}, ${inFigures(rows)} ${rows === 1 ? 'row' : 'rows'}: ${
              isConsent && takesNotes(kind)
                ? 'nobody is subscribed from here. Import them as subscribers, with the proof that they agreed.'
                : place === 'out'
                  ? 'left out.'
                  : html`<strong>no place yet.</strong> Choose one above, or leave it out.`
            }
          </p>`,
      )}
      ${[
        ...(differs.length > 0 ? [['In the book already, and stays as it is there.', differs] as const] : []),
        ...refusals,
      ]
        .slice(0, 8)
        .map(
          ([sentence, lines]) =>
            html`<p>${lines.length === 1 ? 'Line' : 'Lines'} ${lines.slice(0, 20).join(', ')}${lines.length > 20 && ' …'}: ${sentence}</p>`,
        )}
    
  </div>`
}

const evidenceFields = ({ plan }: ImportRow, today: string): Html => html`
  <fieldset class="form">
    <legend>Consent for everyone in this file, unless a column says otherwise</legend>
    <div class="fields">
      <label class="field"
        ><span>Where they agreed</span
        ><input name="evidenceSource" maxlength="200" value="${plan.evidence?.source}" placeholder="Sign-up sheet at the bar"
      /></label>
      <label class="field"
        ><span>Agreed on or before</span><input name="evidenceDate" type="date" max="${today}" value="${plan.evidence?.date}"
      /></label>
    </div>
    <label class="field"
      ><span>The text they agreed to</span
      ><textarea name="evidenceStatement" maxlength="2000">${plan.evidence?.statement}</textarea></label
    >
  </fieldset>`

const previewCard = ({
  header,
  rows,
  checked,
  refusals,
  remarks,
  objections,
}: Preview): Html => html`<section class="card">
  <header><h2>The first rows</h2></header>
  <div class="scroll" tabindex="0" role="region" aria-label="The first rows of the file">
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col">What would happen</th>
          ${header.map((heading) => html`<th scope="col">${heading.slice(0, 60)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ row, outcome, refused }) =>
            html`<tr>
              <td>${row.line}</td>
              <td>${refused ? html`<strong>Skipped.</strong> ${outcome}` : outcome}</td>
              ${header.map((_, i) => html`<td>${(row.cells[i] ?? '').slice(0, 80)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>
  ${
    objections > 0 &&
    html`<p class="hint">
      ${inFigures(objections)} of the first ${inFigures(checked)} rows are marked unsubscribed, bounced or complained. This is recorded, so they are not emailed from here. Any of them who are on your list are removed from it, unless they agreed after the date in the file; bounced addresses stay on it but get no email.
    </p>`
  }
  ${
    remarks.length > 0 &&
    html`<div class="hint">
      <p>
        Of the first ${inFigures(checked)} rows ${inFigures(remarks.length)} ${remarks.length === 1 ? 'has' : 'have'} something to check:
      </p>
      ${remarks.slice(0, 25).map(({ line, sentence }) => html`<p>Line ${line}: ${sentence}</p>`)}
    </div>`
  }
  ${
    refusals.size === 0
      ? html`<p class="soft">None of the first ${inFigures(checked)} rows would be skipped.</p>`
      : html`<div class="hint">
          <p>
            Of the first ${inFigures(checked)} rows ${inFigures(sum(refusals))} would be skipped; the rest will still be imported.
          </p>
        </div>`
  }
</section>`

const eventsInWords = ({ kind }: ImportRow, { told }: Preview): string => {
  const what =
    kind === 'guests'
      ? 'each new guest'
      : kind === 'subscribers'
        ? 'each subscriber added to or removed from your list'
        : kind === 'do-not-email'
          ? 'each subscriber removed from your list'
          : 'each new guest and each upcoming booking (past ones are not sent)'
  if (told.endpoints === 0)
    return 'The import runs in the background and does not slow down the office or your guests.'
  const hours = told.hours < 1 ? 'an hour' : `${Math.ceil(told.hours)} hours`
  return `The import runs in the background. Connected software is notified of ${what}, spread over up to ${hours}, after any live events. Notifications not delivered within 48 hours are dropped.`
}

/** A file being imported, or already imported. */
export const progressPage = (
  row: ImportRow,
  {
    refusals,
    remarks,
    sheet,
    stays,
    mayUndo,
    later,
    isOwner,
  }: {
    readonly refusals: readonly RefusedRow[]
    readonly remarks: readonly RefusedRow[]
    /** Whether the file is still there that the sheet is made from. */
    readonly sheet: boolean
    /** What an undo left, and why. */
    readonly stays: readonly { kind: string; record_id: number; line: number; stays: string }[]
    readonly mayUndo: boolean
    /** The file of a later import, which has to be undone first. */
    readonly later: string | undefined
    /** Whether the rest of the venue's data is theirs too: the files, and what is made from them. */
    readonly isOwner: boolean
  },
  zone: string,
): Html => html`
  ${head(row)}
  <div class="stack">
    ${row.state === 'running' || row.state === 'undoing' ? progressPart(row) : progress(row)}
    ${row.problem && html`<p class="mistake" role="alert">${row.problem}</p>`}
    ${
      isOwner && (row.state === 'failed' || row.state === 'running')
        ? html`<form class="inline" method="post" action="${home}/imports/${row.id}/start">
            ${row.state === 'failed' && html`<button class="primary">Continue</button>`}
            <button
              formaction="${home}/imports/${row.id}/cancel"
              data-asks="Stop this import? What was imported stays."
            >
              Stop
            </button>
          </form>`
        : null
    }
    ${
      row.refused > 0 &&
      reportCard(refusals, {
        title: 'Skipped rows',
        report: isOwner ? `${home}/imports/${row.id}/skipped.csv` : undefined,
        what: 'Each with the reason. Fix them in your file and import it again: nothing is imported twice.',
      })
    }
    ${
      row.remarked > 0 &&
      row.undo_started_at === null &&
      reportCard(remarks, {
        title: 'Bookings to check',
        report: isOwner ? `${home}/imports/${row.id}/to-check.csv` : undefined,
        what: 'The sentence says what to look at: a table that is not as in your file or too small, a date that can be read in two ways, a guest known by a phone number alone, a row that repeats another, or a booking that was in your book already and is different there: change it there if your file is right.',
      })
    }
    ${
      sheet &&
      isOwner &&
      html`<section class="card">
        <header><h2>What happened to each row</h2></header>
        <p class="soft">
          What was added, what changed, what was skipped and why, and what was not taken. It is made from your file; both are deleted ${sheetDays} days after the import, or when a person is erased.
        </p>
        <p class="inline">
          <a class="button" href="${home}/imports/${row.id}/sheet">Show or print</a>
          <a class="button" href="${home}/imports/${row.id}/sheet.csv">Sheet (CSV)</a>
        </p>
      </section>`
    }
    ${
      mayUndo &&
      html`<form class="card" method="post" action="${home}/imports/${row.id}/undo">
        <header><h2>Undo this import</h2></header>
        <p class="soft">
          Within 24 hours: the guests and bookings it added are removed, and guests you already had lose what it filled in. Whatever was changed, emailed, merged or erased since stays, and is listed.
        </p>
        ${
          later === undefined
            ? html`<div class="inline"><button data-asks="Undo this import? What it brought is removed.">Undo the import</button></div>`
            : html`<p>${undoFirst(later)}</p>`
        }
      </form>`
    }
    ${
      row.kept > 0 &&
      html`<section class="card">
        <header><h2>What stays</h2></header>
        <p class="soft">
          ${inFigures(row.kept)} ${row.kept === 1 ? 'record was' : 'records were'} not undone; the sheet says so of each.
        </p>
        <ul class="rows">
          ${stays.map(
            ({ kind, record_id: id, line, stays: why }) =>
              html`<li>
                <span class="nowrap strong">Line ${line}</span><span class="grow">${why}</span>
                <a href="/office/${kind === 'guest' ? 'guests' : 'bookings'}/${id}">${kind === 'guest' ? 'Guest' : 'Booking'}</a>
              </li>`,
          )}
        </ul>
      </section>`
    }
    <dl class="facts">
      <dt>Uploaded</dt>
      <dd>${momentInWords(row.made_at, zone)}, by ${row.made_by}</dd>
      ${row.ended_at && html`<dt>Finished</dt><dd>${momentInWords(row.ended_at, zone)}</dd>`}
    </dl>
    ${isOwner && html`<p><a class="button" href="${home}">Back to your data</a></p>`}
  </div>`

/** The sheet of an import, to read or to print. */
export const sheetPage = (row: ImportRow, rows: readonly SheetRow[]): Html => html`
  <div class="page-head">
    <div>
      <p class="small not-on-paper"><a href="${home}/imports/${row.id}">‹ The import</a></p>
      <h1>${row.file_name}</h1>
    </div>
    <a class="button not-on-paper" href="${home}/imports/${row.id}/sheet.csv">Sheet (CSV)</a>
  </div>
  <div class="stack">
    ${progress(row)}
    <p class="soft">Nobody was subscribed to your emails by this file.</p>
    ${
      rows.length < row.row_count &&
      html`<p class="soft">The first ${inFigures(rows.length)} rows; the CSV file has all ${inFigures(row.row_count)}.</p>`
    }
    <section class="card">
      <header><h2>What happened to each row</h2></header>
      <ul class="rows">
        ${rows.map(
          ({ line, what, guests, why, notTaken, cells }) =>
            html`<li>
              <span class="nowrap strong">Line ${line}</span>
              <div class="grow">
                ${what}${why !== '' && html`: ${why}`}${guests.map(({ id, name }) => html` <a class="not-on-paper" href="/office/guests/${id}">Open ${name}</a>`)}
                <div class="small soft">${cells.filter(Boolean).join(' · ').slice(0, 300)}</div>
                ${notTaken !== '' && html`<div class="small">Not taken: ${notTaken.split('\n').join(' · ')}</div>`}
              </div>
            </li>`,
        )}
      </ul>
    </section>
  </div>`

/** Rows of the file with a sentence each; all of them are in the report. */
const reportCard = (
  rows: readonly RefusedRow[],
  {
    title,
    report,
    what,
  }: { readonly title: string; readonly report: string | undefined; readonly what: string },
): Html =>
  html`<section class="card">
    <header>
      <h2>${title}</h2>
      ${report !== undefined && html`<a class="button" href="${report}">Full report (CSV)</a>`}
    </header>
    <p class="soft">${what}</p>
    <ul class="rows">
      ${rows.map(
        ({ line, sentence }) =>
          html`<li><span class="nowrap strong">Line ${line}</span><span class="grow">${sentence}</span></li>`,
      )}
    </ul>
  </section>`

/** The figures, which refresh themselves until the import is finished. */
export const progressPart = (row: ImportRow): Html =>
  row.state === 'running' || row.state === 'undoing'
    ? html`<div hx-get="${home}/imports/${row.id}?part=progress" hx-trigger="every 2s" hx-swap="outerHTML">
        ${progress(row)}
      </div>`
    : html`<div>
        ${progress(row)}
        <p class="notice"><a href="${home}/imports/${row.id}">Finished: see the report</a></p>
      </div>`

const progress = (row: ImportRow): Html => html`<section class="card">
  <div class="figures">
    ${figure(row.rows_done, `of ${inFigures(row.row_count)} rows`)}
    ${figure(row.made, row.kind === 'subscribers' || row.kind === 'do-not-email' ? 'new or changed' : 'new')}
    ${figure(row.known, 'already there')} ${figure(row.refused, 'skipped')}
    ${row.remarked > 0 && figure(row.remarked, 'to check')}
    ${row.undo_started_at !== null && html`${figure(row.undone, row.undone === 1 ? 'guest or booking undone' : 'guests and bookings undone')} ${figure(row.kept, 'kept')}`}
  </div>
</section>`

const figure = (number: number, words: string): Html =>
  html`<div class="figure"><strong>${inFigures(number)}</strong><span>${words}</span></div>`

const head = (row: ImportRow): Html =>
  html`<div class="page-head">
    <h1>${titleOfKind(row.kind)} from ${row.file_name}</h1>
    ${stateTag(row)}
  </div>`

const inFigures = (number: number): string => String(number).replaceAll(/\B(?=(\d{3})+$)/g, ',')

const sum = (lines: ReadonlyMap<string, readonly number[]>): number =>
  lines.values().reduce((all, one) => all + one.length, 0)
