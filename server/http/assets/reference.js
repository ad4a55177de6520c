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

/** What the contents name, each with where it begins: the heading of a group belongs to the first part below it. */
const parts = [...document.querySelectorAll('.part')]
  .filter(({ id }) => links.has(id))
  .map((part) => {
    const group = part.closest('.group')
    return { id: part.id, begin: group?.querySelector('.part') === part ? group : part }
  })

const mark = () => {
  // A little below where a jump puts what it leads to.
  const line = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 8
  const { id } = parts.findLast(({ begin }) => begin.getBoundingClientRect().top <= line) ?? parts[0]
  const link = links.get(id)
  if (link.hasAttribute('aria-current')) return
  document.querySelector('.side [aria-current]')?.removeAttribute('aria-current')
  link.setAttribute('aria-current', 'true')
  link.scrollIntoView({ block: 'nearest' })
}

let isDue = false
const markSoon = () => {
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => {
    isDue = false
    mark()
  })
}
addEventListener('scroll', markSoon, { passive: true })
addEventListener('resize', markSoon)
mark()

const contents = document.querySelector('.contents')
contents.addEventListener('click', (event) => {
  if (event.target.closest('a')) contents.open = false
})
