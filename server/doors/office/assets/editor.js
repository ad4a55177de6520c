// The rooms as drawings. The lines of the form below are what is saved: they are read once, and each change is written
// back into them, so a refused form comes back here as it was typed. Places are classes, as on the floor.
const card = document.getElementById('editor')
const form = document.getElementById('tables-form')
const part = (name) => card.querySelector(`[data-${name}]`)
const drawnColumns = ['room', 'what', 'x', 'y', 'wide', 'high']
const columns = ['label', 'room', 'least', 'most', 'shape', 'online', 'priority', 'features', 'x', 'y']
const lastStep = 60
const beginsAfter = 4
const mostUndone = 100

let tables = []
let joins = []
// Walls, doors and bars.
let drawn = []
let room = ''
let chosen = new Set()
const before = []
let numbered = 0

// Lines of a spreadsheet, with quoted cells.
const rowsOf = (text) => {
  const rows = [[]]
  let cell = ''
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const one = text[at]
    if (quoted && one === '"' && text[at + 1] === '"') {
      cell += one
      at++
    } else if (one === '"') quoted = !quoted
    else if (!quoted && (one === ',' || one === '\n')) {
      rows.at(-1).push(cell.trim())
      cell = ''
      if (one === '\n') rows.push([])
    } else if (one !== '\r') cell += one
  }
  rows.at(-1).push(cell.trim())
  return rows.filter((row) => row.some((text) => text !== ''))
}
const recordsOf = (text) => {
  const [head = [], ...rows] = rowsOf(text)
  const names = head.map((name) => name.toLowerCase())
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])))
}
const line = (cells) =>
  cells.map((text) => (/[",;\n]/.test(text) ? `"${String(text).replaceAll('"', '""')}"` : text)).join(',')
const number = (text, otherwise) =>
  text === '' || !Number.isInteger(Number(text)) ? otherwise : Number(text)

const renamedFrom = () =>
  new Map(
    form.elements.renamed.value
      .split('\n')
      .filter(Boolean)
      .map((pair) => pair.split('\t').toReversed()),
  )

/** Reads the lines; false where they are not of the form that the office writes. */
const read = () => {
  const were = renamedFrom()
  const rows = recordsOf(form.elements.tables.value)
  if (rows.some((row) => !('label' in row && 'room' in row && 'most' in row))) return false
  tables = rows.map((row) => ({
    n: ++numbered,
    was: were.get(row.label) ?? row.label,
    label: row.label,
    room: row.room,
    least: number(row.least ?? '', 1),
    most: number(row.most, 2),
    shape: row.shape || 'square',
    online: !/^(no|n|false|0)$/i.test(row.online ?? ''),
    priority: number(row.priority ?? '', 0),
    features: row.features ?? '',
    x: Math.min(lastStep, number(row.x ?? '', 0)),
    y: Math.min(lastStep, number(row.y ?? '', 0)),
  }))
  drawn = recordsOf(form.elements.drawn.value).map((row) => ({
    n: ++numbered,
    room: row.room ?? '',
    what: (row.what ?? '').toLowerCase(),
    x: Math.min(lastStep, number(row.x ?? '', 0)),
    y: Math.min(lastStep, number(row.y ?? '', 0)),
    wide: number(row.wide ?? '', 1),
    high: number(row.high ?? '', 1),
  }))
  joins = recordsOf(form.elements.combinations.value).map((row) => ({
    tables: (row.tables ?? '')
      .split('+')
      .map((label) => tables.find((one) => one.label.toLowerCase() === label.trim().toLowerCase())?.n),
    least: row.least,
    most: row.most,
  }))
  return joins.every((one) => one.tables.every((n) => n !== undefined))
}
const labelOf = (n) => tables.find((one) => one.n === n)?.label ?? ''
const write = () => {
  const rows = tables.map((one) =>
    line(columns.map((name) => (name === 'online' ? (one.online ? 'yes' : 'no') : String(one[name])))),
  )
  form.elements.tables.value = [columns.join(','), ...rows, ''].join('\n')
  const joined = joins.map((one) => line([one.tables.map(labelOf).join('+'), one.least, one.most]))
  form.elements.combinations.value = ['tables,least,most', ...joined, ''].join('\n')
  const parts = drawn.map((one) => line(drawnColumns.map((name) => String(one[name]))))
  form.elements.drawn.value = parts.length === 0 ? '' : [drawnColumns.join(','), ...parts, ''].join('\n')
  form.elements.renamed.value = tables
    .filter((one) => one.was !== '' && one.was !== one.label)
    .map((one) => `${one.was}\t${one.label}`)
    .join('\n')
}

const here = () => tables.filter((one) => one.room === room)
const picked = () => tables.filter((one) => chosen.has(one.n))
const drawnHere = () => drawn.filter((one) => one.room === room)
const drawnPicked = () => drawn.filter((one) => chosen.has(one.n))
/** All that is chosen, and can be moved. */
const movable = () => [...picked(), ...drawnPicked()]
const partName = { wall: 'Wall', door: 'Door', bar: 'Bar' }
const rooms = () => [...new Set(tables.map((one) => one.room))]
const say = (words) => {
  part('says').textContent = words
}

const keep = () => {
  before.push(JSON.stringify({ tables, joins, drawn, room }))
  if (before.length > mostUndone) before.shift()
}
/** A change, that can be undone, in the lines and in the drawing. */
const change = (what) => {
  keep()
  what()
  done()
}
const done = () => {
  write()
  draw()
}

/** As wide and high as the nearest neighbor allows, as the floor draws them. */
const sizeOf = (all) => {
  let [wide, high] = [4, 3]
  const pairs = all.flatMap((one, n) =>
    all.slice(n + 1).map((other) => [Math.abs(one.x - other.x), Math.abs(one.y - other.y)]),
  )
  for (const [dx, dy] of pairs) if (dy < 2 && dx > 0) wide = Math.min(wide, dx)
  for (const [dx, dy] of pairs) if (dx < wide && dy > 0) high = Math.min(high, dy)
  return { wide, high, onEachOther: pairs.some(([dx, dy]) => dx < wide && dy < high) }
}

const seats = ({ least, most }) => (least === most ? `${most}` : `${least}–${most}`)
const made = (name, { className = '', text = '' } = {}) => {
  const one = document.createElement(name)
  one.className = className
  one.textContent = text
  return one
}
const svg = (name, values) => {
  const one = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(values)) one.setAttribute(key, value)
  return one
}

const draw = () => {
  const names = rooms()
  if (!names.includes(room)) room = names[0] ?? room
  chosen = new Set([...chosen].filter((n) => [...here(), ...drawnHere()].some((one) => one.n === n)))
  part('rooms').replaceChildren(
    ...names.map((name) => {
      const tab = made('button', { className: 'button', text: name })
      tab.type = 'button'
      if (name === room) tab.setAttribute('aria-current', 'true')
      tab.append(
        made('span', { className: 'soft', text: ` ${tables.filter((one) => one.room === name).length}` }),
      )
      tab.dataset.of = name
      return tab
    }),
  )
  part('room-names').replaceChildren(
    ...names.map((name) => {
      const option = made('option')
      option.value = name
      return option
    }),
  )
  drawCanvas()
  drawSide()
}

const drawCanvas = () => {
  const canvas = part('canvas')
  const all = here()
  const size = sizeOf(all)
  // Never so small that a label does not fit, whatever the floor does.
  const [wide, high] = [Math.max(2, size.wide), Math.max(2, size.high)]
  const ends = (at, by, own) => [
    ...all.map((one) => one[at] + by),
    ...drawnHere().map((one) => one[at] + one[own]),
  ]
  const across = Math.min(lastStep + 4, Math.max(24, ...ends('x', wide, 'wide').map((end) => end + 4)))
  const down = Math.max(14, ...ends('y', high, 'high').map((end) => end + 3))
  canvas.style.setProperty('--across', across)
  canvas.style.setProperty('--down', down)
  part('crowd').hidden = !size.onEachOther
  for (const old of [...canvas.querySelectorAll('.tt')])
    if (!all.some(({ n }) => String(n) === old.dataset.n)) old.remove()
  drawParts(canvas)
  for (const one of all) {
    let tile = canvas.querySelector(`[data-n="${one.n}"]`)
    if (!tile) {
      tile = made('button')
      tile.type = 'button'
      tile.dataset.n = one.n
      tile.append(made('b'), made('span', { className: 'seats' }), made('span', { className: 'hidden-text' }))
      canvas.append(tile)
    }
    const shape = one.shape === 'round' || one.shape === 'bar' ? one.shape : ''
    tile.className = `tt ${shape} x${one.x} y${one.y} w${wide} h${high}`
    tile.setAttribute('aria-pressed', String(chosen.has(one.n)))
    tile.children[0].textContent = one.label
    tile.children[1].textContent = seats(one)
    tile.children[2].textContent = ` seats, column ${one.x + 1}, row ${one.y + 1}${one.online ? '' : ', staff only'}`
  }
  canvas.querySelector('svg')?.remove()
  const lines = svg('svg', {
    viewBox: `0 0 ${across} ${down}`,
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
  })
  for (const { tables: members } of joins) {
    const spots = members.map((n) => all.find((one) => one.n === n)).filter(Boolean)
    spots.slice(1).forEach((spot, at) => {
      const from = spots[at]
      lines.append(
        svg('line', {
          x1: from.x + wide / 2,
          y1: from.y + high / 2,
          x2: spot.x + wide / 2,
          y2: spot.y + high / 2,
        }),
      )
    })
  }
  canvas.prepend(lines)
}

/** Walls, doors and bars are pressed, dragged and moved by keys like tables; Shift and the arrows change their size. */
const drawParts = (canvas) => {
  const all = drawnHere()
  for (const old of [...canvas.querySelectorAll('.drawn')])
    if (!all.some(({ n }) => String(n) === old.dataset.n)) old.remove()
  for (const one of all) {
    let tile = canvas.querySelector(`.drawn[data-n="${one.n}"]`)
    if (!tile) {
      tile = made('button')
      tile.type = 'button'
      tile.dataset.n = one.n
      tile.append(made('span'))
      canvas.prepend(tile)
    }
    const { what, x, y, wide, high } = one
    tile.className = `drawn part-${what} ${high > wide ? 'upright' : ''} x${x} y${y} w${wide} h${high}`
    tile.setAttribute('aria-pressed', String(chosen.has(one.n)))
    tile.children[0].textContent = what === 'bar' ? 'Bar' : ''
    tile.setAttribute('aria-label', partWords(one))
  }
}
const partWords = ({ what, x, y, wide, high }) =>
  `${partName[what] ?? what}: column ${x + 1}, row ${y + 1}, ${wide} by ${high}`

const fields = [...card.querySelectorAll('[data-field]')]
const drawSide = () => {
  const all = picked()
  const parts = drawnPicked()
  for (const field of card.querySelectorAll('[data-size]')) {
    const values = [...new Set(parts.map((one) => one[field.dataset.size]))]
    field.disabled = parts.length === 0
    if (field !== document.activeElement || parts.length === 0)
      field.value = values.length === 1 ? values[0] : ''
  }
  part('chosen').textContent =
    all.length === 0
      ? parts.length === 1
        ? partWords(parts[0])
        : 'No table chosen'
      : all.length === 1
        ? `Table ${all[0].label}`
        : `${all.length} tables: ${all.map(({ label }) => label).join(', ')}`
  for (const field of fields) {
    const name = field.dataset.field
    const values = [...new Set(all.map((one) => one[name]))]
    field.disabled = all.length === 0 || (name === 'label' && all.length > 1)
    if (field === document.activeElement && all.length > 0 && field.type !== 'checkbox') continue
    if (field.type === 'checkbox') {
      field.checked = values.length === 1 && values[0]
      field.indeterminate = values.length > 1
    } else field.value = values.length === 1 ? values[0] : ''
  }
  const needs = { copy: 1, left: 2, top: 2, join: 2, spread: 3 }
  for (const [name, least] of Object.entries(needs))
    card.querySelector(`[data-do="${name}"]`).disabled = all.length < least
  card.querySelector('[data-do="remove"]').disabled = movable().length === 0
  for (const what of Object.keys(partName)) card.querySelector(`[data-do="${what}"]`).disabled = room === ''
  card.querySelector('[data-do="undo"]').disabled = before.length === 0
  const ofRoom = joins.filter((one) => one.tables.some((n) => here().some((table) => table.n === n)))
  part('joins').replaceChildren(
    ...(ofRoom.length === 0
      ? [made('li', { className: 'soft', text: 'None in this room.' })]
      : ofRoom.map(joinRow)),
  )
}
const joinRow = (one) => {
  const row = made('li')
  const name = one.tables.map(labelOf).join('+')
  row.append(made('strong', { className: 'grow', text: name }))
  for (const [key, words] of [
    ['least', 'fewest'],
    ['most', 'most'],
  ]) {
    const field = made('input', { className: 'short-number' })
    field.type = 'number'
    field.min = 1
    field.value = one[key]
    field.setAttribute('aria-label', `${name}: ${words} guests`)
    field.addEventListener('change', () =>
      change(() => {
        one[key] = field.value
      }),
    )
    row.append(field)
  }
  const remove = made('button', { className: 'quiet', text: 'Take apart' })
  remove.type = 'button'
  remove.setAttribute('aria-label', `Take apart: ${name}`)
  remove.addEventListener('click', () =>
    change(() => {
      joins = joins.filter((other) => other !== one)
    }),
  )
  row.append(remove)
  return row
}

const nextLabels = (count) => {
  let last = Math.max(0, ...tables.map(({ label }) => (/^\d+$/.test(label) ? Number(label) : 0)))
  return Array.from({ length: count }, () => String(++last))
}
const isFree = (x, y, wide, high) =>
  !here().some((one) => Math.abs(one.x - x) < wide && Math.abs(one.y - y) < high)
/** The first free place, from the upper left. */
const freePlace = () => {
  const { wide, high } = sizeOf(here())
  for (let y = 0; y <= lastStep; y += high)
    for (let x = 0; x + wide <= 24; x += wide) if (isFree(x, y, wide, high)) return { x, y }
  return { x: 0, y: 0 }
}

const moveBy = (dx, dy, from = new Map(movable().map((one) => [one.n, { x: one.x, y: one.y }]))) => {
  const all = movable().map((one) => ({ one, ...from.get(one.n) }))
  const within = (by, name) =>
    Math.max(
      -Math.min(...all.map((at) => at[name])),
      Math.min(lastStep - Math.max(...all.map((at) => at[name])), by),
    )
  const [across, down] = [within(dx, 'x'), within(dy, 'y')]
  for (const { one, x, y } of all) {
    one.x = x + across
    one.y = y + down
  }
}

const sizeBy = (dx, dy) => {
  const within = (size) => Math.max(1, Math.min(lastStep, size))
  for (const one of drawnPicked()) {
    one.wide = within(one.wide + dx)
    one.high = within(one.high + dy)
  }
}
const addPart = (what) => {
  const below = Math.max(
    0,
    ...here().map(({ y }) => y + sizeOf(here()).high),
    ...drawnHere().map(({ y, high }) => y + high),
  )
  const [wide, high] = { wall: [8, 1], door: [2, 1], bar: [6, 2] }[what]
  const one = { n: ++numbered, room, what, x: 0, y: Math.min(lastStep, below), wide, high }
  drawn.push(one)
  chosen = new Set([one.n])
  say(`${partName[what]} is new: drag it, or use the arrow keys; Shift and arrows change its size.`)
}

const tools = {
  wall: () => addPart('wall'),
  door: () => addPart('door'),
  bar: () => addPart('bar'),
  add: () => {
    const [label] = nextLabels(1)
    const like = picked()[0] ?? here().at(-1)
    const shared = { least: 1, most: 4, shape: 'square', online: true, priority: 0, ...like }
    const one = {
      ...shared,
      n: ++numbered,
      was: '',
      label,
      features: '',
      room: room || 'Dining room',
      ...freePlace(),
    }
    tables.push(one)
    room = one.room
    chosen = new Set([one.n])
    say(`Table ${label} is new. Save to keep it.`)
  },
  copy: () => {
    const all = picked()
    const { wide, high } = sizeOf(here())
    let below = high
    while (below < lastStep && !all.every(({ x, y }) => isFree(x, y + below, wide, high))) below++
    const labels = nextLabels(all.length)
    const copies = all.map((one, at) => ({
      ...one,
      n: ++numbered,
      was: '',
      label: labels[at],
      y: Math.min(lastStep, one.y + below),
    }))
    tables.push(...copies)
    chosen = new Set(copies.map(({ n }) => n))
    say(`Copied as ${labels.join(', ')}.`)
  },
  remove: () => {
    const labels = picked().map(({ label }) => label)
    const parts = drawnPicked().map(({ what }) => partName[what] ?? what)
    say(
      `${[...labels, ...parts].join(', ')}: removed. Nothing is saved yet${labels.length > 0 ? '; bookings at them are listed first' : ''}.`,
    )
    drawn = drawn.filter(({ n }) => !chosen.has(n))
    joins = joins.filter((one) => !one.tables.some((n) => chosen.has(n)))
    tables = tables.filter(({ n }) => !chosen.has(n))
    chosen = new Set()
  },
  left: () => alignBy('x'),
  top: () => alignBy('y'),
  spread: () => {
    const all = picked()
    const extent = (name) =>
      Math.max(...all.map((one) => one[name])) - Math.min(...all.map((one) => one[name]))
    const name = extent('x') >= extent('y') ? 'x' : 'y'
    const sorted = all.toSorted((a, b) => a[name] - b[name])
    const [first, gap] = [sorted[0][name], extent(name) / (sorted.length - 1)]
    sorted.forEach((one, at) => {
      one[name] = Math.round(first + at * gap)
    })
    say('Spaced evenly.')
  },
  join: () => {
    const all = picked()
    const name = all.map(({ label }) => label).join('+')
    const same = joins.find(
      (one) => one.tables.length === all.length && one.tables.every((n) => chosen.has(n)),
    )
    if (same) return say(`${name} can be joined already.`)
    joins.push({
      tables: all.map(({ n }) => n),
      least: Math.max(...all.map(({ most }) => most)) + 1,
      most: all.reduce((sum, { most }) => sum + most, 0),
    })
    say(`${name} can be joined from now on. Check how many guests they seat.`)
  },
}
const alignBy = (name) => {
  const least = Math.min(...picked().map((one) => one[name]))
  for (const one of picked()) one[name] = least
  say('Aligned.')
}
const undo = () => {
  const last = before.pop()
  if (!last) return
  ;({ tables, joins, drawn, room } = JSON.parse(last))
  say('Undone.')
  done()
}

const tileOf = (event) => event.target.closest?.('#editor :is(.tt, .drawn)')
const choose = (tile, adds) => {
  const n = Number(tile.dataset.n)
  if (!adds) chosen = new Set([n])
  else if (chosen.has(n)) chosen.delete(n)
  else chosen.add(n)
}

let drag
const pointerDown = (event) => {
  const tile = tileOf(event)
  const canvas = part('canvas')
  if (event.button !== 0 || !event.target.closest?.('.canvas')) return
  const n = tile && Number(tile.dataset.n)
  const adds = event.shiftKey || event.ctrlKey || event.metaKey
  if (tile && !adds && !chosen.has(n)) choose(tile, false)
  const step = canvas.getBoundingClientRect().width / Number(canvas.style.getPropertyValue('--across'))
  const from = new Map(movable().map((one) => [one.n, { x: one.x, y: one.y }]))
  drag = { tile, adds, step, from, x: event.clientX, y: event.clientY, begun: false }
  if (tile) drawSide()
}
const pointerMove = (event) => {
  if (!drag) return
  const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y]
  if (!drag.begun && Math.hypot(dx, dy) < beginsAfter) return
  if (!drag.begun && drag.tile && !drag.adds) keep()
  drag.begun = true
  if (drag.tile && !drag.adds) {
    moveBy(Math.round(dx / drag.step), Math.round(dy / drag.step), drag.from)
    return drawCanvas()
  }
  // A frame around tables chooses them.
  const [left, right] = [Math.min(drag.x, event.clientX), Math.max(drag.x, event.clientX)]
  const [top, bottom] = [Math.min(drag.y, event.clientY), Math.max(drag.y, event.clientY)]
  const inFrame = [...card.querySelectorAll('.canvas :is(.tt, .drawn)')].filter((tile) => {
    const at = tile.getBoundingClientRect()
    return at.left < right && left < at.right && at.top < bottom && top < at.bottom
  })
  chosen = new Set(inFrame.map((tile) => Number(tile.dataset.n)))
  drawCanvas()
}
let justDragged = false
const pointerUp = () => {
  if (!drag) return
  const { tile, begun } = drag
  drag = undefined
  if (!begun) {
    if (!tile) {
      chosen = new Set()
      draw()
    }
    return
  }
  justDragged = true
  setTimeout(() => (justDragged = false))
  if (tile) write()
  draw()
}

const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
const keyDown = (event) => {
  const isTyping = event.target.matches('input, textarea, select')
  const isCommand = event.ctrlKey || event.metaKey
  if (isTyping) return
  const key = event.key.toLowerCase()
  if (isCommand && key === 'z') {
    event.preventDefault()
    return undo()
  }
  const tile = tileOf(event)
  if (!tile) return
  const by = arrows[event.key]
  if (by) {
    event.preventDefault()
    if (!chosen.has(Number(tile.dataset.n))) choose(tile, false)
    const sizes = event.shiftKey && drawnPicked().length > 0
    change(() => (sizes ? sizeBy(...by) : moveBy(...by)))
    const isIt = ({ n }) => n === Number(tile.dataset.n)
    const table = tables.find(isIt)
    say(
      table
        ? `Table ${table.label}: column ${table.x + 1}, row ${table.y + 1}.`
        : `${partWords(drawn.find(isIt))}.`,
    )
  } else if (isCommand && key === 'a') {
    event.preventDefault()
    chosen = new Set(here().map(({ n }) => n))
    draw()
  } else if (event.key === 'Delete' && chosen.size > 0) change(tools.remove)
  else if (event.key === 'Escape') {
    chosen = new Set()
    draw()
  }
}

const fieldChanged = ({ target: field }) => {
  const { size } = field.dataset
  if (size) {
    const steps = number(field.value, 0)
    if (steps >= 1 && steps <= lastStep)
      change(() => {
        for (const one of drawnPicked()) one[size] = steps
      })
    else say(`From 1 to ${lastStep} steps.`)
    return
  }
  const name = field.dataset.field
  if (!name) return
  const value =
    field.type === 'checkbox'
      ? field.checked
      : field.type === 'number'
        ? number(field.value, undefined)
        : field.value.trim()
  const taken = (label) =>
    tables.some((one) => !chosen.has(one.n) && one.label.toLowerCase() === label.toLowerCase())
  const wrong =
    value === undefined || ((name === 'label' || name === 'room') && value === '')
      ? 'Type something here.'
      : name === 'label' && taken(value)
        ? `There is a table ${value} already.`
        : ''
  if (wrong !== '') {
    say(wrong)
    field.value = picked().length === 1 ? picked()[0][name] : ''
    return
  }
  say('')
  change(() => {
    for (const one of picked()) one[name] = value
    if (name === 'room') {
      // What is drawn of a room goes with its last table.
      if (here().length === 0) for (const one of drawnHere()) one.room = value
      room = value
    }
  })
}

if (card && form && read()) {
  card.hidden = false
  form.classList.add('edited')
  room = rooms()[0] ?? ''
  // The lines are the same tables; they open for who wants them, and after a mistake.
  const lines = form.querySelector('details')
  if (!form.querySelector('.mistake') && window.matchMedia('(min-width: 700px)').matches) lines.open = false
  draw()
  card.addEventListener('pointerdown', pointerDown)
  document.addEventListener('pointermove', pointerMove)
  document.addEventListener('pointerup', pointerUp)
  document.addEventListener('pointercancel', pointerUp)
  card.addEventListener('keydown', keyDown)
  card.addEventListener('change', fieldChanged)
  card.addEventListener('click', (event) => {
    const tab = event.target.closest('[data-of]')
    if (tab) {
      room = tab.dataset.of
      draw()
      card.querySelector('[data-rooms] [aria-current]')?.focus()
    }
    const tool = event.target.closest('[data-do]')?.dataset.do
    if (tool === 'undo') undo()
    else if (tool) change(tools[tool])
    const tile = tileOf(event)
    if (!tile || justDragged) return
    choose(tile, event.shiftKey || event.ctrlKey || event.metaKey)
    draw()
  })
  // What was arranged and not saved is not lost by a wrong press.
  let isSent = false
  form.addEventListener('submit', () => {
    isSent = true
  })
  window.addEventListener('beforeunload', (event) => {
    if (before.length > 0 && !isSent) event.preventDefault()
  })
  // What is typed into the lines is drawn.
  form.addEventListener('change', (event) => {
    if (!event.target.matches('textarea')) return
    card.hidden = !read()
    if (!card.hidden) draw()
  })
}
