import { type BookingProfile, type GuestProfile, birthdayInWords, nothingKnown } from './rules.ts'

/* What the house knows, in files for the owner and in one for the person it is about. */

export const guestProfileFields = ['vip', 'birthday', 'tags'] as const

export const houseOfGuestInFile = ({ vip, birthday, tags }: GuestProfile = nothingKnown) => ({
  vip,
  birthday: birthday && birthdayInWords(birthday),
  tags,
})

export const bookingProfileFields = ['occasion', 'seating', 'privateNote', 'tags'] as const

export const houseOfBookingInFile = ({ occasion, seating, note, tags }: BookingProfile = noProfile) => ({
  occasion,
  seating,
  privateNote: note ?? null,
  tags,
})

const noProfile: BookingProfile = { occasion: null, seating: null, tags: [] }
