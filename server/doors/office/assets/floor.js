// What the floor does beside the lists' script: one room at a time, and parties that are dragged to a table. Everything can
// be done without it: a press on a table opens what can be done there.
const key = 'room'
const show = () => {
  const kept = sessionStorage.getItem(key)
  const all = [...document.querySelectorAll('.room')]
  const shown = all.find(({ id }) => id === kept) ?? all[0]
  document.querySelector('.service-page')?.classList.add('one-room')
  for (const room of all) room.classList.toggle('shown', room === shown)
  for (const link of document.querySelectorAll('[data-room]')) {
    if (`room-${link.dataset.room}` === shown?.id) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
  const parties = document.querySelectorAll('#arriving .row, #waiting .row, .tt[data-booking]')
  for (const one of parties) one.draggable = true
}
show()
document.addEventListener('htmx:after:swap', show)
document.addEventListener('click', (event) => {
  const link = event.target.closest('[data-room]')
  if (!link) return
  event.preventDefault()
  sessionStorage.setItem(key, `room-${link.dataset.room}`)
  show()
})

// Dragged: a row of the lists, or the party of a table.
let dragged
document.addEventListener('dragstart', (event) => {
  dragged = event.target.closest?.('.row, .tt')
  if (!dragged) return
  event.dataTransfer.setData('text/plain', dragged.id)
  event.dataTransfer.effectAllowed = 'move'
})
const aim = (table) => {
  for (const one of document.querySelectorAll('.tt.aim')) if (one !== table) one.classList.remove('aim')
  table?.classList.add('aim')
}
document.addEventListener('dragover', (event) => {
  const table = dragged && event.target.closest('.tt')
  aim(table === dragged ? undefined : table)
  if (table) event.preventDefault()
})
document.addEventListener('dragend', () => {
  dragged = undefined
  aim()
})
document.addEventListener('drop', (event) => {
  const [from, table] = [dragged, event.target.closest('.tt')]
  dragged = undefined
  aim()
  if (!from || !table || from === table) return
  event.preventDefault()
  const press = pressOf(from, table)
  if (press) window.sendPress({ ...press, target: '#book', label: labelOf(from, table) })
})

const back = '/office/floor'
const labelOf = (...pressed) =>
  pressed.map((one) => one.querySelector('.row-name, b').firstChild.textContent).join(' to ')
const pressOf = (from, { dataset: { table, booking, sits } }) => {
  if (from.matches('.tt')) {
    const to = `/office/bookings/${from.dataset.booking}/table`
    return {
      to,
      values: { back, seen: from.dataset.seen, do: booking ? `swap ${booking}` : `assign ${table}` },
    }
  }
  const form = from.querySelector('form.moves')
  const { version, status } = form?.elements ?? {}
  if (!version) return undefined
  const values = { back, version: version.value, status: status.value }
  const id = from.id.slice(1)
  if (from.id.startsWith('w'))
    return { to: `/office/waitlist/${id}/moves`, values: { ...values, move: 'seatNow', tables: table } }
  // Who is here or due is seated; for who comes later the table is kept, even while somebody still sits there.
  const isTime = from.closest('#waiting') || (form.querySelector('.row-go [value="seat"]') && !sits)
  return {
    to: `/office/bookings/${id}/table`,
    values: { ...values, do: `${isTime ? 'seat' : 'assign'} ${table}` },
  }
}
