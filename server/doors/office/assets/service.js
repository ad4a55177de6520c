// What the service screen does beside the book's script: keys, one list at a time on a phone, "Now", the pad's
// pressed size. Everything can be done without it.
const service = () => document.querySelector('.service')
const byId = (id) => document.getElementById(id)

// One list at a time where there is room for one: the one that somebody was in, else the first that wants somebody. Who is
// folded away below a list wants nobody.
const lists = ['waiting', 'arriving', 'seated', 'floor']
// The floor is a page of its own, which opens with its rooms.
const listKey = byId('floor') ? 'list-floor' : 'list'
const isList = (id) => lists.includes(id) && byId(id) !== null
const chosen = () => {
  const asked = new URLSearchParams(location.search).get('list')
  const kept = sessionStorage.getItem(listKey)
  return (
    [kept, asked, 'floor'].find(isList) ??
    lists.find((id) => byId(id)?.querySelector('.row:not(details *)')) ??
    'arriving'
  )
}
const show = (id) => {
  const page = document.querySelector('.service-page')
  if (!page) return
  page.classList.add('one-list')
  for (const one of lists) byId(one)?.classList.toggle('shown', one === id)
  for (const tab of document.querySelectorAll('[data-list]')) {
    if (tab.dataset.list === id) tab.setAttribute('aria-current', 'true')
    else tab.removeAttribute('aria-current')
  }
}
let shown
const keep = (id) => {
  shown = id
  sessionStorage.setItem(listKey, id)
  show(id)
}
if (service()) {
  const asked = new URLSearchParams(location.search).get('list')
  if (isList(asked)) sessionStorage.setItem(listKey, asked)
  shown = chosen()
  show(shown)
  if (location.hash === '#walk-in') document.querySelector('button.pad-size')?.focus()
}
const pressSize = (pressed) => {
  for (const one of document.querySelectorAll('button.pad-size'))
    one.setAttribute('aria-pressed', String(one === pressed))
}
document.addEventListener('input', (event) => {
  if (event.target.matches('.pad-other')) pressSize()
})
document.addEventListener('click', (event) => {
  const tab = event.target.closest('[data-list]')
  if (tab) {
    event.preventDefault()
    keep(tab.dataset.list)
  }
  const now = event.target.closest('[data-now]')
  if (now) {
    const rows = now.closest('.list').querySelector('.list-rows')
    rows.scrollTop = 0
    now.hidden = true
  }
  const size = event.target.closest('button.pad-size')
  if (size) {
    pressSize(size)
    document.querySelector('.pad-other').value = ''
  }
  const walkIn = event.target.closest('.walk-in-link')
  if (walkIn && service()) {
    event.preventDefault()
    keep('waiting')
    document.querySelector('button.pad-size')?.focus()
  }
})
// Morphing a list takes away what only a script had put there.
document.addEventListener('htmx:after:swap', () => {
  if (!service()) return
  show(shown)
  for (const list of document.querySelectorAll('.list-rows')) markNow(list)
})

// What the pad offers is as fresh as the lists: a table that was given or freed elsewhere leaves or joins it. What is typed stays,
// and a question waits for its answer.
const padForm = () => {
  const form = document.querySelector('#pad-answer form')
  return form?.elements.partySize && form.elements.guestName?.type !== 'hidden' ? form : undefined
}
const offersOf = (part) => {
  const copy = part.cloneNode(true)
  for (const hidden of copy.querySelectorAll('[name="token"]')) hidden.remove()
  return copy.textContent.replaceAll(/\s+/g, ' ')
}
const padRestMs = 300
let isPadAsked = false
const renewPad = async () => {
  const form = padForm()
  if (!form || isPadAsked) return
  isPadAsked = true
  try {
    const asked = new URLSearchParams({ size: form.elements.partySize.value, back: form.elements.back.value })
    const answer = await fetch(`/office/service/pad?${asked}`, { headers: { 'hx-request': 'true' } })
    if (!answer.ok) return
    const fresh = document.createElement('div')
    fresh.innerHTML = await answer.text()
    const next = fresh.querySelector('form')
    if (padForm() !== form || !next || offersOf(fresh) === offersOf(byId('pad-answer'))) return
    if (form.matches(':active')) {
      setTimeout(() => void renewPad(), padRestMs)
      return
    }
    for (const name of ['guestName', 'phone', 'token'])
      if (next.elements[name]) next.elements[name].value = form.elements[name].value
    const { name, value } = form.contains(document.activeElement) ? document.activeElement : {}
    byId('pad-answer').replaceChildren(...fresh.childNodes)
    window.htmx.process(byId('pad-answer'))
    if (!name) return
    const all = [...next.elements].filter((one) => one.name === name)
    ;(all.find((one) => one.value === value) ?? all[0])?.focus({ preventScroll: true })
  } catch {
    // No connection: the page says so by itself.
  } finally {
    isPadAsked = false
  }
}
document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  if (ctx.target?.id === 'book') void renewPad()
})

// A walk-in that was taken leaves the pad as it was before the press on its size.
document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  if (ctx.request?.action !== '/office/service/walk-ins' || byId('pad-answer')?.children.length > 0) return
  pressSize()
  const other = document.querySelector('.pad-other')
  if (other) other.value = ''
})

// The choice of a table opens over the lists, and closes with the press that was made in it.
document.addEventListener('htmx:after:swap', (event) => {
  const pick = byId('pick')
  if (!pick || event.detail.ctx.target !== pick) return
  pick.showPopover()
  // To the best of what is offered; where nothing is, to the top of the other tables and not to the button below them.
  const offered = [...pick.querySelectorAll('.picks button')].filter((one) => !one.closest('details'))
  const best = offered.find((one) => one.matches('.primary')) ?? offered[0]
  ;(best ?? pick.querySelector('summary') ?? pick.querySelector('button'))?.focus({ preventScroll: true })
  // Whose table it is, and that there is one or none, is read first.
  pick.scrollTop = 0
})
document.addEventListener('submit', (event) => {
  const pick = event.target.closest('#pick')
  if (pick) setTimeout(() => pick.hidePopover())
})
const markNow = (rows) => {
  const button = rows.closest('.list')?.querySelector('[data-now]')
  if (button) button.hidden = rows.scrollTop < 56
}
document.addEventListener(
  'scroll',
  (event) => event.target.classList?.contains('list-rows') && markNow(event.target),
  true,
)

// A row that leaves its list leaves its place for a moment: nothing slides under the finger that may come down, again or just
// after another screen's press. `places` are those that are kept, by the id of the row, and `rowsBefore` the rows before the page
// was renewed. `own` is the row that was pressed here last, until its answer shows that it stays: its place has what was done
// and the way back.
const standInMs = 2_000
// No answer takes longer (frame/layout.ts).
const mostWaitMs = 10_000
let own
let rowsBefore = []
const places = new Map()
document.addEventListener(
  'submit',
  ({ target, submitter }) => {
    const row = (target.closest('#pick') ? rowOf(target) : target).closest('.list-rows > ul > .row')
    if (row?.id)
      own = { id: row.id, byKeys: submitter?.matches(':focus-visible') ?? false, since: Date.now() }
  },
  true,
)
/** Of the party whose table is chosen. */
const rowOf = (form) => {
  const [, kind, id] = /\/(bookings|waitlist)\/(\d+)\//.exec(form.getAttribute('action')) ?? []
  return byId(`${kind === 'waitlist' ? 'w' : 'b'}${id}`) ?? form
}
const undoButton = () => document.querySelector('#said form:not(.asks *) button')
document.addEventListener('htmx:before:swap', () => {
  rowsBefore = [...document.querySelectorAll('.list-rows > ul')].flatMap((rows) =>
    [...rows.children].map((row, at) => ({
      id: row.id,
      list: rows.closest('.list')?.id,
      at,
      height: row.offsetHeight,
      words: `${window.nameInRow(row)}: no longer in this list`,
    })),
  )
})
const rowsOf = (list) => (list ? byId(list)?.querySelector('.list-rows > ul') : undefined)
// Who is finished is below the list, folded: there, they have left it.
const hasLeft = ({ id, list }) => rowsOf(list)?.contains(byId(id)) === false
const keepPlaces = ({ detail: { ctx } }) => {
  for (const row of rowsBefore)
    if (row.id && row.height > 0 && !places.has(row.id) && hasLeft(row))
      places.set(row.id, { ...row, until: Date.now() + standInMs })
  rowsBefore = []
  // Whoever takes it from the list later did not press here. A question has no answer of this kind.
  const isAnswered = own && (ctx.request?.method === 'POST' || Date.now() - own.since > mostWaitMs)
  if (isAnswered && !places.has(own.id)) own = undefined
  for (const place of places.values()) fillPlace(place)
}
const fillPlace = (place) => {
  if (!hasLeft(place) || place.until <= Date.now()) return leavePlace(place)
  const rows = rowsOf(place.list)
  if (rows.querySelector(`[data-of="${place.id}"]`)) return
  const item = rows.insertBefore(standIn(place), rows.children[place.at] ?? null)
  if (own?.byKeys) item.querySelector('button')?.focus()
  setTimeout(leavePlace, place.until - Date.now(), place)
}
const leavePlace = ({ id }) => {
  places.delete(id)
  if (own?.id === id) own = undefined
  document.querySelector(`[data-of="${id}"]`)?.remove()
}
document.addEventListener('htmx:after:swap', keepPlaces)
const standIn = (place) => {
  const item = document.createElement('li')
  item.className = 'stand-in'
  item.dataset.of = place.id
  item.style.height = `${place.height}px`
  if (place.id === own?.id) place.words = document.querySelector('#said p')?.textContent ?? ''
  const words = document.createElement('span')
  words.textContent = place.words
  item.append(words)
  if (place.id === own?.id && undoButton()) {
    const undo = document.createElement('button')
    undo.type = 'button'
    undo.textContent = 'Undo'
    undo.addEventListener('click', () => undoButton()?.click())
    item.append(undo)
  }
  return item
}

// One row of a list is a stop for Tab: the one somebody was in, else the first. Arrows go to the others.
const stopsOf = (row) =>
  row.querySelectorAll('.peek > summary, .row-who[href], .row-go :is(button, a), .row-more, a.table-cell')
const current = {}
const rove = () => {
  for (const list of document.querySelectorAll('.list')) {
    const rows = [...list.querySelectorAll('.row')]
    const stop = rows.find(({ id }) => id === current[list.id]) ?? rows[0]
    for (const row of rows) for (const one of stopsOf(row)) one.tabIndex = row === stop ? 0 : -1
  }
  for (const group of document.querySelectorAll('[data-one-stop]')) roveIn(group)
}
// So are the sizes of a walk-in, and the sizes, the days and the times of the booking sheet: the one somebody is in, else the
// one that is lit, else the one they were in.
const stopsIn = (group) => [...group.querySelectorAll('[data-fills], button.pad-size')]
const roveIn = (group) => {
  const stops = stopsIn(group)
  const lit = group.querySelector('[aria-current], [aria-pressed="true"]')
  const isIn = (one) => one === document.activeElement
  const stop = stops.find(isIn) ?? lit ?? stops.find(({ tabIndex }) => tabIndex === 0) ?? stops[0]
  for (const one of stops) one.tabIndex = one === stop ? 0 : -1
}
const moveIn = (event, group) => {
  const stops = stopsIn(group)
  const isOn = event.key === 'ArrowRight' || event.key === 'ArrowDown'
  event.preventDefault()
  stops[stops.indexOf(event.target) + (isOn ? 1 : -1)]?.focus()
}
document.addEventListener('focusin', ({ target }) => {
  // What is typed takes the place of a number that was proposed.
  if (target.matches('input[type="number"]')) target.select()
  const group = target.closest('[data-one-stop]')
  if (group) roveIn(group)
  const row = target.closest('.list .row')
  const list = row?.closest('.list')
  if (!list || current[list.id] === row.id) return
  current[list.id] = row.id
  rove()
})
document.addEventListener('htmx:after:swap', rove)
document.addEventListener('sheet-shown', rove)
rove()

// The times are renewed once one is pressed: the keyboard stays at it.
let filledAt
document.addEventListener('htmx:before:swap', () => {
  filledAt = document.activeElement?.dataset.fills ?? filledAt
})
document.addEventListener('htmx:after:swap', () => {
  const isLost = document.activeElement === document.body
  const same = [...document.querySelectorAll('[data-fills]')].find(
    ({ dataset }) => dataset.fills === filledAt,
  )
  filledAt = undefined
  if (isLost) same?.focus({ preventScroll: true })
})

// The keyboard keeps its place: after an undo in the list it was in, after a size at what the pad answers.
let isUndoByKey = false
document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  const isAnswer = ctx.target?.id === 'pad-answer'
  if (document.activeElement !== document.body || (!isUndoByKey && !isAnswer)) return
  isUndoByKey = false
  if (isAnswer) byId('pad-answer').querySelector('button.primary, button')?.focus()
  else [...document.querySelectorAll('.row-who[href]')].find(({ tabIndex }) => tabIndex === 0)?.focus()
})

// After `w` the number of guests: a digit that follows soon belongs to the one before it, wherever the answer to that one has put
// the keyboard meanwhile.
const nextDigitMs = 700
let sizeTyped = { digits: '', until: 0 }
const isNextDigit = ({ timeStamp }) => timeStamp < sizeTyped.until
const typeSize = (event) => {
  event.preventDefault()
  const digits = isNextDigit(event) ? sizeTyped.digits + event.key : event.key
  sizeTyped = { digits, until: event.timeStamp + nextDigitMs }
  const size = document.querySelector(`button.pad-size[value="${digits}"]`)
  const other = document.querySelector('.pad-other')
  ;(size ?? other).focus()
  if (size) size.click()
  else {
    other.value = digits
    other.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

// Keys: none while somebody types.
const isTyping = (one) => one.closest('input, textarea, select, [contenteditable]') !== null
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const find = byId('find')
  if (event.key === 'Escape' && find && event.target.closest?.('.find')) {
    byId('found').replaceChildren()
    find.value = ''
    find.blur()
    return
  }
  const group = event.target.closest?.('[data-one-stop]')
  // Below the sizes of a walk-in are the rows, and what is typed is beside them.
  const isAlong = group?.closest('.pad') ? /^Arrow(Left|Right)$/ : /^Arrow/
  if (group && !isTyping(event.target) && isAlong.test(event.key)) return moveIn(event, group)
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') return moveBy(event)
  if (isTyping(event.target)) return
  if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') return moveAcross(event)
  const pad = event.target.closest('.pad')
  if (/^\d$/.test(event.key)) {
    if (pad || isNextDigit(event)) typeSize(event)
    return
  }
  sizeTyped.until = 0
  if (event.key === 'u' && undoButton()) {
    isUndoByKey = true
    undoButton().focus({ focusVisible: true })
    undoButton().click()
  }
  // From the pad back to the lists, and the sizes as they were.
  if (event.key === 'Escape' && pad) {
    byId('pad-answer').replaceChildren()
    pressSize()
    visibleLists()[0]?.querySelector('.row-who[href], .row-go button')?.focus()
  }
  const strip = document.querySelector('details.strip[open]')
  if (event.key === 'Escape' && strip && !document.querySelector(':popover-open, dialog[open]')) {
    strip.open = false
    strip.querySelector('summary').focus()
    return
  }
  if (event.key === 'Escape' && event.target.closest('.list')) event.target.blur()
  if (event.key === '/' && find) {
    event.preventDefault()
    find.focus()
    find.select()
  } else if (event.key === 'n' || event.key === 'w')
    document.querySelector(`.lintel [aria-keyshortcuts="${event.key}"]`)?.click()
  else if (event.key === '?') byId('keys')?.showModal?.()
})

// Arrows go from row to row, in a list or among finds.
const moveBy = (event) => {
  const block = event.target.closest('.guest-block')
  if (block) return moveAmongOffers(event, block)
  const within = event.target.closest('.list, .find')
  if (!within && event.target === document.body && event.key === 'ArrowDown') {
    event.preventDefault()
    visibleLists()[0]?.querySelector('.row-who[href]')?.focus()
    return
  }
  if (!within || (isTyping(event.target) && event.target.id !== 'find')) return
  const stops = [...within.querySelectorAll('.row-who[href], .row-go :is(button, a)')].filter(
    (one) => one.offsetParent !== null,
  )
  const rows = [...new Set(stops.map((one) => one.closest('.row')))]
  const at = rows.indexOf(event.target.closest('.row'))
  const next = rows[at + (event.key === 'ArrowDown' ? 1 : -1)]
  if (!next) {
    if (event.key === 'ArrowUp' && within.matches('.find')) byId('find').focus()
    return
  }
  event.preventDefault()
  const sameKind = event.target.closest('.row-go') ? next.querySelector('.row-go :is(button, a)') : undefined
  ;(sameKind ?? next.querySelector('.row-who[href], .row-go :is(button, a)'))?.focus()
}

// And from list to list, to the row that somebody was in there.
const visibleLists = () =>
  [...document.querySelectorAll('.list')].filter((list) =>
    [...list.querySelectorAll('.row, .tt')].some((one) => one.offsetParent),
  )
const moveAcross = (event) => {
  const all = visibleLists()
  const at = all.indexOf(event.target.closest('.list'))
  const next = at === -1 ? undefined : all[at + (event.key === 'ArrowRight' ? 1 : -1)]
  if (!next) return
  event.preventDefault()
  // A party of the waitlist has no page: then the row's button.
  ;[...next.querySelectorAll('.row-who[href], .row-go :is(button, a), .row-more, .tt .cover')]
    .find((one) => one.tabIndex === 0 && one.offsetParent)
    ?.focus()
}

// And from what is typed of a guest to those it may be, and back.
const moveAmongOffers = (event, block) => {
  const stops = [event.target.matches('input') ? event.target : block.querySelector('[name="guestName"]')]
  stops.push(...block.querySelectorAll('[data-guest]'))
  const next = stops[stops.indexOf(event.target) + (event.key === 'ArrowDown' ? 1 : -1)]
  if (!next) return
  event.preventDefault()
  next.focus()
}

// Finds as one types: the answer to what was typed last, never an older one.
const finding = (address, place) => {
  let soon
  let asked
  const ask = async (box) => {
    asked?.abort()
    asked = new AbortController()
    const typed = box.value.trim()
    if (typed === '') return byId(place).replaceChildren()
    try {
      const answer = await fetch(`${address}?q=${encodeURIComponent(typed)}`, {
        headers: { 'hx-request': 'true' },
        signal: asked.signal,
      })
      if (!answer.ok || box.value.trim() !== typed) return
      const found = await answer.text()
      // Not under the fingers of somebody who is choosing among them.
      if (!byId(place).contains(document.activeElement)) byId(place).innerHTML = found
    } catch {
      // Typed on, or no connection: the page says so by itself.
    }
  }
  return (box) => {
    clearTimeout(soon)
    soon = setTimeout(() => void ask(box), findAfterMs)
  }
}
const findAfterMs = 40
const find = finding('/office/search', 'found')
document.addEventListener('input', (event) => event.target.id === 'find' && find(event.target))
// A form that finds in place; without script it opens a page with what it found.
for (const box of document.querySelectorAll('[data-finds]')) {
  const findHere = finding(box.form.getAttribute('action'), box.dataset.finds)
  box.addEventListener('input', () => findHere(box))
}

// Enter in the search opens the first find; a press elsewhere closes the finds.
document.addEventListener('submit', (event) => {
  if (!event.target.matches('.find')) return
  const first = byId('found')?.querySelector('.row-who[href]')
  if (first) {
    event.preventDefault()
    first.click()
  }
})
document.addEventListener('click', (event) => {
  if (!event.target.closest('.find')) byId('found')?.replaceChildren()
})

// Which size, day and time are lit is what stands in the fields, however it came there; the times of what is typed come
// from the service, which reads them.
const markFilled = (form) => {
  for (const filler of form.querySelectorAll('[data-fills]')) {
    const fills = [...new URLSearchParams(filler.dataset.fills)]
    if (fills.every(([name, value]) => form.elements[name].value.trim() === value))
      filler.setAttribute('aria-current', 'true')
    else filler.removeAttribute('aria-current')
  }
  for (const group of form.querySelectorAll('[data-one-stop]')) roveIn(group)
}
document.addEventListener('input', ({ target: { form } }) => {
  if (form?.id === 'booking-form') markFilled(form)
})

// The booking sheet: a press on a size, a day or a time fills in its field; typing a name or number offers who it may be.
document.addEventListener('click', (event) => {
  const filler = event.target.closest('[data-fills]')
  const form = filler?.closest('form')
  if (form) {
    const fills = [...new URLSearchParams(filler.dataset.fills)]
    const field = form.elements[fills[0][0]]
    if (!field) return
    event.preventDefault()
    for (const [name, value] of fills) form.elements[name].value = value
    markFilled(form)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const offered = event.target.closest('[data-guest]')
  if (offered) {
    const { guest, name, phone, email } = offered.dataset
    const fields = byId('booking-form').elements
    fields.guest.value = guest
    fields.guestName.value = name
    fields.phone.value = phone
    fields.email.value = email
    const list = offered.closest('ul')
    for (const one of [...list.children]) if (!one.contains(offered)) one.remove()
    document.querySelector('#send button')?.focus()
  }
})
const offer = finding('/office/bookings/guests', 'guest-found')
document.addEventListener('input', ({ target: box }) => {
  if (!box.closest('.guest-block') || !['guestName', 'phone'].includes(box.name)) return
  box.form.elements.guest.value = ''
  offer(box)
})
