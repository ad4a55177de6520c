import type { Picture, Shown } from './picture.ts'
import { arrivalsPicture } from './pictures/arrivals.ts'
import { leadPicture, sizesPicture, sourcesPicture } from './pictures/bookings.ts'
import { campaignsPicture, leadsPicture, listPicture, ticketsPicture } from './pictures/business.ts'
import { coversPicture } from './pictures/covers.ts'
import { answeredPicture, cancelledPicture, noShowsPicture } from './pictures/rates.ts'
import { guestsPicture, staysPicture, tablesPicture, waitsPicture } from './pictures/stays.ts'

/** The pictures of a report, in the order in which they are asked about; what a venue does not do has none. */
export const picturesOf = (shown: Shown): readonly Picture[] => order.flatMap((make) => make(shown) ?? [])

const order: readonly ((shown: Shown) => Picture | undefined)[] = [
  coversPicture,
  arrivalsPicture,
  leadPicture,
  sizesPicture,
  sourcesPicture,
  noShowsPicture,
  cancelledPicture,
  answeredPicture,
  staysPicture,
  tablesPicture,
  waitsPicture,
  guestsPicture,
  ticketsPicture,
  listPicture,
  campaignsPicture,
  leadsPicture,
]
