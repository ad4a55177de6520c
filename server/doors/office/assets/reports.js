// What a picture of a report says at a place: under the pointer, under a finger, and by the arrow keys. Without script each part
// has its words as a title; the table has all of it in either case.
const reach = 24

/** The box with the words; one for each picture that was looked at. */
const boxOf = (figure) => {
  const known = figure.querySelector('.report-value')
  if (known) return known
  const box = document.createElement('p')
  box.className = 'report-value'
  box.setAttribute('role', 'status')
  box.hidden = true
  figure.prepend(box)
  return box
}

/** Takes the titles out of a picture, so that the browser does not say them a second time. */
const titled = (svg) =>
  [...svg.querySelectorAll('title')].map((title) => {
    const element = title.parentElement
    title.remove()
    return { element, words: title.textContent, place: () => element.getBoundingClientRect() }
  })

/** The dots of a picture for a phone are one path, in the order of those of the wide one. */
const dotsOf = (svg, wide) => {
  const path = svg.querySelector('path.bar')?.getAttribute('d') ?? ''
  return [...path.matchAll(/M([\d.]+) ([\d.]+)a([\d.]+)/g)].map(([, x, y, r], at) => ({
    words: wide[at]?.words ?? '',
    place: () => {
      const { left, top, width } = svg.getBoundingClientRect()
      const scale = width / svg.viewBox.baseVal.width
      const size = 2 * r * scale
      return new DOMRect(left + x * scale, top + y * scale - size / 2, size, size)
    },
  }))
}

const distance = (rect, x, y) =>
  Math.hypot(Math.max(rect.left - x, 0, x - rect.right), Math.max(rect.top - y, 0, y - rect.bottom))

for (const figure of document.querySelectorAll('.report-card figure')) {
  let wide = []
  for (const svg of figure.querySelectorAll('svg.chart')) {
    const own = titled(svg)
    const parts = own.length > 0 ? own : dotsOf(svg, wide)
    if (wide.length === 0) wide = parts
    if (parts.length > 0) listen(figure, svg, parts)
  }
}

function listen(figure, svg, parts) {
  let said = -1
  const hide = () => {
    // The box is shared with the picture in the other layout.
    if (said < 0) return
    parts[said]?.element?.classList.remove('is-said')
    said = -1
    boxOf(figure).hidden = true
  }
  const say = (at) => {
    if (at === said) return
    hide()
    said = at
    const { element, words, place } = parts[at]
    element?.classList.add('is-said')
    const box = boxOf(figure)
    box.textContent = words
    box.hidden = false
    const [whole, here, own] = [figure.getBoundingClientRect(), place(), box.getBoundingClientRect()]
    const left = here.left + here.width / 2 - own.width / 2 - whole.left
    const above = here.top - whole.top - own.height - 8
    box.style.left = `${Math.max(0, Math.min(left, whole.width - own.width))}px`
    box.style.top = `${above >= -own.height ? above : here.bottom - whole.top + 8}px`
  }
  const sayNearest = ({ clientX: x, clientY: y }) => {
    const far = parts.map(({ place }) => distance(place(), x, y))
    const nearest = far.indexOf(Math.min(...far))
    if (far[nearest] <= reach) say(nearest)
    else hide()
  }

  svg.addEventListener('pointermove', sayNearest)
  svg.addEventListener('pointerdown', sayNearest)
  // A finger that is lifted leaves what it pointed at to be read.
  svg.addEventListener('pointerleave', ({ pointerType }) => {
    if (pointerType === 'mouse') hide()
  })
  // Before the picture that is pointed at now says its value in the same box.
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      if (!svg.contains(target)) hide()
    },
    { capture: true },
  )

  svg.tabIndex = 0
  svg.setAttribute('aria-description', 'The arrow keys go through its values.')
  svg.addEventListener('blur', hide)
  const last = parts.length - 1
  const steps = {
    ArrowRight: () => Math.min(said + 1, last),
    ArrowDown: () => Math.min(said + 1, last),
    ArrowLeft: () => Math.max(said - 1, 0),
    ArrowUp: () => Math.max(said - 1, 0),
    Home: () => 0,
    End: () => last,
  }
  svg.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide()
    const step = steps[event.key]
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    say(step())
  })
}
