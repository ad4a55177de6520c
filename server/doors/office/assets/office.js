// What forms cannot do alone: dialogs that open, a question before what cannot be undone, copying a key.
// Everything works without it.
document.addEventListener('click', (event) => {
  const opener = event.target.closest('[data-opens]')
  if (opener) {
    const dialog = document.getElementById(opener.dataset.opens)
    if (dialog && dialog.showModal) {
      event.preventDefault()
      dialog.showModal()
    }
  }
  const closer = event.target.closest('[data-closes]')
  if (closer) closer.closest('dialog')?.close()
  const copier = event.target.closest('[data-copies]')
  if (copier) {
    const text = document.getElementById(copier.dataset.copies)?.textContent ?? ''
    void navigator.clipboard?.writeText(text.trim()).then(() => {
      copier.textContent = 'Copied'
    })
  }
})

// The list of all places closes by a press beside it.
document.addEventListener('click', (event) => {
  const all = document.querySelector('.all[open]')
  if (all && !all.contains(event.target)) all.open = false
})

document.addEventListener('submit', (event) => {
  const question = event.submitter?.dataset.asks ?? event.target.dataset.asks
  if (question && !window.confirm(question)) {
    event.preventDefault()
    return
  }
  // The answer comes into a frame, and the page stays.
  if (event.submitter?.formTarget) return
  // A second tap must not send the form twice. The button keeps its value: it is disabled after the form is read.
  setTimeout(() => {
    for (const button of event.target.querySelectorAll('button')) button.disabled = true
  })
})

// Where one is stays in sight in a row of places that scrolls sideways.
for (const here of document.querySelectorAll('.tabs [aria-current]')) {
  const row = here.closest('.tabs')
  row.scrollLeft += here.getBoundingClientRect().right + 24 - row.getBoundingClientRect().right
}

// How much of a text's one segment is filled, as the service will judge it.
document.addEventListener('input', ({ target }) => {
  const { around, plain, double } = target.dataset ?? {}
  if (around === undefined) return
  const text =
    around +
    target.value
      .trim()
      .replaceAll(/[‘’]/g, "'")
      .replaceAll(/[“”]/g, '"')
      .replaceAll(/[–—]/g, '-')
      .replaceAll('…', '...')
  const letters = Array.from(text)
  const odd = letters.find((letter) => !plain.includes(letter) && !double.includes(letter))
  const most = odd === undefined ? 160 : 70
  const used =
    odd === undefined
      ? letters.length + letters.filter((letter) => double.includes(letter)).length
      : text.length
  const room = target.closest('.field').querySelector('.room')
  room.textContent = `${used} of ${most} letters${odd === undefined ? '' : `, as not every phone has “${odd}”`}${used > most ? `: take out ${used - most}` : ''}`
  room.classList.toggle('overdue', used > most)
})

// A page that comes back from the history has its buttons again.
window.addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('button[disabled]')) button.disabled = false
})
