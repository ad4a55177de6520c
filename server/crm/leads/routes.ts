import { endpoints } from '@venue-data/contract/endpoints.ts'
import { priorities } from '@venue-data/contract/records/lead.ts'
import { listRoute } from '../../platform/http/lists/list-route.ts'
import { readWord } from '../../platform/http/read-body.ts'
import { recordWrite } from '../../platform/http/records/record-write.ts'
import { created, route } from '../../platform/http/serve.ts'
import { orGone, recordRoute } from '../../platform/http/records/single-record.ts'
import { takeInquiry } from './actions.ts'
import { editLead } from './edit.ts'
import { listedLeads } from './list.ts'
import { addLeadNote } from './notes.ts'
import { leadRecord, presentLead } from './lead.ts'
import { leadById, leadStands } from './reads.ts'

export const leadRoutes = [
  listRoute(endpoints.listLeads, { source: listedLeads, present: presentLead }),

  route(endpoints.createLead, {
    read: ({ body: { name, email, phone, eventDate, priority, concept = null, ...others } }) => ({
      concept,
      ...leadRecord.columns({
        ...others,
        contactName: name,
        contactEmail: email?.trim(),
        contactPhone: phone,
        date: eventDate,
        priority: readWord('priority', priority, priorities) ?? 'Medium',
      }),
    }),
    answer: async (work, inquiry) => created({ lead: presentLead(await takeInquiry(work, inquiry)) }),
    keeps: { recordId: ({ lead }) => lead.id, stillStands: leadStands },
  }),

  recordRoute(endpoints.getLead, { byId: leadById, present: presentLead }),

  recordWrite(endpoints.updateLead, {
    read: ({ body: { priority, ...changes } }) => ({
      ...changes,
      ...(priority !== undefined && { priority: readWord('priority', priority, priorities) }),
    }),
    write: (work, { actor, input, ...seen }) => editLead(work, actor, { ...seen, changes: input }),
    present: presentLead,
  }),

  route(endpoints.addLeadNote, {
    read: ({ params, body, caller }) => ({
      note: { lead: Number(params['id']), kind: 'note' as const, text: body.text },
      actor: { kind: 'key' as const, id: caller.key.id },
    }),
    answer: async (work, { note, actor }) => {
      await orGone(work, { kind: 'lead', id: note.lead }, addLeadNote(work, actor, note))
      return created({ noted: true })
    },
  }),
]
