import { type BookingHouse, type GuestHouse, birthdayInWords, nothingKnown } from './rules.ts'

/* What the house knows, in files for the owner and in one for the person it is about. */

export const guestHouseFields = ['vip', 'birthday', 'tags'] as const

export const houseOfGuestInFile = ({ vip, birthday, tags }: GuestHouse = nothingKnown) => ({
  vip,
  birthday: birthday && birthdayInWords(birthday),
  tags,
})

export const bookingHouseFields = ['occasion', 'tags'] as const

export const houseOfBookingInFile = ({ occasion, tags }: BookingHouse = { occasion: null, tags: [] }) => ({
  occasion,
  tags,
})
