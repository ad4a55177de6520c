import type { Context } from '../../server/context.ts'

/** A date so many days ahead, at the venues of bench/ground.ts. */
export const daysAhead = ({ clock }: Pick<Context, 'clock'>, days: number): string =>
  clock().toZonedDateTimeISO('America/New_York').toPlainDate().add({ days }).toString()

/** A table for two at lunch, for a guest of that name. */
export const bookingAt = (date: string, name: string) => ({
  ...{ guestName: name, email: `${name}@example.com`, partySize: 2 },
  ...{ date, time: '12:00' },
})
