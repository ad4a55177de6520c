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
document.addEventListener('pointerdown', ({ clientX: x, clientY: y }) => {
  pressedAt = Date.now()
  downAt = { x, y }
  isDown = true
})
for (const name of ['pointerup', 'pointercancel'])
  document.addEventListener(name, () => {
    isDown = false
  })

const isHeld = () =>
  isDown || Date.now() - pressedAt < restMs || document.querySelector('.row-menu:popover-open') !== null
const isLook = (event) => event.detail?.ctx?.sourceEvent?.type === 'every'

document.addEventListener('htmx:before:request', (event) => {
  if (isLook(event) && (document.hidden || isHeld())) event.preventDefault()
})
// What was asked for before a finger came down is not put under it.
document.addEventListener('htmx:before:swap', (event) => {
  if (isLook(event) && isHeld()) event.preventDefault()
})

document.addEventListener('visibilitychange', () => {
  const book = document.querySelector('[hx-trigger^="every"]')
  if (!document.hidden && book && window.htmx) window.htmx.trigger(book, 'every')
})

// The row somebody pressed in: for a moment it sends no further press, and it keeps the keyboard's place. Nor does the
// row that comes under the same finger when the lists move up: a double tap is one press. What only opens its menu, at
// another place, is no second tap of it.
const fingerPx = 24
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
    // The second press of a double tap comes before the answer to the first, or just behind it.
    if (
      row &&
      ((row === pressedRow && !opensMenu) || isSameFinger) &&
      Date.now() - Math.max(sentAt, renewedAt) < restMs
    ) {
      event.preventDefault()
      event.stopPropagation()
    }
  },
  true,
)

// A row's menu closes with the press that was made in it: while it is open the lists keep still.
document.addEventListener('submit', (event) => {
  const menu = event.target.querySelector('.row-menu:popover-open')
  if (menu) setTimeout(() => menu.hidePopover())
})

// A question that nobody wants to answer.
document.addEventListener('click', (event) => {
  if (event.target.closest('[data-leaves]')) document.getElementById('said')?.replaceChildren()
})

// A form that could not be sent gives its buttons back.
document.addEventListener('htmx:finally:request', (event) => {
  for (const button of event.target.querySelectorAll?.('button[disabled]') ?? []) button.disabled = false
})

// The connection is gone: the page says so, keeps what it has with its age, and sends the press that was not answered
// again when the connection is back. What it sends carries the form's token or the version that was seen, so the
// service does it once or not at all.
let lastSeen = Date.now()
let unsent
// Times as the rest of the page has them: in the venue's form, by its clock.
const clockOf = (at) => {
  const { locale, zone: timeZone, hourCycle } = document.body.dataset
  return new Date(at).toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit', timeZone, hourCycle })
}
const offline = (is) => {
  let bar = document.getElementById('offline')
  if (!bar && is) {
    bar = document.createElement('p')
    bar.id = 'offline'
    bar.className = 'offline'
    bar.setAttribute('role', 'alert')
    document.body.append(bar)
  }
  document.body.classList.toggle('is-offline', is)
  if (bar) {
    bar.hidden = !is
    const words = `No connection: what you see is from ${clockOf(lastSeen)}.${unsent ? ` “${unsent.label}” is not sent yet; it is sent once when the connection is back.` : ''}`
    if (is && bar.textContent !== words) bar.textContent = words
  }
}
document.addEventListener('submit', (event) => {
  const form = event.target
  if (form.method !== 'post' || !form.hasAttribute('hx-post')) return
  const values = {}
  for (const [name, value] of new FormData(form, event.submitter)) values[name] = value
  form.lastPress = {
    to: form.getAttribute('hx-post'),
    target: form.getAttribute('hx-target'),
    values,
    label: event.submitter?.textContent.trim() ?? 'This',
  }
})
const sendAgain = () => {
  const press = unsent
  if (!press || !window.htmx) return
  unsent = undefined
  void window.htmx.ajax('POST', press.to, { target: press.target, swap: 'outerMorph', values: press.values })
}
document.addEventListener('htmx:error', (event) => {
  if (event.detail?.error?.name === 'AbortError') return
  const form = event.detail?.ctx?.sourceElement
  if (form?.lastPress) unsent = form.lastPress
  offline(true)
})
document.addEventListener('htmx:response:error', (event) => offline(event.detail.ctx.response.status >= 500))
document.addEventListener('htmx:after:request', (event) => {
  if (!(event.detail.ctx.response?.status < 400)) return
  lastSeen = Date.now()
  offline(false)
  sendAgain()
})
