// Section plans: the fields of a plan as boxes with their tables, which are dragged from one to another, or moved by the
// arrow keys. The fields stay what is saved, and what is typed into them is shown at once.
const beginsAfter = 6

const made = (name, className, text = '') => {
  const one = document.createElement(name)
  one.className = className
  one.textContent = text
  return one
}

/** The labels of a field: at each place the longest that there is, else the next word. */
const labelsIn = (text, labels) => {
  const longestFirst = labels.toSorted((a, b) => b.length - a.length)
  const found = []
  let rest = text.replaceAll(/\s+/g, ' ')
  for (;;) {
    rest = rest.replace(/^[ ,;]+/, '')
    if (rest === '') return found
    const lower = rest.toLowerCase()
    const label = longestFirst.find(
      (one) => lower.startsWith(one.toLowerCase()) && /^(?:[ ,;]|$)/.test(lower.slice(one.length)),
    )
    const length = label?.length ?? rest.search(/[ ,;]|$/)
    found.push(label ?? rest.slice(0, length))
    rest = rest.slice(length)
  }
}
const typed = (labels) => labels.join(labels.some((label) => label.includes(' ')) ? ', ' : ' ')

const begin = (form) => {
  const labels = JSON.parse(form.dataset.sections)
  const fields = [...form.querySelectorAll('input[name="section"]')]
  const board = made('div', 'section-board')
  board.setAttribute('role', 'group')
  board.setAttribute('aria-label', 'Tables by section')
  const said = made('p', 'small soft')
  said.setAttribute('role', 'status')
  said.textContent = 'Drag a table to another section, or press it and use the arrow keys.'
  form.querySelector('.section-fields').before(said, board)
  form.querySelector('[data-unused]')?.remove()
  const nameOf = (place) => (place === 0 ? 'no section' : `section ${place}`)
  /** What each box has: the first those of no section. */
  const boxes = () => {
    const inSections = fields.map(({ value }) => labelsIn(value, labels))
    const used = new Set(inSections.flat().map((label) => label.toLowerCase()))
    return [labels.filter((label) => !used.has(label.toLowerCase())), ...inSections]
  }
  const draw = () => {
    board.replaceChildren(
      ...boxes().map((own, place) => {
        const box = made('div', 'section-box')
        box.dataset.place = place
        box.append(made('b', '', place === 0 ? 'In no section' : `Section ${place}`))
        for (const label of own) {
          const chip = made('button', 'table-chip', label)
          chip.type = 'button'
          chip.dataset.label = label
          chip.dataset.place = place
          chip.setAttribute('aria-label', `Table ${label}, ${nameOf(place)}`)
          box.append(chip)
        }
        return box
      }),
    )
  }
  const move = (label, to) => {
    const all = boxes()
    const isIt = (other) => other.toLowerCase() === label.toLowerCase()
    if (to < 0 || to >= all.length || all[to].some(isIt)) return
    const order = (one, other) => labels.indexOf(one) - labels.indexOf(other)
    for (const [n, field] of fields.entries()) {
      const own = all[n + 1].filter((one) => !isIt(one))
      field.value = typed(n + 1 === to ? [...own, label].toSorted(order) : own)
    }
    draw()
    said.textContent = `Table ${label}: ${nameOf(to)}. Save to keep it.`
    board.querySelector(`[data-label="${CSS.escape(label)}"]`)?.focus()
  }

  let drag
  const boxAt = ({ clientX, clientY }) =>
    document
      .elementsFromPoint(clientX, clientY)
      .map((one) => one.closest('.section-box'))
      .find((one) => one && board.contains(one))
  const aim = (box) => {
    for (const one of board.children) one.classList.toggle('aim', one === box)
  }
  board.addEventListener('pointerdown', (event) => {
    const chip = event.target.closest('.table-chip')
    if (!chip || event.button !== 0) return
    chip.setPointerCapture(event.pointerId)
    drag = { chip, x: event.clientX, y: event.clientY, begun: false }
  })
  board.addEventListener('pointermove', (event) => {
    if (!drag) return
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y]
    if (!drag.begun && Math.hypot(dx, dy) < beginsAfter) return
    drag.begun = true
    drag.chip.classList.add('dragged')
    drag.chip.style.transform = `translate(${dx}px, ${dy}px)`
    aim(boxAt(event))
  })
  const letGo = (event) => {
    if (!drag) return
    const { chip, begun } = drag
    drag = undefined
    chip.classList.remove('dragged')
    chip.style.transform = ''
    aim()
    const box = begun && event.type === 'pointerup' && boxAt(event)
    if (box) move(chip.dataset.label, Number(box.dataset.place))
  }
  board.addEventListener('pointerup', letGo)
  board.addEventListener('pointercancel', letGo)
  const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }
  board.addEventListener('keydown', (event) => {
    const chip = event.target.closest('.table-chip')
    if (!chip || !(event.key in by)) return
    event.preventDefault()
    move(chip.dataset.label, Number(chip.dataset.place) + by[event.key])
  })
  for (const field of fields) field.addEventListener('input', draw)
  draw()
}

for (const form of document.querySelectorAll('form[data-sections]')) begin(form)
