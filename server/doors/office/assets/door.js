// At the door. The form works without this; with it, an answer comes in place, a camera reads the codes, and what is
// pressed while there is no network waits in this page and is sent later. Nothing is stored: what waits is gone with the
// page, and nobody's name is kept.
const whole = document.querySelector('.door-page')
const form = document.getElementById('door-form')
const typed = form.elements.namedItem('typed')
const door = form.elements.namedItem('door')
const answer = document.getElementById('door-answer')
const waitingLine = document.getElementById('door-waiting')
const trouble = document.getElementById('door-trouble')

const longestMs = 8_000
const againMs = 4_000

// What was pressed without a network, oldest first: where to, what, and when.
const waiting = []

// Answers that are about one press; any other may be another one in a moment.
const refusals = new Set([400, 404, 409, 422])

// The answer; null for what waited and is refused, undefined once the page is loading again.
const send = async (to, fields, since) => {
  const body = new URLSearchParams(fields)
  if (since !== undefined) body.set('ago', String(Math.round((performance.now() - since) / 1_000)))
  const got = await fetch(to, {
    method: 'POST',
    body,
    headers: { 'hx-request': 'true' },
    redirect: 'manual',
    signal: AbortSignal.timeout(longestMs),
  })
  // Signed out meanwhile. What waits would go with the page, so somebody signs in beside it.
  if (got.type === 'opaqueredirect' && waiting.length > 0) {
    trouble.textContent = 'You are signed out. Sign in again in another tab: what was scanned waits here.'
    throw new Error('signed out')
  }
  trouble.textContent = ''
  // Only this one is refused: a new page would lose all that wait.
  if (waiting.length > 0 && refusals.has(got.status)) return null
  if (waiting.length > 0 && got.status >= 400 && got.status < 500) {
    trouble.textContent = 'The service takes nothing right now: what was scanned waits here.'
    throw new Error(`answered ${got.status}`)
  }
  // Signed out, or something is wrong with the press: the page says it.
  if (got.type === 'opaqueredirect' || (got.status >= 400 && got.status < 500)) {
    location.reload()
    return undefined
  }
  if (!got.ok) throw new Error(`answered ${got.status}`)
  return got.text()
}

const show = (markup) => {
  answer.innerHTML = markup
  const said = answer.querySelector('.door-said')
  answer.scrollIntoView({ block: 'nearest' })
  navigator.vibrate?.(said?.classList.contains('good') ? 60 : [200, 100, 200])
}

const notChecked = (what) => {
  const part = document.createElement('section')
  part.className = 'door-said warn'
  const head = document.createElement('h2')
  head.textContent = 'Not checked'
  const why = document.createElement('p')
  why.textContent = `There is no connection. ${what} It is sent when the connection is back; keep this page open.`
  part.append(head, why)
  answer.replaceChildren(part)
}

const sayWaiting = () => {
  waitingLine.textContent =
    waiting.length === 0 ? '' : `${waiting.length} not checked yet, waiting for the connection.`
}

const press = async (to, fields) => {
  // In their order: what waits goes first.
  if (waiting.length > 0) await sendWaiting()
  if (waiting.length === 0) {
    try {
      const markup = await send(to, fields)
      if (markup !== undefined) show(markup)
      return
    } catch {
      // No network: it waits.
    }
  }
  const isTicket = fields.ticket !== undefined || fields.typed.replaceAll(/[\s-]/g, '').length === 29
  if (isTicket) waiting.push({ to, fields, since: performance.now() })
  notChecked(isTicket ? 'Judge by what you see.' : 'Names can be looked up with a connection only.')
  sayWaiting()
}

// One at a time, however often it is asked.
let sending
const sendWaiting = () => (sending ??= sendAll().finally(() => (sending = undefined)))

const sendAll = async () => {
  const answers = []
  let refused = 0
  while (waiting.length > 0) {
    const [{ to, fields, since }] = waiting
    try {
      const markup = await send(to, fields, since)
      if (markup === undefined) return
      if (markup === null) refused++
      else answers.push(markup)
      waiting.shift()
      sayWaiting()
    } catch {
      break
    }
  }
  if (answers.length > 0) show(answers.join(''))
  if (refused > 0) trouble.textContent = `${refused} of what waited could not be checked: look for the name.`
}
setInterval(() => {
  if (waiting.length > 0) void sendWaiting()
}, againMs)
addEventListener('online', () => void sendWaiting())
addEventListener('beforeunload', (event) => {
  if (waiting.length > 0) event.preventDefault()
})

const fieldsOf = (sent, by) => {
  const fields = Object.fromEntries(new FormData(sent, by))
  return { ...fields, door: door.value }
}
whole.addEventListener('submit', (event) => {
  event.preventDefault()
  // The office's guard against a second tap would disable the buttons for good, and this page stays.
  event.stopPropagation()
  const { target, submitter } = event
  const fields = fieldsOf(target, submitter)
  if (target === form) {
    if (typed.value.trim() === '') return
    typed.value = ''
    typed.focus()
  }
  void press(target.action, fields)
})

// The camera. Where the browser reads no codes itself, a reader is loaded, here and only now.
const camera = document.getElementById('door-camera')
const video = document.getElementById('door-video')
camera.hidden = !navigator.mediaDevices?.getUserMedia

const loadReader = () =>
  new Promise((resolve, reject) => {
    if (globalThis.jsQR) {
      resolve(globalThis.jsQR)
      return
    }
    const script = document.createElement('script')
    script.src = whole.dataset.reader
    script.addEventListener('load', () => resolve(globalThis.jsQR))
    script.addEventListener('error', () => reject(new Error('not loaded')))
    document.head.append(script)
  })

const readerOf = async () => {
  const known = (await globalThis.BarcodeDetector?.getSupportedFormats?.()) ?? []
  if (known.includes('qr_code')) {
    const detector = new globalThis.BarcodeDetector({ formats: ['qr_code'] })
    return async () => (await detector.detect(video))[0]?.rawValue
  }
  const read = await loadReader()
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return async () => {
    const scale = Math.min(1, 640 / Math.max(video.videoWidth, video.videoHeight, 1))
    canvas.width = Math.round(video.videoWidth * scale)
    canvas.height = Math.round(video.videoHeight * scale)
    if (canvas.width === 0) return undefined
    context.drawImage(video, 0, 0, canvas.width, canvas.height)
    const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height)
    return read(data, width, height, { inversionAttempts: 'dontInvert' })?.data
  }
}

let stream
let last = { code: '', at: 0 }
const sameCodeMs = 4_000
const lookMs = 150

const stopCamera = () => {
  for (const track of stream?.getTracks() ?? []) track.stop()
  stream = undefined
  video.hidden = true
  whole.classList.remove('scanning')
  camera.textContent = 'Scan with the camera'
}

const look = async (read) => {
  if (!stream) return
  try {
    const code = await read()
    const now = performance.now()
    // The same code stays in the picture for a while; it is asked for again once it was away.
    if (code && (code !== last.code || now - last.at > sameCodeMs)) {
      await press(form.action, { typed: code, door: door.value })
    }
    if (code) last = { code, at: performance.now() }
  } catch {
    // A picture that cannot be read; the next one may.
  }
  setTimeout(() => void look(read), lookMs)
}

const startCamera = async () => {
  trouble.textContent = ''
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
    video.srcObject = stream
    video.hidden = false
    whole.classList.add('scanning')
    await video.play()
    camera.textContent = 'Stop the camera'
    await navigator.wakeLock?.request('screen').catch(() => undefined)
    void look(await readerOf())
  } catch {
    stopCamera()
    trouble.textContent = 'The camera could not be used. Allow it in the browser, or type the code.'
  }
}
camera.addEventListener('click', () => {
  if (stream) stopCamera()
  else void startCamera()
})
