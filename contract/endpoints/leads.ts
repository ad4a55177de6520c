import { Type } from 'typebox'
import { body64, byCreation, type Endpoint, keyClash, list, single } from '../endpoint.ts'
import { Lead, leadStages, NewLead, priorities } from '../lead.ts'
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
    body: NewLead,
    bodyLimit: body64,
    idempotency: 'outcome-unknown',
    replies: {
      201: Type.Object({ lead: ref(Lead) }, { title: 'LeadReply', description: 'The inquiry was recorded.' }),
    },
    badRequest: 'The name is missing, or a field cannot be read.',
    reasons: [...keyClash, 'outcome-unknown'],
  },

  getLead: single('getLead', 'lead', 'Leads', 'lead'),
} as const satisfies Record<string, Endpoint>
