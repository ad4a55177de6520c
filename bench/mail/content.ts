import type {
  MailContent,
  MailHeader,
  MailPerson,
  MailVenue,
} from '../../server/marketing/campaigns/content/mail-template.ts'

/** A newsletter with a finished message of about 30 KB, typical for restaurants. */
export const content: MailContent = {
  subject: 'Oysters all week, {{firstName|friend}}',
  preheader: 'Six kinds, a dozen for $24.',
  bodyHtml: `<h1>Hello {{firstName|friend}}</h1>${Array.from(
    { length: 30 },
    (_, n) =>
      `<h2>Dish ${n + 1}</h2><p>Six kinds of oysters, from Tuesday to Sunday, with lemon, mignonette and brown bread; a dozen for $24. Our cellar adds a glass of Muscadet, and the kitchen sends a small surprise before the first plate. <a href="https://www.example.com/menu/${n}">See the menu</a> or just come by: we keep tables for walk-ins.</p>`,
  ).join('')}`,
  bodyText: '',
  bodyFormat: 'guided',
}

export const venue: MailVenue = {
  name: 'The Blue Door',
  postalAddress: '12 Water Street, New York, NY 10004',
  phone: '(212) 555-0147',
}

/** The n-th person, for the side that needs no database. */
export const header = (n: number): { person: MailPerson; top: MailHeader } => {
  const unsubscribeUrl = `https://data.example.com/u/${'x'.repeat(30)}${n}`
  return {
    person: {
      firstName: `Guest ${n}`,
      unsubscribeUrl,
      preferencesUrl: `https://data.example.com/p/${'x'.repeat(30)}${n}`,
    },
    top: {
      from: { name: 'The Blue Door', address: 'hello@example.com' },
      to: `guest${n}@example.com`,
      date: Temporal.Now.instant(),
      messageId: `<${'x'.repeat(30)}${n}@example.com>`,
      unsubscribeUrl,
      unsubscribeMailbox: null,
      listId: '<the-blue-door.example.com>',
      feedbackId: '1:1:campaign:the-blue-door',
    },
  }
}
