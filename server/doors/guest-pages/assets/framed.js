// Inside a frame of the venue's own site: tells embed.js there how tall the page is, and the sites that the venue lists,
// and no other, that something was booked, at which door and for how many. Nothing else leaves the frame.
const say = (what) => parent.postMessage({ from: 'venue-pages', ...what }, '*')
const height = () => Math.ceil(document.body.getBoundingClientRect().height)
if (parent !== window) {
  // Browsers give no focus by itself to a frame of another origin.
  document.querySelector('[autofocus]')?.focus()
  const { booked: door, partySize, sites } = document.documentElement.dataset
  // Loaded again or come back to, it was said before; browsers that do not tell (Safari before 15) say it again.
  const [visit] = performance.getEntriesByType('navigation')
  if (door && !['reload', 'back_forward'].includes(visit?.type)) {
    const booked = { from: 'venue-pages', event: 'booked', door, partySize: Number(partySize) || null }
    // Where a browser does not say which site is around it, each is tried, and it delivers to the one that is.
    const [around] = location.ancestorOrigins ?? []
    for (const site of sites.split(' ')) if (!around || site === around) parent.postMessage(booked, site)
  }
  say({ opened: true, title: document.title, height: height() })
  new ResizeObserver(() => say({ height: height() })).observe(document.body)
  // Keys pressed in here do not reach the dialog around the frame.
  addEventListener('keydown', ({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented) say({ close: true })
  })
}
