// The page works without this: it adds a copy button to each panel and marks in the contents where the reader is.

for (const panel of document.querySelectorAll('.panel:has(code)')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  const say = (word) => {
    button.textContent = word
  }
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(panel.querySelector('code').textContent).then(
      () => say('Copied'),
      () => say('Not copied'),
    )
    setTimeout(say, 1500, 'Copy')
  })
  // Browsers allow the clipboard only over HTTPS or on the same machine.
  if (navigator.clipboard) panel.querySelector('figcaption').append(button)
}

const links = new Map()
for (const link of document.querySelectorAll('.side a')) links.set(link.hash.slice(1), link)

const mark = (id) => {
  document.querySelector('.side [aria-current]')?.removeAttribute('aria-current')
  links.get(id).setAttribute('aria-current', 'true')
  links.get(id).scrollIntoView({ block: 'nearest' })
}

const watch = new IntersectionObserver(
  (entries) => {
    const seen = entries.find((entry) => entry.isIntersecting)
    if (seen) mark(seen.target.id)
  },
  { rootMargin: '-10% 0px -85% 0px' },
)
for (const part of document.querySelectorAll('.part')) if (links.has(part.id)) watch.observe(part)

const contents = document.querySelector('.contents')
contents.addEventListener('click', (event) => {
  if (event.target.closest('a')) contents.open = false
})
