import { kinds } from '../kinds.ts'
import { Type } from 'typebox'
import {
  editReasonsOf,
  patch,
  body64,
  byCreation,
  type Endpoint,
  keyClash,
  list,
  single,
} from '../webhooks/endpoint.ts'
import { LeadChanges, NewLeadNote, Lead, leadStages, NewLead, priorities } from '../records/lead.ts'
import { ref } from '../shapes.ts'

export const leadEndpoints = {
  listLeads: list(
    'listLeads',
    '/api/v1/leads',
    'Leads',
    Lead,
    {
      summary: 'List leads',
      description: 'The newest private-event inquiries, in every stage.',
    },
    {
      filters: {
        stage: { open: leadStages },
        priority: { closed: priorities },
        email: true,
        phone: true,
        guest: true,
        externalId: true,
      },
      sorts: byCreation,
    },
  ),

  createLead: {
    id: 'createLead',
    method: 'POST',
    path: '/api/v1/leads',
    group: 'Leads',
    summary: 'Send a private-event inquiry',
    description:
      "Lands on the venue's pipeline at stage Inquiry. The contact is matched to a guest as when creating one.",
    access: 'write',
    scope: 'leads:create',
    body: NewLead,
    bodyLimit: body64,
    dryRun: true,
    idempotency: 'outcome-unknown',
    replies: {
      201: Type.Object({ lead: ref(Lead) }, { title: 'LeadReply', description: 'The inquiry was recorded.' }),
    },
    badRequest: 'The name is missing, or a field cannot be read.',
    reasons: [...keyClash, 'outcome-unknown'],
  },

  getLead: single('getLead', 'lead', 'Leads', 'lead'),

  updateLead: {
    ...patch(
      'updateLead',
      'lead',
      'Leads',
      {
        summary: 'Change a lead',
        description:
          'A field that is left out stays as it is; `null` empties it. The stage must be one that the venue has on its pipeline now.',
      },
      LeadChanges,
    ),
    refusedFields: ['submittedVia', 'submittedAt'],
    reasons: [...editReasonsOf('lead'), 'erased', 'unknown-stage', 'staff-only'],
  },

  addLeadNote: {
    id: 'addLeadNote',
    method: 'POST',
    path: '/api/v1/leads/{id}/notes',
    params: { id: 'record' },
    kind: 'lead',
    group: 'Leads',
    since: '2026-11-23',
    summary: 'Leave a note for staff',
    description: "Shown to the venue's staff next to the inquiry, under the key's name. No call returns it.",
    access: 'write',
    scope: 'leads:edit',
    body: NewLeadNote,
    bodyLimit: body64,
    dryRun: true,
    idempotency: 'outcome-unknown',
    replies: {
      201: Type.Object(
        { noted: Type.Literal(true, { description: 'Always true.' }) },
        { title: 'LeadNoted', description: 'Staff can read it now.', examples: [{ noted: true }] },
      ),
    },
    badRequest: 'The text is missing or too long.',
    reasons: [...kinds.lead.gone, 'erased', ...keyClash, 'outcome-unknown'],
  },
} as const satisfies Record<string, Endpoint>
