/*
 * What can be imported, as data: for each kind the fields a column may be, and the headings they are known by. The
 * headings of our own export are among them, so that an export can be imported at another venue.
 */

export const importKinds = ['guests', 'subscribers', 'reservations', 'do-not-email'] as const
export type ImportKind = (typeof importKinds)[number]

export type ImportField = {
  readonly name: string
  /** Its name on the page. */
  readonly title: string
  /** Headings, in lower case, letters and digits only. */
  readonly headings: readonly string[]
}

const field = (name: string, title: string, headings: string): ImportField => ({
  name,
  title,
  headings: [name.toLowerCase(), ...headings.split(' ')],
})

const name = field(
  'name',
  'Name',
  'guestname guest clientname client fullname customer customername contact nom nombre gast kunde displayname',
)
const firstName = field(
  'firstName',
  'First name',
  'first givenname forename vorname prenom nombredepila fname guestfirstname clientfirstname customerfirstname',
)
const lastName = field(
  'lastName',
  'Last name',
  'last surname familyname nachname familienname nomdefamille apellido apellidos lname guestlastname clientlastname customerlastname',
)
const email = field(
  'email',
  'Email',
  'emailaddress mail mailaddress guestemail correo correoelectronico courriel adressemail primaryemail clientemail customeremail',
)
const phone = field(
  'phone',
  'Phone',
  'phonenumber telephone tel mobile mobilephone cell cellphone guestphone telefon telefonnummer handy mobil telefono telephonemobile telefonomovil cellulare primaryphone guestphonenumber clientphone clientphonenumber customerphone',
)
const externalId = field(
  'externalId',
  'ID in other software',
  'externalref externalreference squarecustomerid',
)
const notes =
  'guestnotes guestnote notes note comment comments remarks bemerkung bemerkungen notiz notizen notas memo clientnotes customernotes guestprofilenotes profilenotes'

/** What staff say of a guest; in a file of bookings, too. */
const profile = [
  field('tags', 'Guest’s tags', 'guesttags clienttags customertags tag labels guestcodes'),
  field('vip', 'VIP', 'isvip vipstatus guestvip customervip'),
  field(
    'birthday',
    'Birthday',
    'birthdate dateofbirth dob geburtstag geburtsdatum cumpleanos anniversaire datedenaissance datadinascita',
  ),
  field('birthMonth', 'Month of birth', 'birthdaymonth'),
  field('birthDay', 'Day of birth', 'birthdayday'),
]
const allergies = field(
  'allergies',
  'Allergies',
  'allergy dietary dietaryrestrictions dietaryrestriction dietaryneeds dietarynotes guestdietarynotes allergien alergias allergiesandintolerances foodallergies',
)

/** Only what guests asked for themselves: the API shows it. */
const requests =
  'request requests specialrequest specialrequests guestrequest guestrequests visitrequest visitrequests clientrequest clientrequests customerrequest customernote wunsch'

export const importFields: Readonly<Record<ImportKind, readonly ImportField[]>> = {
  guests: [
    name,
    firstName,
    lastName,
    email,
    phone,
    field(
      'seatingPreference',
      'Seating preference',
      'seating preferredtable tablepreference preferences sitzplatz',
    ),
    field('referralSource', 'How they heard about you', 'referral referredby howdidyouhear quelle'),
    field('staffNotes', 'Staff notes', notes),
    allergies,
    ...profile,
    field(
      'visitCount',
      'Visits',
      'visits numberofvisits totalvisits covers besuche visitas visites visite completedvisits visitcount totalcompletedvisits bookingcount transactioncount',
    ),
    field('noShowCount', 'No-shows', 'noshows noshow numberofnoshows totalnoshows'),
    field(
      'cancellationCount',
      'Cancellations',
      'cancellations cancelled canceled cancels totalcancellations stornos',
    ),
    field(
      'lastVisitDate',
      'Last visit',
      'lastvisit lastvisited lastseen letzterbesuch ultimavisita dernierevisite datelastvisited lastvisiton',
    ),
    externalId,
  ],
  subscribers: [
    email,
    field('firstName', 'First name', `first givenname forename vorname prenom nombre fname name`),
    field('birthday', 'Birthday', 'birthdate dateofbirth dob geburtstag geburtsdatum cumpleanos'),
    field('birthMonth', 'Month of birth', 'birthdaymonth'),
    field('birthDay', 'Day of birth', 'birthdayday'),
    field('tag', 'Tag', 'tags list listname segment group groups'),
    field(
      'status',
      'Status',
      'subscriptionstatus state emailstatus marketingstatus reason subscribed emailmarketingconsent acceptsmarketing acceptsemailmarketing marketingoptin emailoptin optin',
    ),
    field(
      'unsubscribedAt',
      'Unsubscribed on',
      'unsubtime unsubdate unsubscribetime unsubscribedate unsubscribedon optouttime optoutdate optedoutat abgemeldetam unsubscribed optedout optout emailoptout',
    ),
    field(
      'bouncedAt',
      'Bounced on',
      'cleantime cleanedat cleaneddate bouncetime bouncedate bouncedon bounced cleaned',
    ),
    field(
      'consentAt',
      'Agreed on',
      'optintime optindate optedinat subscribedat subscribeddate signupdate confirmtime dateadded consentdate agreedat',
    ),
    field('consentSource', 'Agreed where', 'optinsource consentsource signupsource source'),
    field('consentStatement', 'Text they agreed to', 'statement consenttext consentwording'),
    field('consentPageUrl', 'Page they agreed on', 'pageurl signupurl consenturl'),
  ],
  reservations: [
    field(
      'reference',
      'Booking number in the old system',
      'reservationid bookingid confirmationnumber confirmation bookingnumber reservationnumber ref code confirmationcode referencecode reservationkey reservationreference confirmationid',
    ),
    field(
      'guestName',
      'Name',
      'name guest client clientname fullname customer customername contact nom gast kunde',
    ),
    firstName,
    lastName,
    email,
    phone,
    field(
      'partySize',
      'Guests',
      'party covers guests people pax size numberofguests numberofpeople personen personas couverts totalguests numberofcovers',
    ),
    field(
      'date',
      'Date',
      'reservationdate bookingdate visitdate day datum fecha datetime reservationdatetime arrivaldate',
    ),
    field(
      'time',
      'Time',
      'reservationtime bookingtime visittime uhrzeit zeit hora heure arrivaltime seatingtime',
    ),
    field('durationMinutes', 'Turn time (minutes)', 'duration turntime turnminutes dauer'),
    field(
      'tables',
      'Tables',
      'table tablenumber tablenumbers tableno tablename tablenames tisch tische tischnummer mesa assignedtables',
    ),
    field('status', 'Status', 'reservationstatus bookingstatus state estado statut'),
    field(
      'cancelledAt',
      'Cancelled on',
      'canceledat cancelledon canceledon cancelledtime canceledtime canceltime canceldate cancellationdate cancellationtime dateofcancellation storniertam',
    ),
    field('cancelledBy', 'Cancelled by', 'canceledby'),
    field(
      'bookingType',
      'Booking type',
      'type shift service servicename period experience experiencename shiftname',
    ),
    field('notes', 'The guest’s request', requests),
    field('staffNotes', 'Guest’s staff notes', `visitnotes visitnote reservationnotes bookingnotes ${notes}`),
    field('occasion', 'Occasion', 'specialoccasion occasions anlass ocasion'),
    allergies,
    ...profile,
    field(
      'language',
      'Language',
      'locale guestlanguage customerlanguage preferredlanguage sprache idioma langue',
    ),
    field(
      'createdAt',
      'Booked on',
      'created createdon createddate bookedon bookedat reservationmade dateadded',
    ),
    externalId,
  ],
  'do-not-email': [
    email,
    field('reason', 'Why', 'why cause status state type suppressionreason'),
    field(
      'createdAt',
      'On the list since',
      'since created createdon addedat addedon dateadded date listedat unsubscribedat unsubtime bouncedat cleantime',
    ),
  ],
}

/** Which column (from 0) has which field; a field without a column is left out. */
export type Columns = Readonly<Record<string, number>>

/** A guess from the headings: the earlier heading in a field's list wins, and each column is used once. */
export const guessColumns = (kind: ImportKind, header: readonly string[]): Columns => {
  const plain = header.map(plainHeading)
  // Notes are what staff wrote, except in our own export, where they are what the guest asked for.
  if (kind === 'reservations' && !plain.includes('floorstage')) {
    for (const [i, heading] of plain.entries()) if (heading === 'notes') plain[i] = 'note'
  } else if (kind === 'reservations') {
    // Its tags are the booking's, not the guest's.
    for (const [i, heading] of plain.entries()) if (heading === 'tags') plain[i] = 'bookingtags'
  }
  const taken = new Set<number>()
  const columns: Record<string, number> = {}
  // Exact names first, over all fields, so that `firstName` is not lost to a field that also answers to `name`.
  for (const place of [0, 1]) {
    for (const { name, headings } of importFields[kind]) {
      if (columns[name] !== undefined) continue
      const known = place === 0 ? headings.slice(0, 1) : headings
      const column = known
        .map((heading) => plain.findIndex((text, i) => text === heading && !taken.has(i)))
        .find((found) => found >= 0)
      if (column === undefined) continue
      columns[name] = column
      taken.add(column)
    }
  }
  return columns
}

/** Where a column without a field goes: into the staff notes as a line, or nowhere, as somebody chose. */
export const besides = ['note', 'out'] as const
export type Beside = (typeof besides)[number]

/** Kinds whose columns can become a line in the notes. */
export const takesNotes = (kind: ImportKind): boolean => kind === 'guests' || kind === 'reservations'

/** Whether a column is what staff wrote of a guest or a visit: a file may have one of each, and all go to the staff notes. */
export const isStaffWords = (kind: ImportKind, heading: string): boolean => {
  const plain = plainHeading(heading)
  // In our own export of bookings these are what the guest asked for.
  if (kind === 'reservations' && plain === 'notes') return false
  return importFields[kind].some(({ name, headings }) => name === 'staffNotes' && headings.includes(plain))
}

/** Who agreed to what is brought with its proof, by a file of subscribers. */
export const saysConsent = (heading: string): boolean =>
  /optin|consent|marketing|newsletter|subscri/.test(plainHeading(heading))

const leftOut =
  /^(?:(?:reservation|booking|creation|visit)?source|origin|booked(?:by|via|through)|bookingmethod|servers?|servername|waiter|(?:total|lifetime|average|avg|pos)?(?:spend|spent|subtotal|total|revenue)(?:per(?:cover|visit))?|lifetimevalue|price|amount)$/
const noted =
  /notes?$|^(?:comments?|memo|remarks|tags|labels|diet|anniversary|nickname)$|tags$|dietary|allerg|intoleran|preference|request/

/** A guess for the columns that no field took; one that nobody knows is left to be asked. */
export const guessBesides = (
  kind: ImportKind,
  header: readonly string[],
  columns: Columns,
): Record<string, Beside> => {
  const taken = new Set(Object.values(columns))
  const guessed: Record<string, Beside> = {}
  for (const [i, heading] of header.entries()) {
    if (taken.has(i)) continue
    if (saysConsent(heading) || leftOut.test(plainHeading(heading))) guessed[i] = 'out'
    else if (takesNotes(kind) && (isStaffWords(kind, heading) || noted.test(plainHeading(heading))))
      guessed[i] = 'note'
  }
  return guessed
}

/** Whether a first row is headings: at least one is known, and none looks like a person's data. */
export const looksLikeHeader = (kind: ImportKind, row: readonly string[]): boolean =>
  Object.keys(guessColumns(kind, row)).length > 0 &&
  !row.some((cell) => cell.includes('@') || /\d{5}/.test(cell))

const plainHeading = (heading: string): string =>
  heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')

/** How dates are written in the file, if not YYYY-MM-DD. */
export const dateOrders = ['month-first', 'day-first'] as const
export type DateOrder = (typeof dateOrders)[number]

/** Fields that may have a date in the file's order. */
export const datedFields = [
  'date',
  'lastVisitDate',
  'consentAt',
  'unsubscribedAt',
  'bouncedAt',
  'cancelledAt',
  'createdAt',
  'birthday',
]

/** The consent of everyone in a file of subscribers, unless a column says otherwise. */
export type Evidence = {
  readonly source: string
  readonly statement: string | null
  /** `YYYY-MM-DD`; consent is recorded as of the start of that day at the venue. */
  readonly date: string | null
}

/** How to read a file, as the owner set it. */
export type ImportPlan = {
  readonly header: boolean
  readonly columns: Columns
  readonly dates: DateOrder
  readonly evidence: Evidence | null
  /** Of columns without a field, by their number. Absent in files uploaded before there was a choice. */
  readonly besides?: Readonly<Record<string, Beside>>
  /** In which orders the dates of each column are written, where only one is possible. Absent in files uploaded before. */
  readonly orders?: readonly (readonly DateOrder[])[]
  /** As they are in the file. */
  readonly headings?: readonly string[]
  /** How many rows have something in each column. */
  readonly filled?: readonly number[]
  /** Whether the owner said that so many tags are meant. */
  readonly manyTags?: boolean
  /** Whether a booking that says what an earlier row of the file says is left out. */
  readonly leaveOutRepeats?: boolean
}

/** A row's cells by field; '' where there is no column or nothing in it. */
export type Cells = (field: string) => string

/** Whether dates of this file are written in both orders, so that no choice reads all of them as they were meant. */
export const hasBothOrders = ({ columns, orders = [] }: ImportPlan): boolean => {
  const seen = datedFields.flatMap((field) => {
    const column = columns[field]
    return column === undefined ? [] : (orders[column] ?? [])
  })
  return new Set(seen).size > 1
}
