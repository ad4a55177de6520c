import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import {
  clearable,
  externalId,
  inputDate,
  inputEmail,
  inputExternalId,
  laterExternalId,
  inputName,
  inputPhone,
  inputText,
  inputWord,
  moment,
  momentOrNull,
  openList,
  record,
  recordId,
  revision,
  textOrNull,
} from '../shapes.ts'

export const priorities = ['High', 'Medium', 'Low'] as const
export type Priority = (typeof priorities)[number]

export const leadStages = ['Inquiry', 'Proposal', 'Contract', 'Booked', 'Completed', 'Lost'] as const
export type LeadStage = (typeof leadStages)[number]

export const leadOrigins = ['automation', 'public_form', 'staff', 'import'] as const
export type LeadOrigin = (typeof leadOrigins)[number]

export const Lead = record(
  'Lead',
  'A private-event inquiry. Internal notes, drafts and triage are never part of it.',
  {
    id: 264,
    contactName: 'Maya Okafor',
    contactEmail: 'maya.okafor@example.com',
    contactPhone: '(212) 555-0147',
    eventName: 'Okafor 40th',
    occasion: 'Birthday',
    date: '2026-12-12',
    guestCount: '35-40',
    budgetPerPerson: '$120',
    diningStyle: null,
    dietaryNeeds: null,
    stage: 'Inquiry',
    priority: 'Medium',
    notes: 'Prefers the garden room.',
    submittedVia: 'automation',
    submittedAt: '2026-10-06T15:04:05.120Z',
    externalId: 'form-7731',
    createdAt: '2026-10-06T15:04:05.120Z',
    updatedAt: '2026-10-06T15:04:05.120Z',
    revision: 1,
  },
  {
    id: recordId('lead'),
    contactName: textOrNull('Who the inquiry is from.'),
    contactEmail: textOrNull("The contact's email address."),
    contactPhone: textOrNull("The contact's phone number, as typed."),
    eventName: textOrNull('What the event is called.'),
    occasion: textOrNull('What is celebrated.'),
    date: textOrNull('The event date as given: free text, usually YYYY-MM-DD.'),
    guestCount: textOrNull('How many guests, as given.'),
    budgetPerPerson: textOrNull('Budget for each guest, as given.'),
    diningStyle: textOrNull('Seated, buffet, and the like.'),
    dietaryNeeds: textOrNull('Dietary needs, as given.'),
    stage: openList("Stage on the venue's pipeline.", leadStages),
    priority: openList('How urgent the venue considers it.', priorities),
    notes: textOrNull("The inquiry's own words; never internal notes."),
    submittedVia: openList('How it arrived; `automation` is an integration or this API.', leadOrigins),
    submittedAt: momentOrNull('When it was sent.'),
    externalId,
    createdAt: moment('When it was recorded.'),
    updatedAt: moment('When the record last changed.'),
    revision,
  },
)
export type Lead = Static<typeof Lead>

export const NewLead = Type.Object(
  {
    name: inputName('Who the inquiry is from.'),
    email: Type.Optional(inputEmail("The contact's email address.")),
    phone: Type.Optional(inputPhone("The contact's phone number, kept as typed.")),
    eventName: Type.Optional(inputText('What the event is called. Left out, it is `TBD`.')),
    occasion: Type.Optional(inputText('What is celebrated.')),
    eventDate: Type.Optional(inputDate('Date of the event, YYYY-MM-DD.')),
    guestCount: Type.Optional(inputText('How many guests, as text: `40` or `35-40`.')),
    budgetPerPerson: Type.Optional(inputText('Budget for each guest, as text.')),
    concept: Type.Optional(inputText('Which room or brand. Left out, it is the one the venue used last.')),
    priority: Type.Optional(inputWord('How urgent it is. Left out, it is Medium.', priorities)),
    notes: Type.Optional(inputText("The inquiry's own words.", limits.notesCharacters)),
    externalId: laterExternalId,
  },
  {
    title: 'NewLead',
    description: 'A private-event inquiry.',
    examples: [
      {
        name: 'Maya Okafor',
        email: 'maya.okafor@example.com',
        eventName: 'Okafor 40th',
        occasion: 'Birthday',
        eventDate: '2026-12-12',
        guestCount: '35-40',
      },
    ],
  },
)
export type NewLead = Static<typeof NewLead>

export const LeadChanges = Type.Object(
  {
    stage: Type.Optional(
      inputText(
        "Stage on the venue's pipeline, by its name; venues name their own. Forward, back or past stages.",
      ),
    ),
    priority: Type.Optional(inputWord('How urgent it is.', priorities)),
    contactName: Type.Optional(inputName('Who the inquiry is from.')),
    contactEmail: clearable(inputEmail("The contact's email address.")),
    contactPhone: clearable(inputPhone("The contact's phone number, kept as typed.")),
    eventName: clearable(inputText('What the event is called.')),
    occasion: clearable(inputText('What is celebrated.')),
    eventDate: clearable(inputDate('Date of the event, YYYY-MM-DD.')),
    guestCount: clearable(inputText('How many guests, as text: `40` or `35-40`.')),
    budgetPerPerson: clearable(inputText('Budget for each guest, as text.')),
    diningStyle: clearable(inputText('Seated, buffet, and the like.')),
    dietaryNeeds: clearable(inputText('Dietary needs.')),
    notes: clearable(inputText("The inquiry's own words.", limits.notesCharacters)),
    externalId: clearable(inputExternalId),
  },
  {
    title: 'LeadChanges',
    description: 'Changes to a lead. New contact details are matched to a guest, or create one.',
    examples: [{ stage: 'Proposal', guestCount: '45' }],
  },
)
export type LeadChanges = Static<typeof LeadChanges>

export const NewLeadNote = Type.Object(
  { text: inputName('What staff should know.', limits.notesCharacters) },
  {
    title: 'NewLeadNote',
    description: 'A note for staff; no call ever returns it.',
    examples: [{ text: 'The contract went out through our signing tool.' }],
  },
)
export type NewLeadNote = Static<typeof NewLeadNote>
