import { notFound } from '../../../platform/kernel/refusal.ts'
import { addLeadNote, editLeadNote, leadNoteKinds, removeLeadNote } from '../../../crm/leads/notes.ts'
import { savePipeline } from '../../../crm/leads/pipeline.ts'
import type { LeadRow } from '../../../crm/leads/lead.ts'
import { conceptsOnLeads, leadById } from '../../../crm/leads/reads.ts'
import { deleteLead, editLead, moveLead, setLeadPriority } from '../../../crm/leads/edit.ts'
import { addLead } from '../../../crm/leads/actions.ts'
import { leadFields } from '../../../crm/leads/fields.ts'
import { typedWord } from '../../../platform/kernel/typed-fields.ts'
import { venueOfSlug } from '../../../core/venue/actions.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, go, page } from '../frame/page.ts'
import { backField, idOf, typedIn, versionIn } from '../parts/forms/fields.ts'
import { refusedForm } from '../parts/forms/form.ts'
import { once } from '../parts/once.ts'
import { warning } from '../parts/press-message.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { boardPage, stagePage } from './board.ts'
import { leadForm, newLeadForm } from './form.ts'
import { leadPage } from './lead.ts'
import { pipelinePage } from './pipeline.ts'

const home = '/office/leads'

/** Inquiries for private events: the board, one inquiry, staff's notes and drafts about it. For managers. */
export const leadPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work) => page('Leads', await boardPage(work)),
  },
  {
    method: 'GET',
    path: `${home}/stage`,
    role: 'manager',
    answer: async (work, { query }) => page('Leads', await stagePage(work, query)),
  },
  {
    method: 'GET',
    path: `${home}/new`,
    role: 'manager',
    answer: async (work) =>
      page('New lead', newLeadForm(await roomsOffered(work), { typed: leadFields.typed({}) })),
  },
  {
    method: 'POST',
    path: home,
    role: 'manager',
    answer: async (work, { form }) => {
      const id = await once(
        work,
        'lead',
        form,
        async () => (await addLead(work, actorOf(work.me), leadFields.in(form))).id,
      )
      return go(`${home}/${id}`, 'The lead was added.')
    },
    again: async (work, { form }, { message }) =>
      page('New lead', newLeadForm(await roomsOffered(work), refusedForm(form, message))),
  },
  {
    method: 'GET',
    path: `${home}/pipeline`,
    role: 'manager',
    answer: async (work) => page('Stages', await pipelinePage(work)),
  },
  {
    method: 'POST',
    path: `${home}/pipeline`,
    role: 'manager',
    answer: async (work, { form }) => {
      await savePipeline(work, actorOf(work.me), {
        stages: form.text('stages').split(/\r?\n/),
        seenVersion: versionIn(form),
      })
      return go(home, 'The stages were saved.')
    },
    again: async (work, { form }, { message }) =>
      page('Stages', await pipelinePage(work, refusedForm(form, message))),
  },
  {
    method: 'GET',
    path: `${home}/:id`,
    role: 'manager',
    answer: async (work, { params }) => shown(work, await leadOf(work, params.id)),
  },
  {
    method: 'GET',
    path: `${home}/:id/edit`,
    role: 'manager',
    answer: async (work, { params }) => {
      const lead = await leadOf(work, params.id)
      return page(
        'Edit the lead',
        leadForm(lead, await roomsOffered(work), { typed: leadFields.typed(lead) }),
      )
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/edit`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const id = idOf(params.id, 'lead')
      const changes = leadFields.in(form)
      await editLead(work, actorOf(work.me), { id, seenVersion: versionIn(form), changes })
      return go(`${home}/${id}`, 'Saved.')
    },
    again: async (work, { params, form }, { message }) => {
      const lead = await leadOf(work, params.id)
      const now = { version: lead.version, typed: leadFields.typed(lead) }
      return page('Edit the lead', leadForm(lead, await roomsOffered(work), refusedForm(form, message, now)))
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/stage`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const id = idOf(params.id, 'lead')
      const lead = await moveLead(work, actorOf(work.me), {
        id,
        seenVersion: versionIn(form),
        stage: form.text('stage'),
      })
      return go(backField(form, home), `${lead.contact_name ?? 'The lead'} moved to ${lead.stage}.`)
    },
    again: async (_work, { form }, { message }) => go(backField(form, home), warning(message)),
  },
  {
    method: 'POST',
    path: `${home}/:id/priority`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const id = idOf(params.id, 'lead')
      await setLeadPriority(work, actorOf(work.me), {
        id,
        seenVersion: versionIn(form),
        priority: form.text('priority'),
      })
      return go(`${home}/${id}`, 'Saved.')
    },
    again: mistakeOnLead,
  },
  {
    method: 'POST',
    path: `${home}/:id/delete`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      await deleteLead(work, actorOf(work.me), { id: idOf(params.id, 'lead'), seenVersion: versionIn(form) })
      return go(home, 'The lead was deleted.')
    },
    again: mistakeOnLead,
  },
  {
    method: 'POST',
    path: `${home}/:id/notes`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const id = idOf(params.id, 'lead')
      const kind = typedWord('The kind', form.text('kind'), leadNoteKinds)
      const note = { lead: id, kind, text: form.text('text') }
      await once(work, 'lead-note', form, async () => (await addLeadNote(work, actorOf(work.me), note)).id)
      return go(`${home}/${id}#notes`, kind === 'draft' ? 'Draft saved, not sent.' : 'The note was added.')
    },
    again: mistakeOnLead,
  },
  {
    method: 'POST',
    path: `${home}/:id/notes/:note`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const id = idOf(params.id, 'lead')
      const note = { id: idOf(params.note, 'note'), seenVersion: versionIn(form) }
      if (form.text('do') === 'remove') {
        await removeLeadNote(work, actorOf(work.me), note)
        return go(`${home}/${id}#notes`, 'It was removed.')
      }
      await editLeadNote(work, actorOf(work.me), { ...note, text: form.text('text') })
      return go(`${home}/${id}#notes`, 'Saved.')
    },
    again: mistakeOnLead,
  },
]

const leadOf = async ({ db, venue }: OfficeWork, id: string | undefined): Promise<LeadRow> => {
  const lead = await leadById(db, venue.id, idOf(id, 'lead'))
  if (!lead) throw notFound('lead')
  return lead
}

/** The venue's own list; until it has one, what its leads name. */
const roomsOffered = async ({ db, venue }: OfficeWork): Promise<readonly string[]> => {
  const { rooms } = await venueOfSlug(db, venue.slug)
  return rooms.length > 0 ? rooms : conceptsOnLeads(db, venue.id)
}

const shown = async (
  work: OfficeWork,
  lead: LeadRow,
  sent?: Parameters<typeof leadPage>[2],
): Promise<PageAnswer> => page(lead.contact_name ?? 'Lead', await leadPage(work, lead, sent))

/** The lead's page once more, with the sentence and what was typed into one of its small forms. */
async function mistakeOnLead(
  work: OfficeWork,
  { params, form }: { readonly params: Readonly<Record<string, string>>; readonly form: Form },
  { message }: { readonly message: string },
): Promise<PageAnswer> {
  return shown(work, await leadOf(work, params.id), {
    typed: typedIn(form),
    mistake: message,
    note: params.note,
  })
}
