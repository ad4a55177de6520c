import { Readable } from 'node:stream'
import type { Context, Work } from '../../../context.ts'
import {
  type Beside,
  besides as besidePlaces,
  importFields,
  importKinds,
} from '../../../data/imports/fields.ts'
import { type ImportRow, importsPage, refusalsAfter } from '../../../data/imports/store.ts'
import {
  besidesOf,
  cancelImport,
  oneImport,
  previewImport,
  mayUndo,
  settlePlan,
  startImport,
  startUndo,
} from '../../../data/imports/imports.ts'
import { receiveImport } from '../../../data/imports/receive.ts'
import { csvRow } from '../../../platform/kernel/csv/csv-text.ts'
import { recordsThatStay } from '../../../data/imports/records.ts'
import { laterImport } from '../../../data/imports/store.ts'
import { type SheetRow, sheetIsThere, sheetRows } from '../../../data/imports/sheet.ts'
import { Refusal, notFound } from '../../../platform/kernel/refusal.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, go, page, part } from '../frame/page.ts'
import { pageRows } from '../parts/pager.ts'
import { idOf } from '../parts/forms/fields.ts'
import { readUpload } from '../frame/read-upload.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { progressPage, progressPart, readyPage, sheetPage } from './import.ts'
import { home, overview, titleOfKind } from '../data/overview.ts'

/** Importing data: a file, its columns, the import and its report. For the owner; a manager sees how one went, and may undo it. */
export const importPages = (context: Context): readonly VenuePage[] => [
  {
    method: 'GET',
    path: home,
    role: 'owner',
    answer: async ({ db, venue }, { query }) => {
      const after = query.get('after')
      const imports = await importsPage(db, venue.id, { limit: pageRows, after })
      return page('Your data', overview(imports, after, venue.timezone))
    },
  },
  {
    method: 'POST',
    path: `${home}/imports/:kind`,
    role: 'owner',
    upload: true,
    answer: async ({ venue, me }, { params, upload }) => {
      const kind = importKinds.find((one) => one === params.kind)
      if (!kind) throw notFound('import')
      const row = await readUpload(upload, 'file', ({ name, bytes }) =>
        receiveImport(context, venue, { kind, fileName: name, madeBy: me.staff.email }, bytes),
      )
      return go(`${home}/imports/${row.id}`)
    },
  },
  {
    method: 'GET',
    path: `${home}/imports/:id`,
    role: 'manager',
    answer: async (work, { params, query }) => {
      const row = await oneImport(work, idOf(params.id, 'import'))
      // Only owners bring files: what is in one is nobody else's before it is imported.
      if (row.state === 'ready' && work.me.staff.role !== 'owner') throw notFound('import')
      if (query.get('part') === 'progress') return part(progressPart(row))
      return importPage(work, row)
    },
  },
  {
    method: 'POST',
    path: `${home}/imports/:id/plan`,
    role: 'owner',
    answer: async (work, { params, form }) => {
      const row = await oneImport(work, idOf(params.id, 'import'))
      await settlePlan(work, row.id, planIn(row, form))
      return go(`${home}/imports/${row.id}`)
    },
    again: async (work, { params, form }, { message }) =>
      importPage(work, await oneImport(work, idOf(params.id, 'import')), { form, mistake: message }),
  },
  {
    method: 'POST',
    path: `${home}/imports/:id/start`,
    role: 'owner',
    answer: async (work, { params, form }) => {
      const row = await oneImport(work, idOf(params.id, 'import'))
      if (row.state === 'ready') await settlePlan(work, row.id, planIn(row, form))
      await startImport(work, actorOf(work.me), row.id)
      return go(`${home}/imports/${row.id}`, 'The import is running. You can leave this page.')
    },
    again: async (work, { params, form }, { message }) =>
      importPage(work, await oneImport(work, idOf(params.id, 'import')), { form, mistake: message }),
  },
  {
    method: 'POST',
    path: `${home}/imports/:id/cancel`,
    role: 'owner',
    answer: async (work, { params }) => {
      await cancelImport(work, actorOf(work.me), idOf(params.id, 'import'))
      return go(home, 'The import was stopped and its file discarded. Rows already imported stay.')
    },
  },
  {
    method: 'POST',
    path: `${home}/imports/:id/undo`,
    role: 'manager',
    answer: async (work, { params }) => {
      const id = idOf(params.id, 'import')
      await startUndo(work, actorOf(work.me), id)
      return go(`${home}/imports/${id}`, 'The import is being undone. You can leave this page.')
    },
  },
  {
    method: 'GET',
    path: `${home}/imports/:id/sheet`,
    role: 'owner',
    answer: async (work, { params }) => {
      const row = await importWithSheet(work, params.id)
      const rows: SheetRow[] = []
      for await (const some of sheetRows(work, row)) {
        rows.push(...some)
        if (rows.length >= sheetRowsShown) break
      }
      return page(`${row.file_name}: what came of it`, sheetPage(row, rows.slice(0, sheetRowsShown)))
    },
  },
  {
    method: 'GET',
    path: `${home}/imports/:id/sheet.csv`,
    role: 'owner',
    answer: async (work, { params }) => {
      const row = await importWithSheet(work, params.id)
      return {
        kind: 'file',
        name: `sheet-${row.kind}-${row.id}.csv`,
        type: 'text/csv; charset=utf-8',
        body: Readable.from(sheetInFile(work, row)),
      }
    },
  },
  ...(
    [
      ['skipped', false],
      ['to-check', true],
    ] as const
  ).map(([report, imported]): VenuePage => ({
    method: 'GET',
    path: `${home}/imports/:id/${report}.csv`,
    role: 'owner',
    answer: async (work, { params }) => {
      const row = await oneImport(work, idOf(params.id, 'import'))
      return {
        kind: 'file',
        name: `${report}-${row.kind}-${row.id}.csv`,
        type: 'text/csv; charset=utf-8',
        body: Readable.from(reportOf(work, row.id, imported)),
      }
    },
  })),
]

const sheetRowsShown = 1_000

const importWithSheet = async (work: OfficeWork, id: string | undefined): Promise<ImportRow> => {
  const row = await oneImport(work, idOf(id, 'import'))
  if (!(await sheetIsThere(work, row)))
    throw new Refusal(404, 'The file of this import is gone, and the sheet that was made from it with it.')
  return row
}

const sheetInFile = async function* (work: OfficeWork, row: ImportRow) {
  const headings = row.plan.headings ?? (row.plan.filled ?? []).map((_, i) => `Column ${i + 1}`)
  yield `\uFEFF${csvRow(['line', 'what happened', 'why', 'not taken', ...headings])}`
  for await (const rows of sheetRows(work, row))
    yield rows
      .map(({ line, what, why, notTaken, cells }) => csvRow([line, what, why, notTaken, ...cells]))
      .join('')
}

/** `sent`: a form that was refused; it is shown again with what was chosen and typed. */
const importPage = async (
  work: OfficeWork,
  row: ImportRow,
  sent?: { readonly form: Form; readonly mistake: string },
): Promise<PageAnswer> => {
  const title = `${titleOfKind(row.kind)}: import`
  const { db, venue } = work
  if (row.state !== 'ready') {
    const first = (imported: boolean) =>
      refusalsAfter(db, venue.id, row.id, { imported, line: 0, limit: refusalsShown })
    const [sheet, stays, refusals, remarks] = await Promise.all([
      sheetIsThere(work, row),
      row.kept > 0 ? recordsThatStay(db, venue.id, row.id, refusalsShown) : [],
      row.refused > 0 ? first(false) : [],
      row.remarked > 0 ? first(true) : [],
    ])
    return page(
      title,
      progressPage(
        row,
        {
          ...{ refusals, remarks, sheet, stays, mayUndo: mayUndo(row, work.now()) },
          later: await laterImport(work.db, venue.id, row),
          isOwner: work.me.staff.role === 'owner',
        },
        venue.timezone,
      ),
    )
  }
  const { date } = wallTimeOf(work.now(), venue.timezone)
  const typed = sent && planIn(row, sent.form)
  // The evidence may be what was wrong, so the rows are checked with the saved one.
  const tried = typed
    ? {
        ...row.plan,
        columns: typed.columns,
        dates: typed.dates,
        besides: besidesOf(typed.columns, typed.besides),
        leaveOutRepeats: typed.leaveOutRepeats,
      }
    : row.plan
  const preview = await previewImport(work, { ...row, plan: tried })
  return page(
    title,
    readyPage(
      { ...row, plan: { ...tried, ...typed, besides: tried.besides ?? {} } },
      preview,
      date,
      sent?.mistake,
    ),
  )
}

const refusalsShown = 25

/** A report, a page of rows at a time. */
const reportOf = async function* ({ db, venue }: Pick<Work, 'db' | 'venue'>, id: number, imported: boolean) {
  yield `\uFEFF${csvRow(['line', 'why'])}`
  let last = 0
  for (;;) {
    const rows = await refusalsAfter(db, venue.id, id, { imported, line: last, limit: 1_000 })
    if (rows.length === 0) return
    yield rows.map(({ line, sentence }) => csvRow([line, sentence])).join('')
    last = rows.at(-1)?.line ?? last
  }
}

/** Of a file that came before its columns were counted. */
const mostColumnsAsked = 200

const planIn = (row: ImportRow, form: Form) => {
  const columns: Record<string, number> = {}
  for (const { name } of importFields[row.kind]) {
    const column = form.text(`column-${name}`)
    if (/^\d{1,3}$/.test(column)) columns[name] = Number(column)
  }
  const besides: Record<string, Beside> = {}
  for (let column = 0; column < (row.plan.filled?.length ?? mostColumnsAsked); column++) {
    const place = besidePlaces.find((one) => one === form.text(`besides-${column}`))
    if (place) besides[column] = place
  }
  return {
    columns,
    besides,
    manyTags: form.text('manyTags') === 'yes',
    leaveOutRepeats: form.text('leaveOutRepeats') === 'yes',
    dates: form.text('dates') === 'day-first' ? ('day-first' as const) : ('month-first' as const),
    evidence: form.has('evidenceSource')
      ? {
          source: form.text('evidenceSource'),
          statement: form.text('evidenceStatement'),
          date: form.text('evidenceDate'),
        }
      : null,
  }
}
