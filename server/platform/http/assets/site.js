/*
 * Optional script: the pages work without it. It redirects anchors from the time when all docs were one page, adds copy
 * buttons and search, keeps the tabs of all samples on one language, and highlights the reader's place in the contents.
 */

/** Follows a name in the first page's list to its target; that page also used to be at /docs/errors. */
const leadOn = () => {
  const anchor = decodeURIComponent(location.hash.slice(1))
  const there = document.getElementById(anchor)
  if (there?.matches('.by-name a')) location.replace(there.href)
  else if (!there && anchor !== '' && location.pathname === '/docs/errors')
    location.replace(`/docs${location.hash}`)
}
leadOn()
addEventListener('hashchange', leadOn)

/** What to copy from a panel: only the commands of a shell session, or everything. */
const textOf = (panel) => {
  const shown = [...panel.querySelectorAll('pre')].find((pre) => pre.offsetParent !== null)
  const commands = [...shown.querySelectorAll('b')].map(({ textContent }) => textContent)
  return commands.length > 0 ? commands.join('\n') : shown.textContent
}

for (const panel of document.querySelectorAll('.panel:has(code)')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  const say = (word) => {
    button.textContent = word
  }
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(textOf(panel)).then(
      () => say('Copied'),
      () => say('Not copied'),
    )
    setTimeout(say, 1500, 'Copy')
  })
  // Browsers allow the clipboard only over HTTPS or on the same machine.
  if (navigator.clipboard) panel.querySelector('figcaption').append(button)
}

const languages = [...document.querySelectorAll('.tabs input')]
const choose = (language) => {
  for (const one of languages) if (one.value === language) one.checked = true
}
for (const one of languages) {
  one.addEventListener('change', () => {
    const before = one.getBoundingClientRect().top
    choose(one.value)
    // Panels above have changed height, so keep the chosen one in place.
    scrollBy(0, one.getBoundingClientRect().top - before)
    localStorage.setItem('language', one.value)
  })
}
choose(localStorage.getItem('language'))

const links = new Map()
for (const link of document.querySelectorAll('.side li li a'))
  links.set(decodeURIComponent(link.hash.slice(1)), link)

/** The targets of the contents, each with its position. */
const parts = [...links.keys()].flatMap((id) => document.getElementById(id) ?? [])

const mark = () => {
  // Slightly below the point where a jump puts its target.
  const line = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 8
  const part = parts.findLast((one) => one.getBoundingClientRect().top <= line) ?? parts[0]
  const link = part && links.get(part.id)
  if (!link || link.hasAttribute('aria-current')) return
  document.querySelector('.side li li [aria-current]')?.removeAttribute('aria-current')
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

/**
 * Replaces the link to the name list with a search field and its results. The search code loads on the first keystroke.
 */
const search = document.querySelector('search')
const field = Object.assign(document.createElement('input'), {
  type: 'search',
  placeholder: 'Search ( / )',
  autocomplete: 'off',
  spellcheck: false,
})
field.setAttribute('aria-label', 'Search the documentation')
const found = Object.assign(document.createElement('div'), { className: 'found', hidden: true })
const said = Object.assign(document.createElement('p'), { className: 'said' })
said.setAttribute('role', 'status')
const list = document.createElement('ul')
found.append(said, list)
search.replaceChildren(field, found)

let finding
const showFound = async () => {
  const asked = field.value
  finding ??= Promise.all([
    import(search.dataset.finder),
    fetch(search.dataset.index).then((answer) => answer.json()),
  ])
  const [{ find }, index] = await finding.catch((failure) => {
    // The next keystroke tries again.
    finding = undefined
    throw failure
  })
  // The reader kept typing in the meantime.
  if (asked !== field.value) return
  const results = find(index, asked)
  list.replaceChildren(...results.map(lineOf))
  said.textContent = results.length > 0 ? '' : 'Nothing by these words.'
  found.hidden = asked.trim() === ''
}

const lineOf = ({ title, kind, address, says }) => {
  const line = document.createElement('li')
  const link = Object.assign(document.createElement('a'), { href: address })
  for (const [name, text] of Object.entries({ title, kind, says })) {
    link.append(Object.assign(document.createElement('span'), { className: name, textContent: text }), ' ')
  }
  line.append(link)
  return line
}

const close = () => {
  found.hidden = true
}
field.addEventListener('input', () => void showFound())
field.addEventListener('focus', () => void (field.value && showFound()))
search.addEventListener('focusout', ({ relatedTarget }) => {
  if (!search.contains(relatedTarget)) close()
})
list.addEventListener('click', close)
search.addEventListener('keydown', (event) => {
  const stops = [field, ...list.querySelectorAll('a')]
  const at = stops.indexOf(document.activeElement)
  const to = { ArrowDown: stops[at + 1], ArrowUp: stops[at - 1] }[event.key]
  if (event.key === 'Escape') {
    field.focus()
    close()
  } else if (event.key === 'Enter' && at === 0) stops[1]?.click()
  else if (!to || found.hidden) return
  else to.focus()
  event.preventDefault()
})
addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input:not([type=radio], [type=checkbox]), textarea, select')
  const isAsked = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
  if (!isAsked) return
  event.preventDefault()
  field.select()
  field.focus()
})
