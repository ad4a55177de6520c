/** What each role can open, as the office puts it. */
export const roleWords = {
  host: 'Host: the book, the waitlist, guests',
  manager: 'Manager: also settings, lists, refunds',
  owner: 'Owner: also integrations and people',
} as const
