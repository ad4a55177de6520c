/** Keeps an answer out of search engines: what is private, what is not there, and everything of a practice instance. */
export const notForSearch = { 'x-robots-tag': 'noindex, nofollow' } as const
