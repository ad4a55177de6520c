/** The mark in a browser's tab: a blue door. In the page itself, so that no browser asks for a file that is not there. */
export const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="3" y="1" width="10" height="14" rx="2" fill="#1c5878"/><circle cx="10.5" cy="8.5" r="1" fill="#f6f4f0"/></svg>',
)}`
