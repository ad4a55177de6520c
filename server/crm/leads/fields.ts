import { limits } from '@venue-data/contract/limits.ts'
import { priorities } from '@venue-data/contract/records/lead.ts'
import { area, email, fieldsOf, line, phone, required, word } from '../../platform/kernel/fields.ts'

/** What staff may type of a lead. The date and the numbers are free text, as people give them: "mid December", "35-40". */
export const leadFields = fieldsOf({
  contact_name: required(line('contactName', 'Name', { most: limits.nameCharacters })),
  contact_email: email('contactEmail', 'Email'),
  contact_phone: phone('contactPhone', 'Phone'),
  event_name: line('eventName', 'Event', { freeText: true }),
  occasion: line('occasion', 'Occasion', { freeText: true, placeholder: 'Birthday' }),
  event_date: line('eventDate', 'Date', { placeholder: 'mid December' }),
  guest_count: line('guestCount', 'Guest count', { placeholder: '35-40' }),
  budget_per_person: line('budgetPerPerson', 'Budget per guest', { placeholder: '$120' }),
  dining_style: line('diningStyle', 'Dining style', { freeText: true, placeholder: 'Seated, buffet' }),
  dietary_needs: line('dietaryNeeds', 'Dietary needs', { freeText: true }),
  concept: line('concept', 'Room or brand'),
  priority: word('priority', 'Priority', priorities, 'Medium'),
  notes: area('notes', 'Message', {
    freeText: true,
    hint: 'Connected software can read this. Staff-only details belong in the lead’s notes.',
  }),
})
export type LeadColumns = ReturnType<typeof leadFields.read>
export type TypedLead = Parameters<typeof leadFields.read>[0]
