import type { BookingReason } from '@venue-data/contract/reasons.ts'
import type { Day } from '../../book/day/facts.ts'
import type { GuestDoor } from '../../core/venue/guest-settings-rules.ts'

/** What a sentence about a refused time may say: what is set for it, and how times and numbers are written in the language. */
export type RefusalFacts = Pick<Day, 'limits' | 'rules' | 'place'> & {
  /** Places left in the slot. */
  readonly left: string
  readonly time: (minute: number | null | undefined) => string
  readonly number: (value: number | null) => string
}

/** Every sentence of the pages and mails for guests, in English. Dates, times and numbers arrive as words of the language. */
export const en = {
  name: 'English',
  /** A locale of this language that names a zone by its place, "New York Time"; where there is none, by its long name. */
  zoneLocale: 'en-KE',
  zoneStyle: 'shortGeneric' as 'shortGeneric' | 'longGeneric',
  zone: (place: string): string => place.replace(/ Time$/, ' time'),
  page: {
    skip: 'Skip to the page',
    languages: 'Languages',
    practice: 'Practice instance: nothing here reaches guests.',
    /** Below each page: what is counted of it (docs/operator.md). */
    views: 'This page counts views, not people.',
    allTimes: (zone: string): string => `All times are ${zone}.`,
    directions: 'Directions',
    home: (venue: string): string => `Go to ${venue}`,
    call: (phone: string): string => `Call ${phone}`,
    optional: '(optional)',
    close: 'Close',
    leaveEmpty: 'Leave this field empty',
  },
  gone: {
    title: 'There is nothing here',
    text: 'This page does not exist, or is not open to guests. Check the address, or ask the restaurant.',
  },
  trouble: {
    title: 'That did not work',
    often: 'Too many forms were sent from your network. Please try again in ten minutes, or call.',
    again: 'Please check the form and press the button once more.',
    sum: (one: string, other: string): string => `What is ${one} + ${other}?`,
    sumHint: 'Several forms came from your network, so we ask this to keep bots out.',
    enterSum: 'Answer the question',
  },
  venue: {
    openUntil: (time: string): string => `Open now, until ${time}`,
    closedUntilToday: (time: string): string => `Closed now. Opens today at ${time}`,
    closedUntil: (day: string, time: string): string => `Closed now. Opens ${day} at ${time}`,
    closed: 'Closed now',
    doors: 'What you can do here',
    aside: 'Hours and address',
    hours: 'Hours',
    hoursOf: (zone: string): string => `Hours for the next 7 days, ${zone}`,
    today: (day: string): string => `${day} (today)`,
    closedDay: 'Closed',
    closedOn: (day: string, name: string): string => `Closed ${day} (${name}).`,
    findUs: 'Find us',
    door: {
      book: ['Book a table', 'See which times are open'],
      waitlist: ['Join today’s line', 'For a table as soon as one is free'],
      enquire: ['Plan a private event', 'Tell us what you have in mind'],
      news: ['Get our news', 'By email, now and then'],
      tickets: ['Buy tickets', 'For our events'],
    } satisfies Record<GuestDoor, readonly [string, string]>,
    pausedTitle: 'We are not taking requests online right now',
    pausedCall: 'Please call. We are glad to help by phone.',
    pausedSilent: 'Please try again later.',
    alreadyBooked: 'Already booked? The link in your email still shows your booking and lets you cancel.',
  },
  form: {
    mistakes: (count: number): string =>
      count === 1 ? 'One thing needs fixing' : `${count} things need fixing`,
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    enterName: 'Enter your name',
    enterEmail: 'Enter an email address, like maya@example.com',
    enterPhone: 'Enter a phone number with its area code',
    enterContact: 'Enter a phone number or an email address',
    tooLong: (most: string): string => `Use at most ${most} characters`,
  },
  news: {
    title: (venue: string): string => `News from ${venue}`,
    intro: 'Sign up, confirm by email, and you are on the list.',
    firstName: 'First name',
    birthday: 'Birthday',
    birthdayHint: 'Month and day, like 4/23. For a small surprise.',
    birthdayMonthFirst: true,
    enterBirthday: 'Enter a month and a day, like 4/23',
    topics: 'What interests you?',
    consent: (venue: string): string =>
      `By pressing the button you ask ${venue} to email you its news. You can unsubscribe at any time.`,
    submit: 'Sign me up',
    checkTitle: 'Check your email',
    check: (email: string): readonly [string, string, string] => [
      'If ',
      email,
      ' can join, an email is on its way. Press the button in it, and you are on the list. The link works for 7 days.',
    ],
    checkHint: 'Nothing there after a few minutes? Look in spam, or',
    tryAgain: 'try again',
    confirmTitle: 'One last step',
    confirm: (venue: string, address: string): readonly [string, string, string] => [
      `${venue} will email its news to `,
      address,
      '.',
    ],
    confirmSubmit: 'Yes, send me the news',
    confirmHint: 'Not you? Close this page, and nothing is sent.',
    state: 'Subscribed',
    doneTitle: 'You’re on the list',
    done: 'Every email has a link to choose topics, pause or unsubscribe.',
    oldTitle: 'This link has expired',
    old: 'Links like this one work for 7 days. We can send you a new one.',
    oldSubmit: 'Send a new email',
    againTitle: 'Check your email',
    again: 'If this address can join, a new email is on its way. The link in it works for 7 days.',
  },
  /** What a subscriber chooses by the links of each mail: `/p` and `/u`. */
  mailing: {
    title: (venue: string): string => `Email from ${venue}`,
    head: (venue: string): string => `Your email from ${venue}`,
    whose: (address: string): readonly [string, string, string] => ['For ', address, '.'],
    saved: 'Saved.',
    pause: 'Pause',
    noPause: 'No pause',
    pausedUntil: (date: string): string => `No email until ${date}`,
    pauseFor: (days: string): string => `No email for ${days} days`,
    what: 'What to send',
    birthday: 'Something for my birthday',
    save: 'Save',
    leaveAll: 'Unsubscribe from everything',
    leaveTitle: (venue: string): string => `Unsubscribe from ${venue}`,
    leaveHead: 'Unsubscribe?',
    leaveText: (venue: string, address: string): readonly [string, string, string] => [
      `${venue} will send no more email to `,
      address,
      '.',
    ],
    leave: 'Unsubscribe',
    leaveHint: 'Email about your own bookings is not affected.',
    leftTitle: 'You are unsubscribed',
    left: (venue: string): string =>
      `${venue} will send you no more email. A message already on its way may still arrive.`,
    leftHint: (venue: string): string =>
      `Was this a mistake? You can join the list again with ${venue} at any time.`,
    goneTitle: 'You are not on the list',
    gone: (venue: string): string =>
      `${venue} no longer has this address on its email list and sends nothing to it.`,
  },
  inquire: {
    title: 'Plan a private event',
    intro: 'Tell us what you have in mind. Rough ideas are welcome.',
    event: 'The event',
    you: 'You',
    occasion: 'Occasion',
    choose: 'Choose',
    occasions: ['Birthday', 'Wedding or rehearsal dinner', 'Work dinner', 'Something else'],
    size: 'How many guests?',
    sizeHint: '(a guess is fine)',
    enterSize: 'Enter a number, or words like “about 30”',
    date: 'When?',
    dateWords: 'Or in words',
    dateHint: 'If no day is fixed: “a Friday in May”.',
    budget: 'Budget per guest',
    style: 'Style',
    styles: ['Not sure yet', 'Seated dinner', 'Standing, small plates', 'The whole house'],
    diet: 'Dietary needs',
    more: 'Tell us more',
    submit: 'Send my inquiry',
    submitHint: 'This does not book anything. We answer by email.',
    sentState: 'Sent',
    sentTitle: (name: string): string => `Thank you, ${name}`,
    sent: (email: string): readonly [string, string, string] => [
      'Your inquiry is with our events team. We are sending a copy to ',
      email,
      ' and will answer there. Nothing is booked yet.',
    ],
  },
  book: {
    title: 'Book a table',
    slip: 'Your booking so far',
    slipDone: 'Your booking',
    guests: 'Guests',
    date: 'Date',
    time: 'Time',
    howMany: 'How many guests?',
    enterSize: (least: string, most: string): string => `Choose from ${least} to ${most} guests`,
    guestsHidden: (count: number): string => (count === 1 ? ' guest' : ' guests'),
    more: (most: string): string => `More than ${most}? Please call`,
    moreSilent: (most: string): string => `We take up to ${most} guests here.`,
    around: 'Around',
    show: 'Show',
    otherTimes: (day: string): string => `More times on ${day}`,
    earlier: 'Earlier days',
    later: 'Later days',
    daysFor: (month: string, guests: string): string => `${month}, days for a party of ${guests}`,
    notOpen: 'no times to book',
    hasTables: 'has tables',
    todayHasTables: 'today, has tables',
    full: 'full',
    closed: 'closed',
    keyOpen: 'Has tables',
    keyFull: 'Full',
    keyClosed: 'No times',
    zoned: (zone: string): string => `All times are ${zone}.`,
    afterMidnight: 'After midnight',
    afterMidnightHint: (next: string, evening: string): string =>
      `Early ${next}. Part of ${evening} evening.`,
    fullTitle: (day: string): string => `${day} is full`,
    fullText: (guests: string): string =>
      `No table for ${guests} is left at any time that day. These are the nearest that are open:`,
    fullNone: (guests: string): string =>
      `No table for ${guests} is left at any time that day or on the days around it.`,
    noTimes: 'There are no times to book on this day.',
    nearest: 'These are the nearest times that are open:',
    anotherDay: 'Choose another day',
    held: (until: string): string => `Held for you until ${until}`,
    details: 'Your details',
    emailHint: 'For your confirmation and any change.',
    phoneHint: 'Only if we need you on the day.',
    occasion: 'Occasion',
    occasions: ['None', 'Birthday', 'Anniversary', 'Business', 'Something else'],
    seating: 'Where would you like to sit?',
    seat: 'Seating',
    /** A place that was asked for and not promised. */
    seatWish: (place: string): string => `${place}, if we can`,
    seatings: ['No preference', 'Inside', 'Outside', 'At the bar'],
    note: 'Anything we should know?',
    noteHint:
      'Allergies, a high chair, step-free access. We read every note, though we can’t promise everything.',
    news: (venue: string): string =>
      `Email me ${venue}’s news and invitations. I can unsubscribe at any time.`,
    before: 'Before you book',
    /** A moment as the sentences that follow name it. */
    moment: (time: string, day: string): string => `${time} on ${day}`,
    limit: (until: string): string => `You can change or cancel with the link in your email until ${until}.`,
    request: 'Request this table',
    requestHint: (venue: string): string =>
      `${venue} confirms each request personally. You’ll hear back by email.`,
    book: 'Book this table',
    extend: 'Keep it 5 more minutes',
    endedTitle: 'The hold has ended',
    ended: 'Your details are kept and the table may still be free. Press the button and we will look again.',
    takenTitle: (time: string): string => `${time} can no longer be booked`,
    taken: 'Nothing was booked. Your details are still here; choose another time to go on:',
    takenNone: 'Nothing was booked, and no other time near it is open.',
    requested: 'Requested',
    requestedTitle: 'We have your request',
    requestedText: (venue: string, email: string): readonly [string, string, string] => [
      `It is not confirmed yet. ${venue} answers personally and will write to `,
      email,
      ' either way.',
    ],
    confirmed: 'Confirmed',
    confirmedTitle: (day: string, name: string): string => `See you ${day}, ${name}`,
    confirmedText: (guests: string, email: string): readonly [string, string, string] => [
      `A table for ${guests} is yours. We are sending all of this to `,
      email,
      '.',
    ],
    cancelled: 'Cancelled',
    arrived: 'You’re here',
    over: 'This visit is over',
    number: 'Booking number',
    name: 'Name',
    when: 'When',
    /** Of a booking that has its table for less than the usual time. */
    until: 'Your table until',
    where: 'Where',
    yourNote: 'Your note',
    goodToKnow: 'Good to know',
    calendar: 'Calendar file (.ics)',
    keep: 'Keep it handy',
    again: 'Book another table',
    change: 'Change booking',
    cancel: 'Cancel booking',
    plans: 'Change of plans?',
    plansUntil: (until: string): string =>
      `You can change or cancel here until ${until}. After that, please call.`,
    plansOver: (since: string): string =>
      `Online changes closed ${since}. Please call; even a last-minute call helps.`,
    resend: 'Email me this again',
    resent: 'We’ve sent it again, unless we sent one in the last ten minutes.',
    noteAdd: 'Add a note for the restaurant',
    noteAddHint: 'Allergies, a late arrival, a high chair. It is added to what you wrote before.',
    noteSave: 'Add the note',
    noteSaved: 'Your note was added.',
    coming: 'We’re coming',
    comingSaved: 'Thank you. The restaurant knows that you are coming.',
    tableOn: (day: string): string => `Your table on ${day}`,
    cancelTitle: (day: string): string => `Cancel your table on ${day}?`,
    cancelText:
      'The table goes to someone else. This cannot be undone here, but you are welcome to book again.',
    cancelYes: 'Yes, cancel it',
    cancelNo: 'Keep my table',
    cancelledTitle: 'Your booking is cancelled',
    cancelledText: 'Thank you for telling us.',
    declinedText: 'The restaurant could not take this booking.',
    changeTitle: 'What should change?',
    changeText: 'Nothing changes until you press the last button.',
    callTitle: 'Please call for this change',
    callText:
      'Many bookings for that day came from your network, so we make this change by phone. Your booking is as it was.',
    changeKept: 'Your booking is as it was. Choose another time:',
    timesOn: (day: string): string => `Time on ${day}`,
    keepAsIs: 'Keep my booking as it is',
    askTitle: 'Ask for this change?',
    askNow: 'Change your booking?',
    staysTitle: (time: string): string => `Your table at ${time} stays yours`,
    stays: (venue: string): string =>
      `${venue} confirms changes personally. Until it says yes, you keep your booking as it is. If it does not answer in time, the change simply lapses. You can withdraw it at any time.`,
    appliesTitle: 'This changes at once',
    applies: 'When you press the button, your booking changes to this.',
    ask: 'Ask for this change',
    apply: 'Change my booking',
    pendingTitle: (what: string): string => `You asked for ${what}`,
    pending: (venue: string, time: string): string =>
      `Waiting for ${venue}. Your table at ${time} is still yours. You’ll hear back by email.`,
    withdraw: 'Withdraw the change',
    guestsAt: (guests: string, time: string): string =>
      guests === '1' ? `1 guest at ${time}` : `${guests} guests at ${time}`,
  },
  /** A booking that its guest makes by a link in a mail. */
  proof: {
    state: 'Not booked yet',
    askedTitle: 'Check your email',
    asked: (email: string, minutes: string): readonly [string, string, string] => [
      'We are sending a link to ',
      email,
      `. Open it within ${minutes} minutes and press the button there: that makes the booking.`,
    ],
    why: 'Many bookings for that day came from your network, so we ask for one more step. Or call, and we book for you.',
    notThere: 'If no email is there within a few minutes, nothing is booked yet: please call.',
    pressTitle: 'Press once more to book',
    press: 'Nothing is booked until you press the button.',
    overTitle: 'This link has expired',
    over: (minutes: string): string =>
      `It worked for ${minutes} minutes. Nothing was booked; please choose your table again.`,
    subject: (venue: string, when: string): string => `One more press: ${venue}, ${when}`,
    mail: (minutes: string): string =>
      `Nothing is booked yet. Open the page and press the button there within ${minutes} minutes.`,
    button: 'Go on to book',
    foot: 'If you did not ask for a table, do nothing, and nothing is booked.',
  },
  line: {
    title: 'Join today’s line',
    intro: 'No table right now? Put your name down and take a walk. This page tells you when it’s your turn.',
    wait: (guests: string): string => `Wait for ${guests} right now`,
    about: (minutes: string): string => `About ${minutes} min`,
    ahead: (count: number, parties: string): string =>
      count === 0
        ? 'Nobody is ahead of you.'
        : count === 1
          ? 'One party is ahead of you.'
          : `${parties} parties are ahead of you.`,
    guess: 'This is our best guess, not a promise.',
    orEmail: '(or email)',
    orPhone: '(or phone)',
    contactHint: 'Phone or email, one is enough. We use it only for today’s table.',
    submit: 'Join the line',
    how: 'How it works',
    howText: (last: string, minutes: string): string =>
      `The line is open until ${last}, the last arrival today. When your table is ready, we tell you, and you have ${minutes} minutes to come.`,
    sure: 'Rather be sure?',
    sureLink: 'Book for another day',
    longerTitle: 'The wait just got longer',
    longer: (minutes: string): string =>
      `It is about ${minutes} minutes now. You are not in line yet; press the button again to join.`,
    notYetTitle: 'The line is not open yet',
    notYetToday: (time: string): string => `It opens at ${time} today.`,
    notYet: (day: string, time: string): string => `It opens on ${day} at ${time}.`,
    closedTitle: 'The line is closed',
    bookAnyTime: 'You can book a table at any time.',
    state: 'In line',
    readyState: 'Table ready',
    nextTitle: (name: string): string => `You’re next, ${name}`,
    placeTitle: (place: string, name: string): string => `You’re number ${place} in line, ${name}`,
    slip: 'Your place in line',
    place: 'Place',
    joined: 'Joined',
    ready: 'Ready',
    left: 'Left to wait',
    said: (minutes: string, at: string): string => `We said about ${minutes} minutes at ${at}.`,
    updated: (at: string): string => `Updated at ${at}. This page keeps itself up to date.`,
    lateTitle: 'This is taking longer than we said',
    late: (minutes: string, waited: string): string =>
      `We said about ${minutes} minutes; it has been ${waited}. Sorry about that.`,
    coming: 'We’re on our way',
    comingHint: '“On our way” tells the host you are coming. It does not change your place.',
    comingSaved: 'Thank you. The host knows that you are on your way.',
    leave: 'Leave the line',
    readyTitle: 'Your table is ready',
    until: (time: string): string => `Until ${time}`,
    readyText: 'Please come to the host stand by then. After that it is the next party’s turn.',
    cannot: 'We can’t make it',
    leaveTitle: 'Leave the line?',
    leaveText: 'You’d give up your place. If you rejoin, you start at the end of the line.',
    leaveYes: 'Yes, leave',
    leaveNo: 'Stay in line',
    leftTitle: 'You’ve left the line',
    leftText: 'Thanks for letting us know. We hope to see you another time.',
    expiredTitle: 'Your place in line has ended',
    expiredText:
      'We called you for a table, and the time to come has passed. It is the next party’s turn now.',
    noTableTitle: 'No table was ready in time',
    noTableText: 'The wait is over, and we could not call you for a table. We’re sorry.',
    seatedTitle: 'Enjoy your meal',
    seatedText: 'You have your table.',
    bookedTitle: 'You have a table',
    bookedText: (day: string, time: string): string => `We expect you on ${day} at ${time}.`,
  },
  list: {
    ifFull: 'Tell me if a full time opens up',
    title: (weekday: string): string => `Or wait for ${weekday}`,
    intro: (minutes: string): string =>
      `If a table opens up, we offer it by email to one party at a time, in the order people joined. An offer is yours for ${minutes} minutes. No promises: some days nothing opens up.`,
    earliest: 'Earliest',
    latest: 'Latest',
    enterWindow: 'Choose a latest time that is not before the earliest',
    enterFull: (time: string): string =>
      `A table is open at ${time}: book it, or choose only times that are full`,
    submit: (weekday: string): string => `Join the list for ${weekday}`,
    state: 'On the list',
    joinedTitle: (day: string): string => `You’re on the list for ${day}`,
    joinedText: (email: string): readonly [string, string, string] => [
      'If a table opens up in the time you chose, we offer it to you at ',
      email,
      '. Nothing is booked yet.',
    ],
    leave: 'Leave the list',
    leaveTitle: 'Leave the list?',
    leaveText: 'If you join again, you start at the end of the list.',
    leaveNo: 'Stay on the list',
    leftTitle: 'You’ve left the list',
    offeredState: 'From the list',
    offeredTitle: 'A table opened up',
    offered: (until: string): string =>
      `It is held for you until ${until}. After that it goes to the next party.`,
    take: 'Take the table',
    no: 'No, thanks',
    noTitle: 'Give this table up?',
    noText: 'It goes to the next party on the list. To wait for another time, join the list again.',
    noYes: 'Yes, give it up',
    noNo: 'Back to the offer',
    overTitle: 'This offer has ended',
    overText: 'The table was held as long as we said, and then went to the next party.',
    noneTitle: 'No table opened up',
    noneText: 'No table opened up in the time you chose. We’re sorry, and hope to see you another day.',
  },
  tickets: {
    title: 'Your tickets',
    /** How many, as a word of the language and as a number. */
    counted: (count: string): string => (count === '1' ? '1 ticket' : `${count} tickets`),
    show: 'Show a code at the door, on this screen or on paper. Each ticket lets one person in, once.',
    ticket: (number: string, all: string): string => `Ticket ${number} of ${all}`,
    code: (number: string): string => `QR code of ticket ${number}`,
    order: 'Your order',
    event: 'Event',
    seats: 'Seats',
    number: 'Order number',
    paid: 'Paid',
    unpaid: 'Not paid yet',
    unpaidText: 'Your tickets are here as soon as the restaurant has your payment.',
    refunded: 'Refunded',
    refundedPart: 'Partly refunded',
    stayValid: (seats: string): string =>
      seats === '1' ? 'Your ticket stays valid.' : `Your ${seats} tickets stay valid.`,
    refundedText: 'This order was refunded, so its tickets are no longer valid.',
    lost: 'Taken back by your bank',
    lostText: 'Your bank took this payment back after a dispute, so its tickets are no longer valid.',
    cancelled: 'Cancelled',
    cancelledText: 'This order was cancelled, so its tickets are no longer valid.',
    used: (time: string): string => `Used at ${time}`,
    void: 'No longer valid: this seat was returned',
    /** The buyer’s bank did, after a dispute. */
    voidTaken: 'No longer valid: the payment for this seat was taken back',
    allReturned: 'Returned',
    allReturnedText: 'All seats of this order were returned, so its tickets are no longer valid.',
    returning: 'Being returned',
    pdf: 'Tickets to print (PDF)',
    returnTitle: 'Return seats',
    returnText: (until: string): string =>
      `Until ${until} you can return seats here. Before you do, you see how much goes back to your card.`,
    returnShow: 'See what comes back',
    returnSum: (seats: string, money: string): string =>
      `${seats === '1' ? '1 ticket' : `${seats} tickets`} will no longer be valid, and ${money} goes back to your card.`,
    returnPress: 'Return now',
    returned: 'Done. The money is on its way back to your card.',
    returnChanged: 'These seats can no longer be returned like that. This is how your order is now.',
    returnByVenue: 'To return seats of this order, please contact the restaurant. It refunds you itself.',
  },
  refusals: {
    'in-the-past': ['passed', (): string => 'Times that have passed can no longer be booked.'],
    closed: ['closed', (): string => 'The restaurant is closed then.'],
    'outside-hours': ['closed', (): string => 'We don’t seat guests at that time.'],
    blocked: ['closed', (times: string): string => `No bookings: ${times}.`],
    'same-day-cutoff': [
      'too late',
      (_times: string, { limits, time }: RefusalFacts): string =>
        `Bookings for today closed at ${time(limits.sameDayCutoffMinute)}.`,
    ],
    'party-too-small': [
      'too few',
      (_times: string, { limits, number }: RefusalFacts): string =>
        `This service takes parties of ${number(limits.minParty)} or more.`,
    ],
    'party-too-large': [
      'too many',
      (_times: string, { limits, number }: RefusalFacts): string =>
        `This service takes parties of up to ${number(limits.maxParty)}. Please call for more.`,
    ],
    'too-short-notice': [
      'too soon',
      (_times: string, { rules, number }: RefusalFacts): string =>
        `Bookings need at least ${number(rules.minNoticeMinutes)} minutes’ notice.`,
    ],
    'too-far-ahead': [
      'too early',
      (_times: string, { rules, number }: RefusalFacts): string =>
        `Bookings open ${number(rules.maxDaysAhead)} days ahead.`,
    ],
    'after-last-arrival': [
      'too late',
      (_times: string, { place, time }: RefusalFacts): string =>
        `The last arrival is ${time(place.period?.lastArrivalMinute)}.`,
    ],
    'not-a-seating-time': ['no seating', (): string => 'That is not a seating time.'],
    'pacing-covers-full': [
      'full',
      (times: string, { left }: RefusalFacts): string =>
        left === '0'
          ? `Fully booked: ${times}.`
          : left === '1'
            ? `Only 1 seat left at ${times}.`
            : `Only ${left} seats left at ${times}.`,
    ],
    'pacing-parties-full': ['full', (times: string): string => `Fully booked: ${times}.`],
    'tables-full': ['no table', (times: string): string => `No table is left: ${times}.`],
    'experience-full': ['fully booked', (times: string): string => `Fully booked: ${times}.`],
  } satisfies Record<BookingReason, readonly [string, (times: string, facts: RefusalFacts) => string]>,
  left: (count: string): string => `${count} left`,
  /** Tickets for events, and paying for them. */
  sale: {
    title: 'Tickets',
    none: 'No tickets are on sale right now.',
    atVenue: 'Tickets are sold at the restaurant.',
    soon: 'Online payment is back soon. Please try again later, or call.',
    choose: 'Choose a date',
    date: 'Date',
    each: (price: string): string => `${price} each`,
    free: 'Free',
    soldOut: 'Sold out',
    few: (left: string): string => `Only ${left} left`,
    count: 'Number of tickets',
    code: 'Promo code',
    show: 'Show the total',
    one: '1 ticket',
    more: (count: string): string => `${count} tickets`,
    discount: 'Discount',
    fee: 'Fee',
    tax: 'Tax',
    total: 'Total',
    you: 'Your details',
    first: 'First name',
    last: 'Last name',
    pay: (total: string): string => `Pay ${total}`,
    payHint: 'You pay on Stripe’s secure page. The restaurant never sees your card.',
    get: 'Get the tickets',
    changed: (total: string): string =>
      `The price has changed: it is now ${total}. Please check, then press the button again.`,
    badCode: 'This code does not apply here.',
    left: (left: string): string => `Only ${left} left for this date.`,
    closed: 'Tickets for this date are no longer sold online.',
    small: (least: string): string => `At least ${least} can be paid online. Please call the restaurant.`,
    many: 'You have other payments open. Finish them or give them up first.',
    badCount: (most: string): string => `Choose 1 to ${most} tickets.`,
    momentTitle: 'One moment',
    moment: 'The payment page is being opened.',
    openTitle: 'Not paid yet',
    open: (time: string): string => `Your tickets are kept for you until ${time}.`,
    goOn: 'Go on paying',
    giveUp: 'Give it up',
    confirmTitle: 'Almost there',
    confirm: 'We are confirming your payment; do not pay again.',
    mailed: 'They were sent to your email address: use the link in the newest mail.',
    refusedTitle: 'Your money is on its way back',
    full: 'The tickets were gone by the time your payment arrived.',
    used: 'The code was used up by the time your payment arrived.',
    over: 'The event was over by the time your payment arrived.',
    back: 'The whole amount goes back to your card; this takes a few days.',
    endedTitle: 'Nothing was bought',
    late: 'The time to pay ran out. No money was taken.',
    unpaid: 'The payment did not go through. No money was taken.',
    givenUp: 'You gave it up. No money was taken.',
    away: 'The payment page could not be opened. No money was taken.',
    again: 'Choose tickets again',
  },
  /** What is booked with a time: a menu, a counter, a tasting. */
  experience: {
    title: 'What would you like to book?',
    enter: 'Choose one of these',
    gone: 'What you chose is gone by now. Please choose again; your details are kept.',
    goOn: 'Continue',
    other: 'Choose something else',
    /** Beside what was booked. */
    label: 'Your choice',
  },
  secure: {
    card: 'Card on file',
    deposit: 'Deposit',
    prepaid: 'Paid in advance',
    perGuest: (amount: string): string => `${amount} a guest`,
    cardFree: (until: string, amount: string): string =>
      `Cancel by ${until} and nothing is charged; after that, or if nobody comes, ${amount}.`,
    cardNow: (amount: string): string => `If you cancel or nobody comes, ${amount}.`,
    depositFree: (total: string, until: string): string =>
      `You pay ${total} in advance. Cancel by ${until} and it all goes back; after that, or if nobody comes, the restaurant keeps it.`,
    depositNow: (total: string): string =>
      `You pay ${total} in advance. If you cancel or nobody comes, the restaurant keeps it.`,
    /** Beside a sentence that names another moment. */
    freeUntil: (until: string): string => `Free cancellation until ${until}.`,
    withCard: 'Continue with a card',
    cardHint:
      'You enter your card on Stripe’s secure page. The restaurant never sees it, and nothing is charged now.',
    changed: 'What is asked for has changed. Please read it, then press the button again.',
    /** A network holds as many as it may. */
    busy: 'Several tables are being held from your network right now. Please try again in a few minutes, or call the restaurant.',
    kept: (time: string): string => `Your table is kept for you until ${time}.`,
    full: 'The table was gone by the time your payment arrived.',
    fullCard: 'The table was gone by the time your card arrived.',
    /** For a table or a card that was under way. */
    closed: 'Meanwhile the restaurant stopped taking bookings for that time.',
    over: 'Service was over by then.',
    refusedCard: 'Your table could not be booked',
    backCard: 'Nothing is charged, and your card is deleted.',
    ended: 'Nothing was booked',
    again: 'Choose a time again',
    /** Of a card, which pays nothing. */
    openCard: 'Not booked yet',
    goOnCard: 'Go on with your card',
    confirmCard: 'We are confirming your card; do not enter it again.',
    /** Its account with the processor ended meanwhile. */
    notOnline: 'This table can no longer be booked online. Please call the restaurant.',
    cancelCard: 'Nothing is charged, and your card is deleted.',
    cancelDeposit: (amount: string): string => `${amount} goes back to your card; this takes a few days.`,
    lateCard: (amount: string): string =>
      `The time to cancel free of charge is over: the restaurant may charge ${amount}.`,
    lateDeposit: (amount: string): string =>
      `The time to cancel free of charge is over: the restaurant keeps ${amount}.`,
    /** Said before a change of the party is pressed. */
    changeBack: (amount: string): string =>
      `With this change, ${amount} goes back to your card; this takes a few days.`,
    changeAtMost: (amount: string): string =>
      `With this change, the restaurant may charge ${amount} at most.`,
    /** Where it is more than what was agreed on for each guest. */
    atMost: (amount: string): string => `The restaurant may charge ${amount} at most.`,
    changeDue: (amount: string): string =>
      `With this change, ${amount} is due. You pay it on your booking’s page afterwards.`,
    changeAgree: (amount: string): string =>
      `With this change, the restaurant asks you to agree to ${amount} at most. You do so on your booking’s page afterwards.`,
    cardUntil: (day: string): string => `Your card is deleted on ${day}.`,
    cardGone: 'Your card has been deleted.',
    paid: (amount: string): string => `${amount} paid`,
    /** After a late cancellation, or when nobody came. */
    keeps: (amount: string): string => `The restaurant keeps ${amount}.`,
    back: (amount: string): string => `${amount} went back to your card.`,
    /** The sum of more than one. */
    backInAll: (amount: string): string => `${amount} in all went back to your card.`,
    /** By hand, as the card took nothing back. */
    backByHand: (amount: string): string => `The restaurant gave ${amount} back to you another way.`,
    onWay: (amount: string): string => `${amount} is on its way back to your card.`,
    /** A bank disputes the payment: nothing is sent until that is decided. */
    waits: (amount: string): string =>
      `${amount} is to go back to your card. Your bank is looking into this payment, so it can only be sent once that is decided.`,
    /** A dispute that the venue lost. */
    lost: (amount: string): string => `Your bank took ${amount} back from the restaurant, after a dispute.`,
    /** A refund that did not arrive. */
    stuck: (amount: string): string =>
      `${amount} could not be sent back to your card. The restaurant will write to you.`,
    charged: (amount: string): string => `${amount} was charged.`,
    /** The same as a title. */
    chargedTitle: (amount: string): string => `${amount} was charged`,
  },
  /** A card or a deposit that staff ask for, of a booking that is there. */
  asked: {
    title: 'Please secure your table',
    text: (venue: string): string => `${venue} asks you to secure this booking.`,
    /** Of a party that has grown. */
    moreTitle: 'There is something to add',
    moreText: (venue: string): string => `Your party has grown, so ${venue} asks for the difference.`,
    /** Of a card that is there: its guest only agrees. */
    moreCard: (venue: string, amount: string): string =>
      `Your party has grown. ${venue} asks you to agree that up to ${amount} may be charged; nothing is charged now.`,
    by: (until: string): string => `Please do so by ${until}.`,
    agree: 'I agree',
    notYet: 'Not secured yet',
    /** What a card was to be charged, and its bank wants the guest for. */
    feeTitle: (amount: string): string => `Please pay ${amount}`,
    feeText: 'Your bank wants you to approve this payment, so your card could not be charged without you.',
    doneTitle: 'Your table is secured',
    doneText: 'Thank you. There is nothing more to do.',
    noMore: 'The restaurant no longer asks for this.',
    /** Money that did not come through the processor. */
    otherwise: (amount: string): string => `The restaurant itself gives ${amount} back to you.`,
    openUntil: (time: string): string => `You can do this here until ${time}.`,
    booking: 'To your booking',
  },
  /** A press that nobody could look at, such as in a rush. */
  busy: {
    title: 'One moment, please',
    text: 'We cannot answer right now, probably because very many people are here at once. Wait a few seconds, then go back and press the button again.',
  },
  lost: {
    title: 'We can’t find anything at this link',
    text: 'It may have ended, or part of the link is missing. Your email has the full link.',
  },
  /** Texts, in the letters every phone has. */
  text: {
    ready: (until: string): string => `Your table is ready. We hold it until ${until}.`,
    /** Where no table is held: the offer ends all the same. */
    comeBy: (until: string): string => `Your table is ready. Please come to the host stand by ${until}.`,
    /** Added where they have the table for a while only. */
    yours: (until: string): string => `The table is yours until ${until}.`,
    /** After one of these, to a party that waits again. */
    back: 'You are back in line. We text you when your table is ready.',
    stop: 'Reply STOP for no more texts.',
  },
  mail: {
    booking: {
      bookingReceived: {
        subject: (venue: string, when: string): string => `Requested: ${venue}, ${when}`,
        title: 'We have your request',
        text: (venue: string): string =>
          `It is not confirmed yet. ${venue} answers personally and will write to you either way.`,
      },
      bookingConfirmed: {
        subject: (venue: string, when: string): string => `Confirmed: ${venue}, ${when}`,
        title: 'Your table is confirmed',
        text: (): string => 'The calendar file is attached.',
      },
      bookingDeclined: {
        subject: (venue: string, when: string): string => `Not possible: ${venue}, ${when}`,
        title: 'Sorry, this did not work out',
        text: (venue: string): string =>
          `${venue} could not take your request. You are welcome to ask for another time.`,
      },
      bookingChanged: {
        subject: (venue: string, when: string): string => `Changed: ${venue}, ${when}`,
        title: 'Your booking has changed',
        text: (): string => 'This is how it stands now.',
      },
      bookingChangeDeclined: {
        subject: (venue: string, when: string): string => `Unchanged: ${venue}, ${when}`,
        title: 'Your booking stays as it was',
        text: (venue: string): string =>
          `${venue} could not make the change you asked for. Your table is still yours.`,
      },
      bookingCancelled: {
        subject: (venue: string, when: string): string => `Cancelled by the restaurant: ${venue}, ${when}`,
        title: 'Your booking was cancelled',
        text: (venue: string): string => `${venue} had to cancel it. We are sorry.`,
      },
      bookingCancelledByGuest: {
        subject: (venue: string, when: string): string => `Cancelled: ${venue}, ${when}`,
        title: 'Your booking is cancelled',
        text: (): string => 'Thank you for telling us.',
      },
      bookingReminder: {
        subject: (venue: string, when: string): string => `Reminder: ${venue}, ${when}`,
        title: 'See you soon',
        text: (): string => 'We look forward to your visit. If your plans have changed, please tell us now.',
      },
      bookingLink: {
        subject: (venue: string, when: string): string => `Your booking: ${venue}, ${when}`,
        title: 'Your booking',
        text: (): string => 'With the link below you can see your booking, change it or cancel it.',
      },
      bookingStranded: {
        subject: (venue: string, when: string): string => `About your booking: ${venue}, ${when}`,
        title: 'About your booking',
        text: (venue: string): string => `${venue} writes to you about your booking:`,
      },
    },
    calendarTitle: (venue: string, guests: string): string => `${venue}, table for ${guests}`,
    /** What staff may send as it is to guests whose booking was left without a service. */
    strandedSorry:
      'We are sorry: we cannot welcome you at the time you booked. Choose another time with the link below, or call us.',
    /** Only where a file goes along that does. */
    offCalendar: 'The attached file takes it off your calendar.',
    changeOrCancel: 'Change or cancel',
    changeUntil: (until: string): string => `You can change or cancel online until ${until}.`,
    seeBooking: 'See my booking',
    cancelLink: 'Cancel the booking',
    own: 'You’re getting this email because this address was given with a booking or a request.',
    reply: 'To reach the restaurant, just reply.',
    inquirySubject: (venue: string): string => `Your inquiry to ${venue}`,
    inquiryTitle: (name: string): string => `Thank you, ${name}`,
    inquiry: 'We have your inquiry and will answer at this address. Nothing is booked yet.',
    line: {
      joinedSubject: (venue: string): string => `You’re in line at ${venue}`,
      joinedTitle: 'You’re in line',
      joined: (minutes: string): string =>
        `We said about ${minutes} minutes. The page below shows your place and tells you when your table is ready.`,
      unquoted: 'The page below shows your place and tells you when your table is ready.',
      readySubject: (venue: string): string => `Your table is ready at ${venue}`,
      ready: (until: string): string =>
        `We hold it until ${until}. Please come to the host stand by then; after that it goes to the next party.`,
      /** Where no table is held: the offer ends all the same. */
      comeBy: (until: string): string =>
        `Please come to the host stand by ${until}; after that it is the next party’s turn.`,
      see: 'See my place in line',
    },
    list: {
      joinedSubject: (venue: string, day: string): string => `On the list: ${venue}, ${day}`,
      joined: 'If a table opens up in the time you chose, we write to you. Nothing is booked yet.',
      see: 'See my place on the list',
      offeredSubject: (venue: string, when: string): string => `A table opened up: ${venue}, ${when}`,
      offered: (name: string, until: string): string =>
        `Hi ${name}, you are next on the list. This table is held for you until ${until}.`,
      foot: 'After that it is offered to the next party. To wait for another time that day, say no and join the list again.',
      lapsedSubject: (venue: string, day: string): string => `Offer ended: ${venue}, ${day}`,
      lapsed: (name: string): string =>
        `Hi ${name}, we held a table for you as long as we said and did not hear from you. It is now offered to the next party, and you are no longer on the list.`,
      lapsedFoot: 'If that day is still full, you can join the list again on its page.',
    },
    tickets: {
      subject: (event: string, when: string): string => `Your tickets: ${event}, ${when}`,
      text: 'Show a code at the door, on your phone or on paper. The PDF with all of them is attached.',
      button: 'See my tickets',
      own: 'You’re getting this email because this address was given with an order for tickets.',
    },
    newsSubject: (venue: string): string => `Please confirm: news from ${venue}`,
    newsReminderSubject: (venue: string): string => `Still interested? News from ${venue}`,
    newsTitle: 'One last step',
    newsReminderTitle: 'Still interested?',
    news: (venue: string): string =>
      `Someone, probably you, signed up this address for news from ${venue}. To confirm, open the page and press the button there.`,
    newsReminder: (venue: string): string =>
      `You signed up for news from ${venue} but have not confirmed yet. This is the only reminder.`,
    newsButton: 'Confirm my sign-up',
    newsFoot:
      'The link works for 7 days. If you did not ask for this, do nothing: one reminder follows, and then nothing more is sent.',
    newsReminderFoot:
      'The link works for 7 days. If you did not ask for this, do nothing, and nothing more is sent.',
    newsOwn: 'You’re getting this email because someone signed up this address for news.',
  },
}
export type Words = typeof en
