import type { ReservationStatus } from '@venue-data/contract/records/reservation.ts'
import type { WaitlistStatus } from '@venue-data/contract/records/waitlist-entry.ts'
import { type Content, type Html, html } from '../../../platform/html/html.ts'

/** A status as a word and a color; the color never carries the meaning alone. */
export const tag = (word: Content, tone: Tone = ''): Html => html`<span class="tag ${tone}">${word}</span>`

/** A word somebody at the venue chose, of any length: cut to fit, in full on hover. */
export const wordTag = (word: string, tone: Tone = ''): Html =>
  html`<span class="tag word ${tone}" title="${word}">${word}</span>`

type Tone = '' | 'good' | 'warn' | 'bad' | 'accent'

export const reservationTag = (status: string): Html =>
  tag(status, reservationTones[status as ReservationStatus] ?? '')

export const waitlistTag = (status: string): Html =>
  tag(status, waitlistTones[status as WaitlistStatus] ?? '')

const reservationTones: Record<ReservationStatus, Tone> = {
  Requested: 'warn',
  Confirmed: 'accent',
  Seated: 'good',
  Completed: '',
  Cancelled: '',
  'No-show': 'bad',
}

const waitlistTones: Record<WaitlistStatus, Tone> = {
  waiting: 'accent',
  offered: 'warn',
  booked: 'good',
  expired: '',
  cancelled: '',
}
