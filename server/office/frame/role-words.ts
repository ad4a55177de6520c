/** What each role opens, in the words of the office. */
export const roleWords = {
  host: 'Host: the book, the waitlist, guests',
  manager: 'Manager: also settings, lists, refunds',
  owner: 'Owner: also integrations and people',
} as const
