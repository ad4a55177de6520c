// What writing a mail is nicer with: buttons for tags, counters, and a preview that follows the words. Without it the
// preview comes by its button, and the checklist by saving.
const editor = document.getElementById('editor')
const restMs = 900
const mostLive = 200_000
let previews = 0

/** What a button puts around the words that are marked, or in their place. */
const tools = [
  ['Heading', '<h2>', '</h2>', 'Heading'],
  ['Paragraph', '<p>', '</p>', 'Words'],
  ['Bold', '<strong>', '</strong>', 'bold words'],
  ['Link', '<a href="https://">', '</a>', 'Words of the link'],
  ['List', '<ul>\n<li>', '</li>\n<li></li>\n</ul>', 'First'],
  ['Picture', '<img src="https://', '" alt="What it shows">', ''],
  ['First name', '{{firstName|', '}}', 'there'],
]

const addTools = (area) => {
  const bar = document.createElement('div')
  bar.className = 'tools'
  bar.setAttribute('role', 'group')
  bar.setAttribute('aria-label', 'Put into the mail')
  for (const [name, before, after, otherwise] of tools) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = name
    button.addEventListener('click', () => {
      const { selectionStart: from, selectionEnd: to, value } = area
      const words = value.slice(from, to) || otherwise
      area.focus()
      area.setRangeText(before + words + after, from, to, 'end')
      area.setSelectionRange(from + before.length, from + before.length + words.length)
      area.dispatchEvent(new Event('input', { bubbles: true }))
    })
    bar.append(button)
  }
  area.closest('.body-field').prepend(bar)
}

const count = (field) => {
  const hint = field.closest('label')?.querySelector('small')
  const shown = /phones show about (\d+)/.exec(hint?.textContent ?? '')
  if (!shown) return
  const length = Array.from(field.value).length
  hint.textContent = hint.textContent.replace(/\d+ characters/, `${length} characters`)
  hint.classList.toggle('over', length > Number(shown[1]))
}

/** The new preview loads out of sight and then takes the old one's place: no flicker, and no step back in the history. */
const renew = () => {
  const old = editor.querySelector('iframe[name="preview"]')
  if (!old) return
  for (const one of editor.querySelectorAll('iframe.coming')) one.remove()
  const frame = old.cloneNode()
  frame.removeAttribute('src')
  // A name that no frame ever had: one that had it would be taken for it, and make a step in the history.
  const name = `preview-${++previews}`
  frame.name = name
  frame.classList.add('coming')
  old.after(frame)
  frame.addEventListener('load', () => {
    if (!frame.isConnected || frame.dataset.sent !== 'yes') return
    old.remove()
    frame.setAttribute('name', 'preview')
    frame.classList.remove('coming')
  })
  const { action, target } = editor
  editor.action = editor.dataset.preview
  editor.target = name
  frame.dataset.sent = 'yes'
  HTMLFormElement.prototype.submit.call(editor)
  editor.action = action
  editor.target = target
}

if (editor?.dataset.preview) {
  const area = editor.querySelector('textarea[name="bodyHtml"]')
  if (area) addTools(area)
  let timer
  editor.addEventListener('input', (event) => {
    if (event.target.name === 'previewWidth') return
    count(event.target)
    clearTimeout(timer)
    // A mail this long takes a while; its preview comes by the button.
    if ((area?.value.length ?? 0) <= mostLive) timer = setTimeout(renew, restMs)
  })
  for (const field of editor.querySelectorAll('input')) count(field)
  editor.addEventListener('click', (event) => {
    if (event.target.closest('[formtarget]')) {
      event.preventDefault()
      renew()
    }
  })
  // Words that were not saved are not lost by a wrong click.
  let isChanged = false
  editor.addEventListener('input', (event) => {
    if (event.target.name !== 'previewWidth') isChanged = true
  })
  editor.addEventListener('submit', (event) => {
    if (!event.submitter?.formTarget) isChanged = false
  })
  window.addEventListener('beforeunload', (event) => {
    if (isChanged) event.preventDefault()
  })
}
