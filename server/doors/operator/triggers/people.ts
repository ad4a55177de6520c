import { erasePerson } from '../../../data/erasure/erase.ts'
import { contactOfGuest } from '../../../data/erasure/find-person.ts'
import { mergeGuests, undoMerge } from '../../../crm/guests/merge.ts'
import { type StaffGuestRow, presentGuest } from '../../../crm/guests/guest.ts'
import { addGuest, editGuest } from '../../../crm/guests/staff-edits.ts'
import { staffGuest } from '../../../crm/guests/staff-reads.ts'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import { type LeadRow, presentLead } from '../../../crm/leads/lead.ts'
import { addLead } from '../../../crm/leads/actions.ts'
import { deleteLead, editLead, moveLead } from '../../../crm/leads/edit.ts'
import { pipelineOf } from '../../../crm/leads/pipeline.ts'
import { leadById } from '../../../crm/leads/reads.ts'
import { addSubscriberByStaff } from '../../../marketing/subscribers/add-by-staff.ts'
import { suppress, unsubscribe } from '../../../marketing/subscribers/leaving.ts'
import { presentSubscriber } from '../../../marketing/subscribers/subscriber.ts'
import { subscriberForUpdateById } from '../../../marketing/subscribers/reads.ts'
import { type Stage, type Trigger, there } from './trigger.ts'

const added = async ({ work, actor, somebody }: Stage): Promise<StaffGuestRow> =>
  (await addGuest(work, actor, somebody)).guest

const guestOf = async (stage: Stage, asked: number | undefined): Promise<StaffGuestRow> =>
  asked === undefined
    ? added(stage)
    : there(await staffGuest(stage.work.db, stage.work.venue.id, asked), 'guest', asked)

const seen = ({ id, version }: { readonly id: number; readonly version: number }) => ({
  id,
  seenVersion: version,
})

const merged = async (stage: Stage, asked: number | undefined) => {
  const guest = await guestOf(stage, asked)
  const { somebody } = stage
  const other = { ...somebody, email: `other.${somebody.email}`, phone: nextNumber(somebody.phone) }
  const twin = await added({ ...stage, somebody: other })
  return mergeGuests(stage.work, stage.actor, seen(guest), seen(twin))
}

const erased: Trigger['run'] = async (stage, asked) => {
  const guest = await guestOf(stage, asked)
  const person = await contactOfGuest(stage.work, guest.id)
  if (person) await erasePerson(stage.work, stage.actor, person)
  // As the API shows it now: who it was is gone from here, too.
  return presentGuest((await staffGuest(stage.work.db, stage.work.venue.id, guest.id)) ?? guest)
}

export const guestTriggers = {
  'guest.created': {
    about: 'staff add a guest',
    emits: 'guest.created',
    on: null,
    run: async (stage) => presentGuest(await added(stage)),
  },
  'guest.updated': {
    about: 'staff edit the guest',
    emits: 'guest.updated',
    on: 'guest',
    run: async (stage, asked) => {
      const changes = { seatingPreference: 'By the window' }
      const guest = await guestOf(stage, asked)
      return presentGuest(await editGuest(stage.work, stage.actor, { ...seen(guest), changes }))
    },
  },
  'guest.merged': {
    about: 'staff merge the guest with another one, created for it',
    emits: 'guest.merged',
    on: 'guest',
    run: async (stage, asked) => presentGuest((await merged(stage, asked)).guest),
  },
  'guest.unmerged': {
    about: 'staff merge the guest with another one and undo it, who is back then',
    emits: 'guest.unmerged',
    on: 'guest',
    run: async (stage, asked) => {
      const { merge } = await merged(stage, asked)
      return presentGuest((await undoMerge(stage.work, stage.actor, merge)).restored)
    },
  },
  'person.erased': {
    about: 'the person is erased from every record',
    emits: 'person.erased',
    on: 'guest',
    run: erased,
  },
  'guest.erased': { about: 'the same', emits: 'person.erased', on: 'guest', run: erased },
} as const satisfies Record<string, Trigger>

const nextNumber = (phone: string): string =>
  phone.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))

const subscribed = async ({ work, actor, somebody }: Stage, firstName: string | null = somebody.name) => {
  const { subscriber, message } = await addSubscriberByStaff(work, actor, {
    email: somebody.email,
    firstName,
    tag: null,
    where: 'Card at the door',
    statement: 'Send me news.',
    pageUrl: null,
    agreedAt: null,
  })
  if (!subscriber) throw new Refusal(409, message)
  return subscriber
}

const subscriberOf = async (stage: Stage, asked: number | undefined) => {
  const id = asked ?? (await subscribed(stage)).id
  return there(await subscriberForUpdateById(stage.work.db, stage.work.venue.id, id), 'subscriber', id)
}

export const subscriberTriggers = {
  'subscriber.added': {
    about: 'staff add somebody who agreed at the door',
    emits: 'subscriber.added',
    on: null,
    run: (stage) => subscribed(stage),
  },
  'subscriber.updated': {
    about: 'staff add somebody, and then their first name',
    emits: 'subscriber.updated',
    on: null,
    run: async (stage) => {
      await subscribed(stage, null)
      return subscribed(stage)
    },
  },
  'subscriber.unsubscribed': {
    about: 'staff remove somebody from the email list',
    emits: 'subscriber.unsubscribed',
    on: 'subscriber',
    run: async (stage, asked) => {
      const row = await subscriberOf(stage, asked)
      const { subscriber, left } = await unsubscribe(stage.work, stage.actor, row.id)
      if (!left) throw new Refusal(409, 'They are already unsubscribed.')
      return subscriber
    },
  },
  'subscriber.suppressed': {
    about: 'staff put the address on the do-not-email list, which unsubscribes it',
    emits: 'subscriber.unsubscribed',
    on: 'subscriber',
    run: async (stage, asked) => {
      const { id, email } = await subscriberOf(stage, asked)
      await suppress(stage.work, stage.actor, { email, reason: 'staff_removal' })
      return presentSubscriber(await subscriberOf(stage, id))
    },
  },
} as const satisfies Record<string, Trigger>

const inquired = ({ work, actor, somebody }: Stage): Promise<LeadRow> =>
  addLead(work, actor, {
    contactName: somebody.name,
    contactEmail: somebody.email,
    contactPhone: somebody.phone,
    occasion: 'Birthday',
    guestCount: '30',
  })

const leadOf = async (stage: Stage, asked: number | undefined): Promise<LeadRow> =>
  asked === undefined
    ? inquired(stage)
    : there(await leadById(stage.work.db, stage.work.venue.id, asked), 'lead', asked)

const nextStage: Trigger['run'] = async (stage, asked) => {
  const { work, actor } = stage
  const lead = await leadOf(stage, asked)
  const { stages } = await pipelineOf(work.db, work.venue.id)
  const next = stages[stages.indexOf(lead.stage) + 1]
  if (next === undefined) throw new Refusal(409, `There is no stage after ${lead.stage}.`)
  return presentLead(await moveLead(work, actor, { ...seen(lead), stage: next }))
}

export const leadTriggers = {
  'lead.created': {
    about: 'staff take an inquiry',
    emits: 'lead.created',
    on: null,
    run: async (stage) => presentLead(await inquired(stage)),
  },
  'lead.updated': {
    about: 'staff edit the lead',
    emits: 'lead.updated',
    on: 'lead',
    run: async (stage, asked) => {
      const changes = { notes: 'They want the garden room.' }
      const lead = await leadOf(stage, asked)
      return presentLead(await editLead(stage.work, stage.actor, { ...seen(lead), changes }))
    },
  },
  'lead.stage_changed': {
    about: 'staff move the lead to the next stage',
    emits: 'lead.stage_changed',
    on: 'lead',
    run: nextStage,
  },
  'lead.moved': { about: 'the same', emits: 'lead.stage_changed', on: 'lead', run: nextStage },
  'lead.deleted': {
    about: 'staff delete the lead',
    emits: 'lead.deleted',
    on: 'lead',
    run: async (stage, asked) => {
      const lead = await leadOf(stage, asked)
      await deleteLead(stage.work, stage.actor, seen(lead))
      return presentLead(lead)
    },
  },
} as const satisfies Record<string, Trigger>
