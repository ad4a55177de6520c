// What the grid does with script: it opens an hour before now, and a block is dragged to another time or table, or its
// end pulled. Everything can be done in the booking's own sheet without it.
const stepMinutes = 5
const snapMinutes = 15
const endPixels = 12
const beginsAfter = 6

const grid = () => document.querySelector('.g')
const flag = () => document.querySelector('.g .now-flag')

const toNow = () => {
  const at = flag()
  if (at) grid().scrollLeft = at.offsetLeft - 160
}
const button = document.querySelector('[data-grid-now]')
if (button && flag()) button.hidden = false
button?.addEventListener('click', toNow)
toNow()

/** Pixels of one step, as they are drawn. */
const stepWidth = () => {
  const hour = document.querySelector('.g-head .n12')
  return hour ? hour.getBoundingClientRect().width / 12 : 12
}

let drag
let justDragged = false

document.addEventListener('pointerdown', (event) => {
  const block = event.target.closest?.('.blk[data-id]')
  // A finger scrolls; it opens the sheet by a press.
  if (!block || event.button !== 0 || event.pointerType === 'touch') return
  const { right } = block.getBoundingClientRect()
  const isEnd = right - event.clientX <= endPixels
  drag = { block, isEnd, x: event.clientX, y: event.clientY, begun: false, width: block.offsetWidth }
})
// Links are dragged by browsers as addresses.
document.addEventListener('dragstart', (event) => {
  if (event.target.closest?.('.blk')) event.preventDefault()
})

const minutesMoved = (event) =>
  Math.round(((event.clientX - drag.x) / stepWidth()) * (stepMinutes / snapMinutes)) * snapMinutes

const rowAt = (event) => {
  drag.block.style.pointerEvents = 'none'
  const row = document.elementFromPoint(event.clientX, event.clientY)?.closest('.g-row[data-table]')
  drag.block.style.pointerEvents = ''
  return row
}
const mark = (row) => {
  for (const one of document.querySelectorAll('.g-row.target'))
    if (one !== row) one.classList.remove('target')
  row?.classList.add('target')
}

document.addEventListener('pointermove', (event) => {
  if (!drag) return
  const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y]
  if (!drag.begun && Math.hypot(dx, dy) < beginsAfter) return
  drag.begun = true
  const { block, isEnd } = drag
  block.classList.add('dragged')
  const pixels = (minutesMoved(event) / stepMinutes) * stepWidth()
  if (isEnd) block.style.width = `${Math.max(36, drag.width + pixels)}px`
  else {
    const across = 'seated' in block.dataset ? 0 : pixels
    block.style.transform = `translate(${across}px, ${dy}px)`
    mark(rowAt(event))
  }
})

const letGo = () => {
  if (!drag) return
  const { block } = drag
  block.classList.remove('dragged')
  block.style.transform = ''
  block.style.width = ''
  mark()
  drag = undefined
}

document.addEventListener('pointerup', (event) => {
  if (!drag) return
  const { block, isEnd, begun } = drag
  if (!begun) return letGo()
  justDragged = true
  setTimeout(() => (justDragged = false))
  const minutes = minutesMoved(event)
  const row = isEnd ? undefined : rowAt(event)
  const shift = isEnd || 'seated' in block.dataset ? 0 : minutes
  const longer = isEnd ? minutes : 0
  const { id, version, tables } = block.dataset
  const to = row && !tables.split(' ').includes(row.dataset.table) ? row.dataset.table : ''
  letGo()
  if (shift === 0 && longer === 0 && to === '') return
  const values = { id, version, shift, longer, to, back: grid().dataset.back }
  window.sendPress({ to: '/office/grid/moves', target: '#book', values, label: 'What was dragged' })
})
document.addEventListener('pointercancel', letGo)
document.addEventListener('keydown', (event) => event.key === 'Escape' && letGo())
// The press that ends a drag opens nothing.
document.addEventListener(
  'click',
  (event) => {
    if (!justDragged || !event.target.closest('.blk')) return
    event.preventDefault()
    event.stopPropagation()
  },
  true,
)
