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

document.addEventListener('submit', (event) => {
  const question = event.submitter?.dataset.asks ?? event.target.dataset.asks
  if (question && !window.confirm(question)) {
    event.preventDefault()
    return
  }
  // A second tap must not send the form twice. The button keeps its value: it is disabled after the form is read.
  setTimeout(() => {
    for (const button of event.target.querySelectorAll('button')) button.disabled = true
  })
})

// Where one is stays in sight in a row of places that scrolls sideways.
for (const here of document.querySelectorAll('.rail [aria-current], .tabs [aria-current]')) {
  const row = here.closest('.tabs, .rail')
  row.scrollLeft += here.getBoundingClientRect().right + 24 - row.getBoundingClientRect().right
}

// A page that comes back from the history has its buttons again.
window.addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('button[disabled]')) button.disabled = false
})
