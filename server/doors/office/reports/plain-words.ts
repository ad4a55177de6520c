import type { CountedFigure } from '../../../data/reports/figure-names.ts'

/** What is counted, for those who read a report; the exact definitions are for whoever checks it by a program. */
export const plainWords: Readonly<Partial<Record<CountedFigure, string>>> = {
  arrivals:
    'Guests by weekday and quarter of an hour: when they were booked for, and when they sat down, on the average of the days of that weekday on which anybody came. Hours after midnight count for the evening before.',
  refused:
    'Requests for a table, on your booking page and by other programs, that were turned away, and why. “No room” means that no table was free, or that the time had all the guests or parties it takes, which is your pacing limit. Somebody who asks again for the same time within an hour counts once. The days are those of that weekday in the period on which you were not closed. Approximate.',
  refused_by_weekday: 'The same requests by the weekday asked for, and why.',
  funnel:
    'How often each page for guests was looked at: views, not people. Staff who are signed in and programs are not counted. Approximate.',
  cancelled:
    'Confirmed bookings that were cancelled: by the guest, of these late (less than 24 hours before the time), and by you. Walk-ins are not counted.',
  stays:
    'Minutes from sitting down to leaving, next to how long the table is held. Evening is from 16:00 on. Very short and very long stays, and tables closed all at once (four or more within 30 seconds before or after one), are left out. Of an even number of parties, the median is the lower of the two in the middle.',
  stay_quarters: 'How long it took until a quarter, and three quarters, of these parties had left.',
  came_back:
    'Guests on file whose first visit was in the days named above, by how they had booked it, and how many of them were here again on another day within 90 days. Guests with visits from before your book are left out.',
  guests_by_first_source: 'Visits of guests on file, by how the guest had booked the first one.',
  campaigns:
    'Campaigns by the date they began to go out: how many mails were sent or failed, who left the list by a link of it, and who complained. Where 100 people or more got it and 100 or more were held back: how many of each made a booking with the same email address within seven days, and how sure the difference is. With fewer, it is too few to tell.',
  ticket_money:
    'Ticket orders by the date of their event. Total, fees and tax are of what was sold, before refunds; discounts include what complimentary tickets would have cost; net is the total less what was refunded or lost to disputes. The Payments page has the days on which money moved. Test payments are left out.',
}
