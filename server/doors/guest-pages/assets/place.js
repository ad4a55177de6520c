// Keeps a guest's place in line up to date. Parts marked data-live take over new words one by one, so that a screen
// reader hears only what changed; a new state of the party is a new page. What is typed or focused elsewhere stays.

const placeEveryMs = 10_000

const renewPlace = async () => {
  if (document.hidden) return
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const [now, then] = [fresh, document].map((page) => page.querySelector('[data-place]'))
  if (!now || !then) return
  if (now.dataset.place !== then.dataset.place) {
    then.replaceWith(now)
    document.title = fresh.title
    return
  }
  for (const part of then.querySelectorAll('[data-live]')) {
    const words = now.querySelector(`[data-live="${part.dataset.live}"]`)
    if (!words || words.innerHTML === part.innerHTML) continue
    part.className = words.className
    part.innerHTML = words.innerHTML
  }
}

// A phone that was asleep, or is without a network, tries again at its next turn.
const tryToRenew = () => void renewPlace().catch(() => undefined)
setInterval(tryToRenew, placeEveryMs)
document.addEventListener('visibilitychange', tryToRenew)
