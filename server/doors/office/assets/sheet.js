// The booking sheet over the page one is at, where the screen is wide enough. What is typed stays when it closes, for as
// long as the page does; nothing of it is stored. Without script, and on a phone, it is a page of its own.
const wide = window.matchMedia('(min-width: 900px)')
const opens = 'a[href^="/office/bookings/new"], a[data-sheet]'
let kept

const dialogOf = () => {
  const dialog = document.createElement('dialog')
  dialog.id = 'sheet-over'
  dialog.className = 'sheet-over'
  dialog.setAttribute('aria-labelledby', 'sheet-title')
  const head = document.createElement('header')
  const title = document.createElement('h2')
  title.id = 'sheet-title'
  const close = document.createElement('button')
  close.type = 'button'
  close.className = 'quiet'
  close.dataset.closes = ''
  close.textContent = 'Close'
  const whole = document.createElement('a')
  whole.className = 'button quiet'
  whole.textContent = 'See all'
  head.append(title, whole, close)
  const body = document.createElement('div')
  body.className = 'sheet-body'
  dialog.append(head, body)
  document.body.append(dialog)
  return dialog
}

/** Puts the sheet of a page into the dialog; false where the page has none. */
const show = (html) => {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const sheet = page.querySelector('main .sheet')
  if (!sheet) return false
  const dialog = document.getElementById('sheet-over') ?? dialogOf()
  dialog.querySelector('h2').textContent = page.querySelector('main h1')?.textContent ?? ''
  dialog.querySelector('.sheet-body').replaceChildren(document.adoptNode(sheet))
  window.htmx.process(sheet)
  // Its sizes, days and times are a stop for Tab each (service.js).
  document.dispatchEvent(new Event('sheet-shown'))
  if (!dialog.open) dialog.showModal()
  return true
}

const dialogHas = (what) => document.querySelector(`#sheet-over ${what}`) !== null

const open = async (address) => {
  const dialog = document.getElementById('sheet-over')
  if (dialog && kept === address) dialog.showModal()
  else {
    // Like a part of a page: what is left to be said waits for the page that is opened.
    const answer = await fetch(address, { headers: { 'hx-request': 'true' } }).catch(() => undefined)
    if (!answer?.ok || !show(await answer.text())) return window.location.assign(address)
    kept = dialogHas('[data-fresh]') ? undefined : address
  }
  // A booking has a page of its own, with all that can be done about it.
  const whole = document.querySelector('#sheet-over > header a')
  whole.hidden = !address.includes('#')
  whole.href = address.split('#')[0]
  // What is typed takes the place of the size that stands there.
  const first = document.querySelector('#sheet-over :is([name="partySize"], [autofocus])')
  first?.focus()
  if (first?.name === 'partySize') first.select()
}

document.addEventListener('click', (event) => {
  const link = event.target.closest?.(opens)
  if (!link || event.defaultPrevented || event.button !== 0) return
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  const inside = link.closest('#sheet-over') !== null
  const isPage = document.querySelector('main #booking-form') !== null
  if (!wide.matches || !window.htmx || (isPage && !inside)) return
  event.preventDefault()
  void open(link.getAttribute('href'))
})

document.addEventListener('submit', (event) => {
  const form = event.target
  const dialog = form.closest('#sheet-over')
  if (!dialog || event.defaultPrevented) return
  event.preventDefault()
  if (isSending) return
  isSending = true
  void send(form, new URLSearchParams(new FormData(form, event.submitter))).finally(() => {
    isSending = false
  })
})
// A second tap while the first is being answered would read what it says, for nobody.
let isSending = false

const send = async (form, body) => {
  const to = form.getAttribute('action')
  if (!body.has('back')) body.set('back', window.location.pathname + window.location.search)
  const answer = await fetch(to, { method: 'POST', body, headers: { 'hx-request': 'true' } }).catch(
    () => undefined,
  )
  if (answer?.redirected) {
    kept = undefined
    return window.location.assign(answer.url)
  }
  if (!answer || !show(await answer.text())) {
    const said = document.createElement('p')
    said.className = 'mistake'
    said.setAttribute('role', 'alert')
    said.textContent = 'No answer came, so it may not be done. Press again: it is done once.'
    form.querySelector('#send')?.before(said)
    for (const button of form.querySelectorAll('button[disabled]')) button.disabled = false
    return
  }
  // To what was said, at the button or above the form; the button, which is always in sight, takes the next press.
  const button = document.querySelector('#sheet-over .send button, #sheet-over .sheet-body button.primary')
  const said = document.querySelector('#sheet-over .sheet-body .mistake')
  ;(said ?? button)?.scrollIntoView({ block: 'nearest' })
  button?.focus({ preventScroll: said !== null })
}
