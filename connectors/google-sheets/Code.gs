/*
 * Keeps a copy of a venue's records in this spreadsheet, one sheet for each kind, using the feed of changes of the
 * Venue Data API. Each run continues where the last one ended: the cursor is stored with the rows up to it.
 */

/** The sheet of each kind of record. */
const SHEETS = {
  guest: 'Guests',
  reservation: 'Reservations',
  subscriber: 'Subscribers',
  ticket_order: 'Ticket orders',
  waitlist_entry: 'Waitlist',
  lead: 'Leads',
  task: 'Tasks',
  campaign: 'Campaigns',
  visit: 'Visits',
}

/** Google stops a run after six minutes; we start no page later than this. */
const RUN_MS = 4 * 60 * 1000
const PAGE = 500
const EVERY_MINUTES = 5
/** The most a cell can hold. */
const CELL_CHARACTERS = 50000

function onOpen() {
  SpreadsheetApp.getUi()
    .createMenu('Venue Data')
    .addItem('Connect…', 'connect')
    .addItem('Update now', 'sync')
    .addItem('Stop', 'stop')
    .addToUi()
}

/** Asks for the address and the key, checks them, and starts. */
function connect() {
  const ui = SpreadsheetApp.getUi()
  const ask = (question) => {
    const answer = ui.prompt('Venue Data', question, ui.ButtonSet.OK_CANCEL)
    return answer.getSelectedButton() === ui.Button.OK ? answer.getResponseText().trim() : ''
  }
  const baseUrl = ask('Base URL, such as https://venue.example.com').replace(/\/+$/, '')
  const key = baseUrl && ask('API key (service_sk_…). A read-only key is enough.')
  if (!key) return
  const properties = PropertiesService.getScriptProperties()
  properties.setProperties({ BASE_URL: baseUrl, API_KEY: key })
  const me = ask_('/api/v1/me')
  if (me.status !== 200) throw new Error(me.body.error)
  stop()
  ScriptApp.newTrigger('sync').timeBased().everyMinutes(EVERY_MINUTES).create()
  ui.alert(
    `Connected to ${me.body.venue.name}. The sheets fill within minutes and are updated every ${EVERY_MINUTES}.`,
  )
  sync()
}

/** Leaves the rows as they are; they are no longer updated. */
function stop() {
  for (const trigger of ScriptApp.getProjectTriggers()) {
    if (trigger.getHandlerFunction() === 'sync') ScriptApp.deleteTrigger(trigger)
  }
}

/** Run by the time trigger. */
function sync() {
  const lock = LockService.getScriptLock()
  // The previous run is still going.
  if (!lock.tryLock(0)) return
  try {
    follow_(Date.now() + RUN_MS)
  } finally {
    lock.releaseLock()
  }
}

/**
 * Reads the feed page by page until there are no more or the time is up. A page is written before its cursor is stored:
 * if the run ends in between, the page comes again and changes nothing.
 */
function follow_(end) {
  const properties = PropertiesService.getScriptProperties()
  const kinds = properties.getProperty('KINDS') || ''
  const tables = {}
  do {
    const state = JSON.parse(properties.getProperty('STATE') || '{"copy":0}')
    // The first copy is read from the beginning, and so is one with different kinds than before.
    if (state.copy === 0 || state.kinds !== kinds) {
      keep_(properties, { copy: state.copy + 1, copying: true, kinds })
      continue
    }
    const page = ask_(`/api/v1/changes?limit=${PAGE}${word_('kinds', kinds)}${word_('after', state.cursor)}`)
    // Not every 410: with the cursor of another venue the rows stay, and the sentence is shown.
    if (page.status === 410 && page.body.reason === 'cursor-expired') {
      // The last run was too long ago, or the service was restored from a backup: rows that do not come again are gone.
      keep_(properties, { copy: state.copy + 1, copying: true, kinds })
      continue
    }
    // The next run tries again.
    if (page.status === 429 || page.status === 503) return
    if (page.status !== 200) throw new Error(page.body.error)
    const { changes, next, more, kinds: covered } = page.body
    if (state.cursor && covered.some((kind) => !(state.covered || []).includes(kind))) {
      // Of a kind that the key may read only now, the older records are before the cursor.
      keep_(properties, { copy: state.copy + 1, copying: true, kinds })
      continue
    }
    for (const kind of new Set(changes.map((change) => change.kind))) {
      const table = (tables[kind] = tables[kind] || openTable_(kind, properties))
      apply_(
        table,
        changes.filter((change) => change.kind === kind),
        state,
      )
    }
    if (state.copying && !more) dropOthers_(state, properties, tables)
    SpreadsheetApp.flush()
    keep_(properties, { ...state, copying: state.copying && more, cursor: next, covered })
    if (!more) return
  } while (Date.now() < end)
}

const keep_ = (properties, state) => properties.setProperty('STATE', JSON.stringify(state))

const word_ = (name, value) => (value ? `&${name}=${encodeURIComponent(value)}` : '')

function ask_(path) {
  const properties = PropertiesService.getScriptProperties()
  const response = UrlFetchApp.fetch(properties.getProperty('BASE_URL') + path, {
    headers: { 'X-Service-Key': properties.getProperty('API_KEY') },
    muteHttpExceptions: true,
  })
  return { status: response.getResponseCode(), body: JSON.parse(response.getContentText()) }
}

/*
 * A table is the left part of a sheet: a header, then a row for each record. Its first column says in which copy the
 * row last came. Columns to the right of it belong to the people who add them.
 */

function openTable_(kind, properties) {
  const book = SpreadsheetApp.getActive()
  const name = SHEETS[kind] || kind
  const sheet = book.getSheetByName(name) || book.insertSheet(name)
  const header = JSON.parse(properties.getProperty(`COLUMNS ${kind}`) || '[]')
  const count = header.length > 0 ? Math.max(sheet.getLastRow() - 1, 0) : 0
  const rows = count > 0 ? sheet.getRange(2, 1, count, header.length).getValues() : []
  return { kind, sheet, header, rows, properties }
}

/** Writes the changes of one kind: first everything new or changed in one write, then the deletions. */
function apply_(table, changes, state) {
  const { rows } = table
  for (const { data } of changes) if (data) widen_(table, data)
  const { header } = table
  const [idAt, revisionAt] = [header.indexOf('id'), header.indexOf('revision')]
  const places = new Map(rows.map((row, at) => [row[idAt], at]))
  const touched = []
  const gone = []
  for (const { id, data } of changes) {
    const at = places.has(id) ? places.get(id) : rows.length
    if (data === null) {
      if (at < rows.length) gone.push(at)
      continue
    }
    const old = rows[at]
    if (old && old[0] === state.copy && old[revisionAt] > data.revision) continue
    rows[at] = header.map((name) => (name === 'copy' ? state.copy : plain_(data[name])))
    places.set(id, at)
    touched.push(at)
  }
  write_(table, touched)
  remove_(table, gone)
}

/** Fields that are new in the API get new columns. */
function widen_(table, data) {
  const { kind, sheet, header, rows, properties } = table
  const known = header.length
  for (const name of ['copy', ...Object.keys(data)]) if (!header.includes(name)) header.push(name)
  if (header.length === known) return
  if (known > 0) sheet.insertColumnsAfter(known, header.length - known)
  else if (sheet.getMaxColumns() < header.length) {
    sheet.insertColumnsAfter(sheet.getMaxColumns(), header.length - sheet.getMaxColumns())
  }
  for (const row of rows) while (row.length < header.length) row.push('')
  sheet.getRange(1, 1, 1, header.length).setValues([header])
  sheet.setFrozenRows(1)
  sheet.hideColumns(1)
  properties.setProperty(`COLUMNS ${kind}`, JSON.stringify(header))
}

/** One write for everything between the first and the last changed row. */
function write_({ sheet, header, rows }, touched) {
  if (touched.length === 0) return
  const first = Math.min(...touched)
  const span = rows.slice(first, Math.max(...touched) + 1)
  const lacking = first + span.length + 1 - sheet.getMaxRows()
  if (lacking > 0) sheet.insertRowsAfter(sheet.getMaxRows(), lacking)
  sheet.getRange(first + 2, 1, span.length, header.length).setValues(span.map((row) => row.map(cell_)))
}

/** From the bottom up, so that row numbers above stay valid; adjacent rows are deleted together. */
function remove_({ sheet, rows }, gone) {
  if (gone.length === 0) return
  // A sheet must keep at least one row below its header.
  if (rows.length + 1 === sheet.getMaxRows()) sheet.insertRowsAfter(sheet.getMaxRows(), 1)
  const down = [...new Set(gone)].sort((a, b) => b - a)
  while (down.length > 0) {
    const last = down.shift()
    let first = last
    while (down[0] === first - 1) first = down.shift()
    sheet.deleteRows(first + 2, last - first + 1)
    rows.splice(first, last - first + 1)
  }
}

/** After a full copy: rows that did not come in it belong to deleted records. */
function dropOthers_(state, properties, tables) {
  for (const kind of Object.keys(SHEETS)) {
    if (!properties.getProperty(`COLUMNS ${kind}`)) continue
    const table = (tables[kind] = tables[kind] || openTable_(kind, properties))
    remove_(
      table,
      table.rows.flatMap((row, at) => (row[0] === state.copy ? [] : [at])),
    )
  }
}

/** A field's cell value: lists and objects as JSON. */
function plain_(value) {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : value
  return typeof text === 'string' && text.length > CELL_CHARACTERS
    ? `${text.slice(0, CELL_CHARACTERS - 1)}…`
    : text
}

/**
 * Text stays text: the apostrophe, which cells do not show, keeps Sheets from reading a guest's text as a formula, a
 * phone number as a sum, or a date in the format of the reader's own country.
 */
function cell_(value) {
  return typeof value === 'string' && value !== '' ? `'${value}` : value
}
