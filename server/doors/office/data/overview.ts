import { limits } from '@venue-data/contract/limits.ts'
import { exportKinds } from '../../../data/exports/kinds.ts'
import type { ImportKind } from '../../../data/imports/fields.ts'
import type { ImportRow } from '../../../data/imports/store.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { ListPage } from '../../../platform/kernel/list-page.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { listFoot } from '../parts/pager.ts'
import { tag } from '../parts/tags.ts'

export const home = '/office/data'

/** What the owner imports, exports and erases; `after`: the place in the list of files. */
export const overview = (imports: ListPage<ImportRow>, after: string | null, zone: string): Html => html`
  <div class="page-head"><h1>Your data</h1></div>
  <div class="stack">
    <section class="card">
      <header><h2>Import data</h2></header>
      <p class="soft">
        A CSV file from another system or a spreadsheet, up to ${limits.importFileBytes / 1024 / 1024} MB. You see the first rows and match the columns before anything is saved. Importing a file twice does not create duplicates. The headings of OpenTable, Resy, SevenRooms, Tock, Square, Eat App and TheFork are known.
      </p>
      ${kinds.map(
        ({ kind, title, words }) => html`<form
          class="form"
          method="post"
          action="${home}/imports/${kind}"
          enctype="multipart/form-data"
        >
          <div class="fields">
            <label class="field"
              ><span>${title}</span><input name="file" type="file" accept=".csv,.txt,text/csv" required /><small
                >${words}</small
              ></label
            >
          </div>
          <div><button>Upload ${title.toLowerCase()}</button></div>
        </form>`,
      )}
    </section>
    ${
      imports.rows.length > 0 &&
      html`<section class="card">
        <header><h2>Imported files</h2></header>
        <ul class="rows">
          ${imports.rows.map(
            (row) =>
              html`<li>
                <div class="grow">
                  <a href="${home}/imports/${row.id}">${row.file_name}</a>
                  <div class="small soft">${titleOfKind(row.kind)}, ${momentInWords(row.made_at, zone)}</div>
                </div>
                ${stateTag(row)}
              </li>`,
          )}
        </ul>
        ${listFoot({ path: home, after, next: imports.next })}
      </section>`
    }
    <section class="card">
      <header><h2>Export everything</h2></header>
      <p class="soft">
        All of the venue's records, including staff notes, at any time. The files are for you: they contain more than connected software may see. Staff activity and accounts are not included.
      </p>
      <p><a class="button primary" href="${home}/export/everything.json">Everything, as JSON</a></p>
      <p class="inline">
        ${exportKinds.map(
          ({ name, title }) => html`<a class="button" href="${home}/export/${name}.csv">${title} (CSV)</a>`,
        )}
      </p>
    </section>
    <section class="card">
      <header><h2>One person</h2></header>
      <p class="soft">Everything on file about somebody: to give it to them, or to erase it.</p>
      ${personSearch('')}
      <p><a href="${home}/erasures">Erased people</a></p>
    </section>
  </div>`

export const personSearch = (typed: string): Html =>
  html`<form class="search" method="get" action="${home}/person" role="search">
    <input
      name="q"
      type="search"
      value="${typed}"
      required
      maxlength="254"
      aria-label="Email, phone or name"
      placeholder="Email, phone or name"
    /><button>Search</button>
  </form>`

export const kinds: readonly { readonly kind: ImportKind; readonly title: string; readonly words: string }[] =
  [
    {
      kind: 'reservations',
      title: 'Reservations',
      words: 'Past and upcoming. Import this first: visits are counted from it.',
    },
    {
      kind: 'guests',
      title: 'Guests',
      words:
        'Guests you already have are filled in, never duplicated. Their visit counts become at least those in the file.',
    },
    {
      kind: 'subscribers',
      title: 'Subscribers',
      words:
        'With proof that each person agreed. Anyone who left your list or is on the do-not-email list is not added, and people the file marks as unsubscribed, bounced or complained are not emailed from here either.',
    },
    {
      kind: 'do-not-email',
      title: 'Do-not-email list',
      words:
        'Addresses that must not be emailed, such as the file you can export below. Anyone on your list is removed from it, unless they agreed after the date in the file; bounced addresses stay on it but get no email.',
    },
  ]

export const titleOfKind = (kind: ImportKind): string => kinds.find((one) => one.kind === kind)?.title ?? kind

export const stateTag = ({ state, rows_done, row_count }: ImportRow): Html => {
  switch (state) {
    case 'ready':
      return tag('Not started', 'warn')
    case 'running':
      return tag(`${Math.floor((100 * rows_done) / Math.max(1, row_count))}%`, 'accent')
    case 'done':
      return tag('Imported', 'good')
    case 'failed':
      return tag('Stopped', 'bad')
    case 'cancelled':
      return tag('Cancelled')
    case 'undoing':
      return tag('Undoing', 'accent')
    case 'undone':
      return tag('Undone')
    default:
      return state satisfies never
  }
}
