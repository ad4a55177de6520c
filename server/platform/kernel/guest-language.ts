/** The languages in which guests are spoken to: their pages and the mails about their own bookings. */
export const guestLanguages = ['en', 'es', 'fr', 'de', 'it', 'pt', 'nl', 'ja'] as const
export type GuestLanguage = (typeof guestLanguages)[number]

export const isGuestLanguage = (text: string): text is GuestLanguage =>
  guestLanguages.some((language) => language === text)
