/*
 * Files in the form of other products' exports, written by hand. Only Square publishes the headings of its customer list;
 * those of the others are known from use. Nobody gave us a real file: headings differ by plan, country and year, and what is
 * not known is asked.
 *
 * In every file `Staffword…` is what staff wrote, `Askedword…` what the guest asked for, and `Leftword…` what has no place.
 */

export type ProductFile = {
  readonly product: string
  readonly kind: 'guests' | 'reservations'
  readonly text: string
  /** Columns that the owner is asked about. */
  readonly asked: readonly string[]
}

const csv = (...rows: readonly string[]): string => `${rows.join('\r\n')}\r\n`

export const productFiles: readonly ProductFile[] = [
  {
    product: 'OpenTable',
    kind: 'guests',
    text: csv(
      'First Name,Last Name,Phone Number,Email,Birthday,Guest Tags,Guest Notes,Dietary Restrictions,Completed Visits,No Shows,Cancellations,Last Visit,Company,Lifetime Spend,Email Marketing Opt-In',
      'Maya,Okafor,+12125550100,maya@example.com,"Apr 12, 1980",VIP;Wine list,Staffword1 likes the bar,Peanuts,12,1,2,"Oct 2, 2026",Leftword1 Inc,$1200.00,Yes',
    ),
    asked: ['Company'],
  },
  {
    product: 'OpenTable',
    kind: 'reservations',
    text: csv(
      'Visit Date,Visit Time,Party Size,Status,Guest First Name,Guest Last Name,Phone Number,Email,Table,Confirmation Number,Guest Requests,Visit Notes,Guest Notes,Guest Tags,Server,Source,Created Date',
      '"Oct 20, 2026",7:30:00 PM,4,Booked,Maya,Okafor,(212) 555-0100,maya@example.com,12,2110,Askedword1 a booth,Staffword2 press,Staffword1 likes the bar,Regular,Ann,OpenTable app,"Oct 1, 2026"',
      '"Sep 20, 2026",7:30:00 PM,2,Done,,,,,3,2111,,Staffword3 sat at the bar,,,Ann,Walk-in,"Sep 20, 2026"',
      '"Sep 21, 2026",7:30:00 PM,0,Cancelled by Guest,Omar,Haddad,,omar@example.com,,2112,,,,,,OpenTable app,"Sep 1, 2026"',
    ),
    asked: [],
  },
  {
    product: 'Resy',
    kind: 'guests',
    text: csv(
      'First Name,Last Name,Email,Phone,VIP,Tags,Notes,Allergies,Visits,Last Visit,Birthday,Total Spend,Venue Opt-In',
      'Maya,Okafor,maya@example.com,+1 212-555-0100,Y,"Wine list, Neighbor",Staffword1 window,Peanuts,12,2026-10-02,1980-04-12,1200,Y',
    ),
    asked: [],
  },
  {
    product: 'Resy',
    kind: 'reservations',
    text: csv(
      'Date,Time,Party Size,First Name,Last Name,Email,Phone,Status,Table,Service,Special Request,Visit Note,Guest Notes,Allergies,Occasion,Tags,Booked Via,Confirmation Code',
      '2026-10-20,7:30 PM,4,Maya,Okafor,maya@example.com,+1 212-555-0100,Confirmed,12,Dinner,Askedword1 booth,Staffword2 press,Staffword1 window,Peanuts,Birthday,Wine list,Resy.com,R-1',
    ),
    asked: [],
  },
  {
    product: 'SevenRooms',
    kind: 'guests',
    text: csv(
      'First Name,Last Name,Email,Phone Number,Client Tags,Client Notes,Birthday Month,Birthday Day,Dietary Restrictions,Total Visits,Total No Shows,Total Cancellations,Last Visit,Total Spend,Gender,Marketing Opt In',
      'Maya,Okafor,maya@example.com,+12125550100,VIP|Wine list,Staffword1 corner,4,12,Peanuts,12,1,2,10/02/2026,1200,Leftword1,true',
    ),
    asked: ['Gender'],
  },
  {
    product: 'SevenRooms',
    kind: 'reservations',
    text: csv(
      'Reservation Date,Arrival Time,Shift,Covers,Client Name,Phone Number,Email,Status,Table Numbers,Reference Code,Client Requests,Reservation Notes,Client Notes,Client Tags,Reservation Tags,Booked By,Duration,Created',
      '10/20/2026,7:30 PM,Dinner,4,Maya Okafor,+12125550100,maya@example.com,Confirmed,12,SR1,Askedword1 booth,Staffword2 press,Staffword1 corner,Wine list,Staffword4,Ann,120,10/01/2026',
    ),
    asked: [],
  },
  {
    product: 'Tock',
    kind: 'guests',
    text: csv(
      'First name,Last name,Email,Phone,Guest tags,Guest notes,Dietary restrictions,Birthday,Visits,Last visit,Total spend,Zip code,Opt-in',
      'Maya,Okafor,maya@example.com,+1 (212) 555-0100,Wine list,Staffword1 quiet,Peanuts,April 12,12,2026-10-02,1200,Leftword1,true',
    ),
    asked: ['Zip code'],
  },
  {
    product: 'Tock',
    kind: 'reservations',
    text: csv(
      'Reservation date,Reservation time,Party size,First name,Last name,Email,Phone,Status,Experience,Table names,Confirmation number,Guest request,Visit notes,Guest notes,Dietary notes,Guest tags,Server,Total',
      '2026-10-20,19:30,4,Maya,Okafor,maya@example.com,+1 (212) 555-0100,Booked,Tasting menu,12,T-1,Askedword1 booth,Staffword2 press,Staffword1 quiet,Peanuts,Wine list,Ann,$400.00',
    ),
    asked: [],
  },
  {
    product: 'Square',
    kind: 'guests',
    text: csv(
      'Reference ID,First Name,Last Name,Email Address,Phone Number,Nickname,Company Name,Street Address 1,City,Birthday,Memo,Square Customer ID,Creation Source,First Visit,Last Visit,Transaction Count,Lifetime Spend,Email Subscription Status',
      ',Maya,Okafor,maya@example.com,+12125550100,Staffword2,Leftword1,Leftword2 Street,Leftword3,1980-04-12,Staffword1 corner,SQ1,Instant Profile,2020-01-02,2026-10-02,12,$1200.00,subscribed',
    ),
    asked: ['Company Name', 'Street Address 1', 'City', 'First Visit'],
  },
  {
    product: 'Eat App',
    kind: 'guests',
    text: csv(
      'First Name,Last Name,Email,Phone,Birthday,VIP,Tags,Notes,Allergies,Reservations,Visits,No Shows,Cancellations,Last Visit,Marketing',
      'Maya,Okafor,maya@example.com,+12125550100,12-Apr-1980,Yes,"Wine list, Neighbor",Staffword1 corner,Peanuts,15,12,1,2,02-Oct-2026,Yes',
    ),
    asked: ['Reservations'],
  },
  {
    product: 'Eat App',
    kind: 'reservations',
    text: csv(
      'Reservation Key,Date,Time,Covers,Guest,Phone,Email,Status,Tables,Guest Request,Notes,Guest Notes,Tags,Source,Created At,Duration',
      'EAT1,20-Oct-2026,7:30 PM,4,Maya Okafor,+12125550100,maya@example.com,Confirmed,12,Askedword1 booth,Staffword2 press,Staffword1 corner,Wine list,Widget,01-Oct-2026,120',
    ),
    asked: [],
  },
  {
    product: 'TheFork',
    kind: 'guests',
    text: csv(
      'Prénom;Nom de famille;E-mail;Téléphone mobile;Date de naissance;VIP;Tags;Notes;Allergies;Visites;Dernière visite;Civilité;Optin',
      'Maya;Okafor;maya@example.com;+12125550100;12 avril 1980;oui;Wine list|Neighbor;Staffword1 coin;Peanuts;12;2 octobre 2026;Leftword1;oui',
    ),
    asked: ['Civilité'],
  },
  {
    product: 'TheFork',
    kind: 'reservations',
    text: csv(
      'Date;Heure;Couverts;Client;Téléphone mobile;E-mail;Statut;Table;Customer note;Restaurant note;Allergies;Langue;Origin;Booked by',
      '20 oct. 2026;19:30;4;Maya Okafor;+12125550100;maya@example.com;Confirmed;12;Askedword1 banquette;Staffword2 presse;Peanuts;fr;TheFork;Ann',
    ),
    asked: [],
  },
]
