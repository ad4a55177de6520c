// Puts a door of the venue's guest pages into the venue's own site:
//   <script async src="…/embed.js" data-venue="blue-door" data-door="book"></script>
// data-door: book, waitlist, enquire or news. data-lang: a language. data-color: #rrggbb. data-mode="button": a button
// that opens a dialog. It stands where its tag stands; one in the head, at the end of the page. No cookie, nothing stored,
// nothing from elsewhere.
;(() => {
  const words = {}
  const script = document.currentScript
  const { venue = '', door = 'book', lang = '', color = '', mode } = script.dataset
  const accent = /^#?([0-9a-f]{6})$/i.exec(color.trim())?.[1]?.toLowerCase() ?? ''
  const language = (lang || document.documentElement.lang || navigator.language).slice(0, 2).toLowerCase()
  const say = words[language] ?? words.en
  const label = say[door] ?? say.book
  const plain = new URL(`v/${encodeURIComponent(venue)}/${encodeURIComponent(door)}`, script.src)
  if (lang) plain.searchParams.set('lang', lang)
  const address = new URL(plain)
  address.searchParams.set('framed', accent)

  // White or black, whichever reads better on the color.
  const fill = `#${accent || '1c5878'}`
  const light = [1, 3, 5]
    .map((at) => (parseInt(fill.slice(at, at + 2), 16) / 255) ** 2.2)
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0)
  const style = `
:host { display: block }
iframe { display: block; border: 0; width: 1px; min-width: 100%; height: 40rem }
button { box-sizing: border-box; min-height: 52px; padding: 12px 26px; border: 2px solid ${fill}; border-radius: 12px;
  background: ${fill}; color: ${light > 0.179 ? '#000' : '#fff'}; font: 600 17px/1.4 system-ui, sans-serif; cursor: pointer }
a { display: inline-block; padding: 12px 0; color: inherit; font: 600 17px/1.4 system-ui, sans-serif;
  text-decoration: underline; text-underline-offset: 3px }
:focus-visible { outline: 3px solid; outline-offset: 3px }
dialog { box-sizing: border-box; width: min(100vw, 520px); max-width: none; height: min(100dvh, 860px); max-height: none;
  padding: 0; border: 0; border-radius: 16px; background: Canvas; color: CanvasText; overflow: hidden }
dialog[open] { display: flex; flex-direction: column }
dialog::backdrop { background: rgb(20 23 26 / .55) }
dialog div { display: flex; justify-content: space-between; align-items: center; padding: 6px 8px 6px 20px;
  font: 600 17px/1.3 system-ui, sans-serif }
dialog button { min-width: 48px; padding: 0; border: 0; background: none; color: inherit; font: 28px/1 system-ui, sans-serif }
dialog :focus-visible { outline-offset: -3px }
dialog iframe { flex: 1; min-height: 0 }
dialog a { padding: 12px 20px }
@media (max-width: 519px) { dialog { height: 100dvh; border-radius: 0 } }`

  const make = (name, more) => Object.assign(document.createElement(name), more)
  const host = make('div')
  const root = host.attachShadow({ mode: 'open' })
  try {
    // Allowed by every policy of the site; a style element may not be.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
    root.adoptedStyleSheets = [sheet]
  } catch {
    root.append(make('style', { textContent: style }))
  }

  // The service learns which site shows its pages, whatever the site's own policy: its origin, and no page of it.
  const frame = make('iframe', { title: label, referrerPolicy: 'origin' })
  let dialog
  let isHeard = false
  let isDone = false
  addEventListener('message', ({ source, origin, data }) => {
    if (!frame.contentWindow || source !== frame.contentWindow || origin !== address.origin) return
    if (data?.from !== 'venue-pages') return
    if (data.title) frame.title = data.title
    if (data.event === 'booked') isDone = true
    if (data.close) dialog?.close()
    if (dialog) isHeard = true
    else {
      if (data.height > 0) frame.style.height = `${Math.min(data.height, 20000)}px`
      // The next step begins at its top, which may be above the window.
      if (data.opened && isHeard && host.getBoundingClientRect().top < 0) host.scrollIntoView()
      isHeard = true
    }
  })
  // Not listed among the sites that may frame the pages, or the door is shut: a link in place of an empty frame. A frame
  // without an address loads, too, as it is put into the page: nothing is waited for before it has one.
  const giveUp = () => {
    if (!isHeard) frame.replaceWith(make('a', { href: plain, target: '_top', textContent: label }))
  }
  const ask = () => {
    frame.addEventListener('load', () => setTimeout(giveUp, 3000), { once: true })
    setTimeout(giveUp, 20000)
    frame.src = address
  }

  if (mode === 'button') {
    const button = make('button', { type: 'button', textContent: label, part: 'button' })
    const close = make('button', { type: 'button', textContent: '×', ariaLabel: say.close })
    const head = make('div')
    head.append(make('span', { id: 'name', textContent: label }), close)
    dialog = make('dialog')
    dialog.setAttribute('aria-labelledby', 'name')
    dialog.append(head, frame)
    button.setAttribute('aria-haspopup', 'dialog')
    const page = document.documentElement.style
    let before = ''
    button.addEventListener('click', () => {
      if (!frame.src) ask()
      // Opened again after something was booked: from the beginning.
      else if (isDone) frame.src = address
      isDone = false
      before = page.overflow
      page.overflow = 'hidden'
      // What is behind it can be neither reached nor read until it closes; the focus is given back by itself.
      dialog.showModal()
    })
    close.addEventListener('click', () => dialog.close())
    dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
    dialog.addEventListener('close', () => {
      page.overflow = before
    })
    root.append(button, dialog)
  } else {
    ask()
    root.append(frame)
  }
  const stand = () => (script.closest('body') ? script.after(host) : document.body.append(host))
  if (document.readyState === 'loading' && !script.closest('body'))
    addEventListener('DOMContentLoaded', stand)
  else stand()
})()
