// What a tablet at the door does by itself, where somebody asked for it on this device: it keeps its screen on while the
// evening is open, and says and sounds what guests just did. One word in the storage for each, and never a guest.
const keeps = (what) => localStorage.getItem(what) === 'on'
const isEvening = () => document.querySelector('.service-page .service') !== null

// The screen stays on. The browser lets go of it whenever the page is hidden.
const stayAwake = async () => {
  if (!isEvening() || !keeps('awake') || document.visibilityState !== 'visible') return
  try {
    await navigator.wakeLock?.request('screen')
  } catch {
    // A low battery comes first.
  }
}
document.addEventListener('visibilitychange', () => void stayAwake())
void stayAwake()

// The sound may be made from the first touch of a page on.
let audio
const open = () => {
  if (!keeps('news') || !isEvening()) return
  audio ??= new AudioContext()
}
for (const touch of ['pointerdown', 'keydown']) document.addEventListener(touch, open)
const ring = () => {
  if (!audio) return
  for (const [note, at] of [
    [660, 0],
    [880, 0.18],
  ]) {
    const from = audio.currentTime + at
    const [tone, volume] = [audio.createOscillator(), audio.createGain()]
    tone.frequency.value = note
    volume.gain.setValueAtTime(0.25, from)
    volume.gain.exponentialRampToValueAtTime(0.001, from + 0.35)
    tone.connect(volume).connect(audio.destination)
    tone.start(from)
    tone.stop(from + 0.35)
  }
}

// What was there when the page opened is no news.
const items = () => [...document.querySelectorAll('[data-news]')]
const known = new Set(items().map(({ dataset }) => dataset.news))
const saidMs = 20_000
let hush
document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  const fresh = items().filter(({ dataset }) => !known.has(dataset.news))
  for (const { dataset } of fresh) known.add(dataset.news)
  const line = document.getElementById('heard')
  // What a press here did is no news here.
  const isOwn = ctx.request?.method === 'POST'
  if (fresh.length === 0 || isOwn || !line || !keeps('news')) return
  const more = fresh.length > 1 ? ` (and ${fresh.length - 1} more)` : ''
  line.textContent = `${fresh[0].textContent}${more}`
  clearTimeout(hush)
  hush = setTimeout(() => line.replaceChildren(), saidMs)
  ring()
})

// The account's page: what this device does.
const card = document.getElementById('device')
if (card) {
  card.hidden = false
  for (const box of card.querySelectorAll('[data-keeps]')) {
    box.checked = keeps(box.dataset.keeps)
    box.addEventListener('change', () => {
      if (box.checked) localStorage.setItem(box.dataset.keeps, 'on')
      else localStorage.removeItem(box.dataset.keeps)
    })
  }
  if (!('wakeLock' in navigator)) {
    card.querySelector('[data-keeps="awake"]').disabled = true
    card.querySelector(`[data-only="${isSecureContext ? 'unable' : 'http'}"]`).hidden = false
  }
}
