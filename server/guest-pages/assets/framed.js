// Inside a frame of the venue's own site: tells embed.js there how tall the page is. Nothing else leaves the frame.
const say = (what) => parent.postMessage({ from: 'venue-pages', ...what }, '*')
const height = () => Math.ceil(document.body.getBoundingClientRect().height)
if (parent !== window) {
  // Browsers give no focus by itself to a frame of another origin.
  document.querySelector('[autofocus]')?.focus()
  say({ opened: true, title: document.title, height: height() })
  new ResizeObserver(() => say({ height: height() })).observe(document.body)
  // Keys pressed in here do not reach the dialog around the frame.
  addEventListener('keydown', ({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented) say({ close: true })
  })
}
