import { unsignedNotes } from '../../crm/guests/rules.ts'
import { presentGuest } from '../../crm/guests/guest.ts'
import { houseOfGuestInFile, houseOfBookingInFile } from '../../crm/house/in-file.ts'
import { presentLead } from '../../crm/leads/lead.ts'
import { agreedSentences } from '../../book/reservations/guarantee/guarantee-store.ts'
import { presentReservation } from '../../book/day/book-row.ts'
import { presentSubscriber } from '../../marketing/subscribers/subscriber.ts'
import { presentWaitlistEntry } from '../../book/day/entry-row.ts'
import { type Found, contactOfForm } from './find-person.ts'

/** Everything about one person as a document to give them; it does not name staff members. */
export const personDocument = (found: Found) => ({
  person: { name: found.person.name, email: found.person.email, phone: found.person.phone },
  guests: found.guests.map((row) => ({
    ...presentGuest(row),
    staffNotes: unsignedNotes(row.staff_notes),
    allergies: row.allergies,
    ...houseOfGuestInFile(found.houses.get(row.id)),
  })),
  reservations: found.reservations.map((row) => ({
    ...presentReservation(row),
    cancelMessage: row.cancel_message,
    ...houseOfBookingInFile(found.bookingProfiles.get(row.id)),
  })),
  bookingsWaitingForAPress: found.unmade.map(({ guestName, email, phone, date, time, ...asked }) => ({
    guestName,
    email,
    phone,
    date,
    time,
    partySize: asked.partySize,
    notes: asked.notes,
    occasion: asked.said.occasion,
    seating: asked.said.seating,
    answers: asked.said.answers,
    language: asked.said.language,
    wantsNews: asked.news !== null,
  })),
  saidWhenBooking: found.saidWhenBooking.map((row) => ({
    reservationId: row.reservation_id,
    occasion: row.occasion,
    seating: row.seating,
    answers: row.answers,
    note: row.note,
    language: row.language,
    comingAt: row.coming_at,
  })),
  cardsAndDeposits: found.guarantees.map((row) => ({
    reservationId: row.reservation_id,
    kind: row.kind,
    status: row.status,
    amountCents: row.amount_cents,
    askedCents: row.asked_cents,
    askedInWords: row.ask_note,
    paidCents: row.paid_cents,
    refundedCents: row.refunded_cents,
    currency: row.currency,
    sentence: agreedSentences(row).join('\n'),
    agreedAt: row.agreed_at,
    cardDeletedAt: row.deleted_at ?? row.delete_at,
  })),
  waitlist: found.waitlist.map(presentWaitlistEntry),
  texted: found.textsTyped.map(({ body, at }) => ({ text: body, at })),
  textedBack: found.textReplies.map(({ body, at }) => ({ text: body, at })),
  leads: found.leads.map(presentLead),
  leadNotes: found.leadNotes.map(({ kind, text, created_at }) => ({ kind, text, createdAt: created_at })),
  ticketsNotBought: found.checkouts.map((row) => ({
    ...contactInDocument(row),
    what: row.title,
    totalCents: row.total_cents,
    currency: row.currency,
    at: row.made_at,
  })),
  ticketOrders: found.ticketOrders.map((row) => ({
    id: row.id,
    orderNumber: row.order_number,
    status: row.status,
    channel: row.channel,
    paymentMethod: row.payment_method,
    buyerFirstName: row.buyer_first_name,
    buyerLastName: row.buyer_last_name,
    buyerEmail: row.buyer_email,
    buyerPhone: row.buyer_phone,
    seats: row.seats,
    totalCents: row.total_cents,
    refundedCents: row.refunded_cents,
    promoCode: row.promo_code,
    marketingOptIn: row.marketing_opt_in,
    paidAt: row.paid_at,
    createdAt: row.created_at,
    // Without their codes: the document is handed over, and who has a code may enter.
    tickets: found.tickets
      .filter(({ order_id }) => order_id === row.id)
      .map(({ number, in_at, door, void_at }) => ({ number, inAt: in_at, door, voidAt: void_at })),
  })),
  subscribers: found.subscribers.map(presentSubscriber),
  consents: found.consents.map((row) => ({
    source: row.source,
    statement: row.statement,
    pageUrl: row.page_url,
    agreedAt: row.agreed_at,
    recordedAt: row.recorded_at,
    recordedVia: row.recorded_via,
  })),
  mails: found.mails.map((row) => ({
    campaignId: row.campaign_id,
    campaign: row.campaign,
    state: row.state,
    why: row.why,
    endedAt: row.ended_at,
    leftAt: row.left_at,
  })),
  mailsThatCameBack: found.bounces.map(({ kind, source, status_code, campaign_id, at }) => ({
    kind,
    source,
    statusCode: status_code,
    campaignId: campaign_id,
    at,
  })),
  doNotEmail: found.suppressions.map(({ reason, created_at }) => ({ reason, createdAt: created_at })),
  events: found.events.map(({ name, occurred_at, data }) => ({
    event: name,
    occurredAt: occurred_at,
    data: parsed(data),
  })),
  answersOfReceivers: found.tries.map(({ started_at, status_code, answer }) => ({
    startedAt: started_at,
    statusCode: status_code,
    answer: answer?.toString('utf8') ?? null,
  })),
  keptAnswers: found.answers.map(({ endpoint, claimed_at, body }) => ({
    endpoint,
    answeredAt: claimed_at,
    body: parsed(body),
  })),
  changes: found.trail.map(({ at, action, record_kind, record_id, before, after }) => ({
    at,
    action,
    record: `${record_kind} ${record_id}`,
    before: unsignedTrail(before),
    after: unsignedTrail(after),
  })),
})

const unsignedTrail = (columns: unknown): unknown => {
  const notes = (columns as { readonly staff_notes?: unknown } | null)?.staff_notes
  return typeof notes === 'string' ? { ...(columns as object), staff_notes: unsignedNotes(notes) } : columns
}

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))

const contactInDocument = (row: { readonly form: unknown }) => {
  const { name, email, phone } = contactOfForm(row)
  return { name, email, phone }
}
