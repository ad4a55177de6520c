// What a book that renews itself needs beside htmx: it keeps still while a finger is down, does not ask while nobody
// looks, says when the connection is gone, and does not let a double tap press the button that came next.
const restMs = 600
const sayMs = 15_000
let pressedAt = 0
let pressedRow = ''
let downAt = { x: -1, y: -1 }
let sentFrom
let sentAt = 0
let renewedAt = 0

let isDown = false
let upAt = { x: 0, y: 0 }
document.addEventListener('pointerdown', ({ clientX: x, clientY: y }) => {
  pressedAt = Date.now()
  downAt = { x, y }
  isDown = true
})
for (const name of ['pointerup', 'pointercancel'])
  document.addEventListener(name, ({ clientX: x, clientY: y }) => {
    upAt = { x, y }
    isDown = false
  })

const isHeld = () => isDown || Date.now() - pressedAt < restMs
const isLook = (event) => event.detail?.ctx?.sourceEvent?.type === 'every'

document.addEventListener('htmx:before:request', (event) => {
  if (isLook(event) && (document.hidden || isHeld())) event.preventDefault()
})
// What was asked for before a finger came down is not put under it.
document.addEventListener('htmx:before:swap', (event) => {
  if (isLook(event) && isHeld()) event.preventDefault()
})

// A row whose menu is open stays as it was opened, at its place and in its list: everything else renews itself around it. What
// the row missed is asked for once its menu is closed.
const openMenu = () => document.querySelector('li[id] .row-menu:popover-open')
const rowOfMenu = () => openMenu()?.closest('li[id]')
const listIn = (row) => row?.parentElement?.closest('[id]')?.id
let kept
let isBehind = false
const keepRow = (row, fragment) => {
  row.setAttribute('hx-morph-skip', '')
  const fresh = fragment.getElementById(row.id)
  if (fresh && listIn(fresh) === listIn(row)) return
  fresh?.remove()
  const place = document.createElement('li')
  place.id = row.id
  const list = fragment.getElementById(listIn(row))
  const within = list?.querySelector('.list-rows') ?? list
  const rows = within?.querySelector(':scope > ul') ?? within?.appendChild(document.createElement('ul'))
  rows?.insertBefore(place, rows.children[[...row.parentElement.children].indexOf(row)] ?? null)
}
document.addEventListener('htmx:before:swap', (event) => {
  const menu = openMenu()
  if (event.defaultPrevented || !isLook(event) || !menu) return
  const { activeElement } = document
  kept = { menu, focus: menu.contains(activeElement) ? activeElement : undefined }
  isBehind = true
  for (const { fragment } of event.detail.tasks) keepRow(rowOfMenu(), fragment)
})
// Some browsers close a menu whose row makes way for another.
document.addEventListener('htmx:after:swap', (event) => {
  if (!kept && isLook(event)) isBehind = false
  if (kept?.menu.isConnected && !kept.menu.matches(':popover-open')) {
    kept.menu.showPopover()
    kept.focus?.focus({ preventScroll: true })
  }
  kept = undefined
})
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target.matches('.row-menu:not(:popover-open)'))
      target.closest('li[id]')?.removeAttribute('hx-morph-skip')
  },
  true,
)
document.addEventListener('htmx:config:request', (event) => {
  const { request } = event.detail.ctx
  if (isBehind && isLook(event) && !openMenu())
    request.action = request.action.replace(/([?&])seen=[^&]*&?/, '$1')
})

document.addEventListener('visibilitychange', () => {
  const book = document.querySelector('[hx-trigger^="every"]')
  if (!document.hidden && book && window.htmx) window.htmx.trigger(book, 'every')
})

// The row somebody pressed in: for a moment it sends no further press, and it keeps the keyboard's place. Nor does the
// row that comes under the same finger when the lists move up: a double tap is one press. What only opens its menu, at
// another place, is no second tap of it; nor is a press in a menu that was opened since, though menus of all rows lie at
// the same place.
const fingerPx = 24
let openedAt = 0
document.addEventListener('submit', (event) => {
  pressedRow = event.target.closest('li[id]')?.id ?? ''
  sentFrom = Date.now() - pressedAt < restMs ? downAt : undefined
  sentAt = Date.now()
  renewedAt = 0
})
document.addEventListener('htmx:after:swap', (event) => {
  if (isLook(event)) return
  renewedAt = Date.now()
  if (pressedRow === '') return
  const row = document.getElementById(pressedRow)
  if (row && document.activeElement === document.body)
    row.querySelector('button, a')?.focus({ preventScroll: true })
  clearTimeout(document.body.quietTimer)
  // In the last line it stands until the next thing is done.
  if (document.querySelector('.last')) return
  document.body.quietTimer = setTimeout(() => document.getElementById('said')?.replaceChildren(), sayMs)
})
// The button that goes against a reason takes no press that was meant for the plain one it has just replaced.
let reasonsAt = 0
document.addEventListener('htmx:after:swap', (event) => {
  if (event.target.id === 'reasons') reasonsAt = Date.now()
})
document.addEventListener(
  'click',
  (event) => {
    if (event.target.closest('#send [name="confirmed"]') && Date.now() - reasonsAt < restMs) {
      event.preventDefault()
      event.stopPropagation()
    }
    const row = event.target.closest('li[id]')?.id
    const opensMenu = event.target.closest('[popovertarget]') !== null
    const isSameFinger =
      event.detail > 0 &&
      sentFrom &&
      Math.hypot(event.clientX - sentFrom.x, event.clientY - sentFrom.y) < fingerPx
    const isInNewMenu = openedAt > sentAt && event.target.closest('.row-menu') !== null
    // The second press of a double tap comes before the answer to the first, or just behind it.
    if (
      row &&
      !isInNewMenu &&
      ((row === pressedRow && !opensMenu) || isSameFinger) &&
      Date.now() - Math.max(sentAt, renewedAt) < restMs
    ) {
      event.preventDefault()
      event.stopPropagation()
    } else if (opensMenu) openedAt = Date.now()
  },
  true,
)

// A button that says something else than a moment ago takes no press until that can have been read: a second tap was meant for
// what it said. So does what a press here put in the place of what was pressed: a question after a question, the Undo of an undo, a
// row where another one or its stand-in was. It looks so meanwhile.
const readMs = 2_000
const resting = new Map()
let pressedIn
let wordsBefore = new Map()
const buttonsOf = (id) =>
  document
    .getElementById(id)
    ?.querySelectorAll(id === 'said' ? 'form button' : ':is(.row-go, .steps) :is(button, a)') ?? []
const wordsOf = (id) => [...buttonsOf(id)].map(({ textContent }) => textContent.trim()).join()
const placeOf = (one) => one?.closest('li[id], #said')?.id
const showResting = () => {
  for (const [id, until] of resting) {
    const isOver = until <= Date.now()
    if (isOver) resting.delete(id)
    for (const button of buttonsOf(id)) button.ariaDisabled = isOver ? null : 'true'
  }
}
const rest = (id) => {
  if (!id || buttonsOf(id).length === 0) return
  resting.set(id, Date.now() + readMs)
  setTimeout(showResting, readMs)
}
document.addEventListener('submit', ({ target }) => (pressedIn = placeOf(target) ?? ''), true)
document.addEventListener('htmx:before:swap', () => {
  wordsBefore = new Map([...document.querySelectorAll('li[id]')].map(({ id }) => [id, wordsOf(id)]))
})
document.addEventListener('htmx:after:swap', (event) => {
  for (const [id, words] of wordsBefore) if (words !== '' && words !== wordsOf(id)) rest(id)
  wordsBefore.clear()
  if (!isLook(event) && pressedIn !== undefined) {
    const under = sentFrom && placeOf(document.elementFromPoint(sentFrom.x, sentFrom.y))
    if (pressedIn === 'said') rest('said')
    if (under !== pressedIn) rest(under)
    pressedIn = undefined
  }
  showResting()
})
document.addEventListener(
  'click',
  (event) => {
    if (!event.target.closest('[aria-disabled="true"]')) return
    event.preventDefault()
    event.stopPropagation()
  },
  true,
)

// A row's menu closes with the press that was made in it.
document.addEventListener('submit', (event) => {
  const menu = event.target.querySelector('.row-menu:popover-open')
  if (menu) setTimeout(() => menu.hidePopover())
})

// What unfolds in a menu that is longer than the screen comes into sight.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target.open && target.matches('.row-menu details')) target.scrollIntoView({ block: 'nearest' })
  },
  true,
)

// A question stands where the press was, beside its row, at every width. `pressed`: under the finger or the pointer, which may have
// pressed what only leads to a button; undefined for a press by keys.
const gapPx = 8
const questionPx = 440
let pressed
let askedAt
let isAskedByKeys = false
document.addEventListener('pointerdown', ({ target }) => (pressed = target), true)
document.addEventListener('keydown', () => (pressed = undefined), true)
document.addEventListener(
  'submit',
  ({ target, submitter }) => {
    // The answer to a question may lead to another, at the same place.
    if (target.closest('#said > .asks')) return
    const at = pressed?.isConnected ? pressed : (submitter ?? target)
    const beside = at.closest('#pick') ? 'button' : '.row, .pad, .stand-in, button'
    askedAt = (at.closest(beside) ?? at).getBoundingClientRect()
    isAskedByKeys = submitter?.matches(':focus-visible') ?? false
  },
  true,
)
// What is dragged is pressed where it is dropped.
document.addEventListener('drop', ({ clientX: x, clientY: y }) => (upAt = { x, y }), true)
const placeQuestion = () => {
  const box = document.querySelector('#said > .asks')
  if (!box || !askedAt || box.classList.contains('at-press')) return
  box.classList.add('at-press')
  const width = Math.min(questionPx, window.innerWidth - 2 * gapPx)
  box.style.width = `${width}px`
  const { offsetHeight: height } = box
  const below = askedAt.bottom + gapPx
  const top = below + height + gapPx <= window.innerHeight ? below : askedAt.top - gapPx - height
  box.style.top = `${Math.max(gapPx, Math.min(top, window.innerHeight - height - gapPx))}px`
  const left = askedAt.right - width
  box.style.left = `${Math.max(gapPx, Math.min(left, window.innerWidth - width - gapPx))}px`
  if (isAskedByKeys) box.querySelector('button')?.focus()
}
document.addEventListener('htmx:after:swap', placeQuestion)

// A question that nobody wants to answer.
const leaveQuestion = () => document.getElementById('said')?.replaceChildren()
document.addEventListener('click', (event) => {
  if (event.target.closest('[data-leaves]')) leaveQuestion()
})
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && document.querySelector('#said > .asks')?.contains(event.target))
    leaveQuestion()
})

// A form that could not be sent gives its buttons back.
document.addEventListener('htmx:finally:request', (event) => {
  for (const button of event.target.querySelectorAll?.('button[disabled]') ?? []) button.disabled = false
})

// The connection is gone: the page says so, keeps what it has with its age, and sends what was not answered again when
// the connection is back, one press after another. What it sends carries the form's token or what was seen, so the
// service does it once or not at all, and says which.
let lastSeen = Date.now()
let unanswered = []
let isSending = false
// Times as the rest of the page has them: in the venue's form, by the service's clock. When its minute turns, the page
// shows what the service said for then; the next renewal comes at a second of the venue's own.
let shownAt
let ahead = 0
let turning
const turnMinute = () => {
  for (const words of document.querySelectorAll('[data-next]')) {
    words.textContent = words.dataset.next
    delete words.dataset.next
  }
}
const readClock = () => {
  const at = Number(document.querySelector('[data-at]')?.dataset.at ?? Number.NaN)
  if (Number.isNaN(at) || at === shownAt) return
  shownAt = at
  ahead = at - Date.now()
  clearTimeout(turning)
  turning = setTimeout(turnMinute, 60_000 - (at % 60_000))
}
readClock()
document.addEventListener('htmx:after:swap', readClock)
const clockOf = (at) => {
  const { locale, zone: timeZone, hourCycle } = document.body.dataset
  return new Date(at + ahead).toLocaleTimeString(locale, {
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    hourCycle,
  })
}
const unansweredWords = () => {
  const all = [...new Set(unanswered.map(({ label }) => `“${label}”`))]
  const [labels, are] = [all.join(', '), all.length > 1 ? 'are' : 'is']
  return labels === ''
    ? ''
    : ` ${labels} ${are} not answered yet. It is sent again when the connection is back, and done once; if it cannot be done, the page says why.`
}
const offline = (is) => {
  let bar = document.getElementById('offline')
  if (!bar && is) {
    bar = document.createElement('p')
    bar.id = 'offline'
    bar.className = 'offline'
    bar.setAttribute('role', 'alert')
    document.body.prepend(bar)
  }
  document.body.classList.toggle('is-offline', is)
  document.body.classList.toggle('is-live', !is)
  if (bar) {
    bar.hidden = !is
    const words = `No connection: what you see is from ${clockOf(lastSeen)}.${unansweredWords()}`
    if (is && bar.textContent !== words) bar.textContent = words
    // What it says may be long: the page below it begins where it ends.
    document.documentElement.style.setProperty('--gone', `${bar.offsetHeight}px`)
  }
}
// Every press in a list is kept until it is answered, as it was sent.
const lists = new Set(['#book', '#line'])
/** The name that a row shows, without the marks before it and what only a screen reader says after it. */
window.nameInRow = (row) =>
  [...(row?.querySelector('.row-name')?.childNodes ?? [])]
    .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
    .map(({ textContent }) => textContent)
    .join('')
    .trim()
const labelOf = (form, button) => {
  const who = window.nameInRow(form.closest('.row'))
  const what = button?.textContent.trim() ?? 'This'
  return who ? `${what}: ${who}` : what
}
document.addEventListener('htmx:config:request', ({ detail: { ctx } }) => {
  const { request, sourceElement: form, press } = ctx
  const target = press?.target ?? form.getAttribute('hx-target')
  if (request.method !== 'POST' || !lists.has(target)) return
  if (press?.body) for (const [name, value] of press.body) request.body.append(name, value)
  else {
    const label = press?.label ?? labelOf(form, request.submitter)
    ctx.press = { to: request.action, target, body: [...request.body], label }
  }
})
const send = ({ to, target, values, ...press }) =>
  window.htmx.ajax('POST', to, { target, swap: 'outerMorph', values, press: { to, target, ...press } })
/** A press without a form, such as a drag: sent like any other. */
window.sendPress = (press) => {
  askedAt = new DOMRect(upAt.x, upAt.y)
  void send(press)
}
const sendAgain = async () => {
  if (isSending || !window.htmx) return
  isSending = true
  try {
    while (unanswered.length > 0) {
      const count = unanswered.length
      await send(unanswered[0])
      if (unanswered.length >= count) break
    }
  } finally {
    isSending = false
  }
}
const keep = (press) => {
  if (press && !unanswered.some(({ body }) => body === press.body)) unanswered.push(press)
}
document.addEventListener('htmx:error', ({ detail: { ctx } }) => {
  // What was answered and then could not be shown is no matter of the connection.
  if (!ctx || ctx.text !== undefined) return
  keep(ctx.press)
  offline(true)
})
// A press that the next one overtook: whether it arrived is not known.
document.addEventListener('htmx:finally:request', ({ detail: { ctx } }) => {
  if (ctx.text === undefined && ctx.status.startsWith('error: AbortError')) keep(ctx.press)
})
document.addEventListener('htmx:response:error', (event) => offline(event.detail.ctx.response.status >= 500))
document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  unanswered = unanswered.filter(({ body }) => body !== ctx.press?.body)
  if (!(ctx.response?.status < 400)) return
  lastSeen = Date.now()
  offline(false)
  void sendAgain()
})
document.body.classList.add('is-live')
