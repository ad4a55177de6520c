// What a book that renews itself needs beside htmx: it keeps still while a finger is down, does not ask while nobody
// looks, says when the connection is gone, and does not let a double tap press the button that came next.
const restMs = 600
const sayMs = 15_000
let pressedAt = 0
let pressedRow = ''
let sentAt = 0
let renewedAt = 0

document.addEventListener('pointerdown', () => {
  pressedAt = Date.now()
})

const isLook = (event) => event.detail?.ctx?.sourceEvent?.type === 'every'

document.addEventListener('htmx:before:request', (event) => {
  if (isLook(event) && (document.hidden || Date.now() - pressedAt < restMs)) event.preventDefault()
})

document.addEventListener('visibilitychange', () => {
  const book = document.querySelector('[hx-trigger^="every"]')
  if (!document.hidden && book && window.htmx) window.htmx.trigger(book, 'every')
})

// The row somebody pressed in: for a moment it takes no further press, and it keeps the keyboard's place.
document.addEventListener('submit', (event) => {
  pressedRow = event.target.closest('li[id]')?.id ?? ''
  sentAt = Date.now()
  renewedAt = 0
})
document.addEventListener('htmx:after:swap', (event) => {
  if (isLook(event) || pressedRow === '') return
  renewedAt = Date.now()
  const row = document.getElementById(pressedRow)
  if (row && document.activeElement === document.body)
    row.querySelector('button, a')?.focus({ preventScroll: true })
  clearTimeout(document.body.quietTimer)
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
    // The second press of a double tap comes before the answer to the first, or just behind it.
    if (row && row === pressedRow && Date.now() - Math.max(sentAt, renewedAt) < restMs) {
      event.preventDefault()
      event.stopPropagation()
    }
  },
  true,
)

// A question that nobody wants to answer.
document.addEventListener('click', (event) => {
  if (event.target.closest('[data-leaves]')) document.getElementById('said')?.replaceChildren()
})

// A form that could not be sent gives its buttons back.
document.addEventListener('htmx:finally:request', (event) => {
  for (const button of event.target.querySelectorAll?.('button[disabled]') ?? []) button.disabled = false
})

const offline = (is) => {
  let bar = document.getElementById('offline')
  if (!bar && is) {
    bar = document.createElement('p')
    bar.id = 'offline'
    bar.className = 'offline'
    bar.setAttribute('role', 'alert')
    bar.textContent = 'No connection: what you see may be old.'
    document.body.append(bar)
  }
  if (bar) bar.hidden = !is
}
document.addEventListener('htmx:error', (event) => offline(event.detail?.error?.name !== 'AbortError'))
document.addEventListener('htmx:response:error', (event) => offline(event.detail.ctx.response.status >= 500))
document.addEventListener('htmx:after:request', (event) => {
  if (event.detail.ctx.response?.status < 400) offline(false)
})
