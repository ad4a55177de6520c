/** What each role may do, in short (README.md has it in full; `places.ts` and each page's `role:` decide). */
export const roleWords = {
  server: 'Server: the parties they serve, on one page; nothing else',
  host: 'Host: the book, the waitlist, guests, tasks, ticket sales',
  manager: 'Manager: also leads, campaigns, events, refunds, settings',
  owner: 'Owner: also integrations, your data and people',
} as const
