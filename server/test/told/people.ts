import assert from 'node:assert/strict'
import type { Actor } from '../../core/activity/actor.ts'
import { erasePerson } from '../../data/erasure/erase.ts'
import { importGuest, guestOfRow } from '../../crm/guests/import-guest.ts'
import { giveBackCounts, takeBackGuest } from '../../crm/guests/take-back-import.ts'
import { mergeGuests, undoMerge } from '../../crm/guests/merge.ts'
import { addGuest, editGuest } from '../../crm/guests/staff-edits.ts'
import { addLead } from '../../crm/leads/actions.ts'
import { newGuestSettings } from '../../core/venue/guest-settings-rules.ts'
import { inquireByGuest } from '../../crm/leads/inquire.ts'
import { deleteLead, editLead, moveLead, setLeadPriority } from '../../crm/leads/edit.ts'
import { addSubscriberByStaff } from '../../marketing/subscribers/add-by-staff.ts'
import {
  type ObjectionKind,
  type ObjectionOutcome,
  importObjection,
  objectionOfRow,
} from '../../marketing/subscribers/import-objection.ts'
import { importSubscriber, signUpOfRow } from '../../marketing/subscribers/import-subscriber.ts'
import { suppress, unsubscribe, unsuppress } from '../../marketing/subscribers/leaving.ts'
import { savePreferences } from '../../marketing/subscribers/preferences.ts'
import { confirmSignUp, endSignUp, signUpByGuest } from '../../marketing/subscribers/sign-up.ts'
import type { SuppressionReason } from '../../marketing/subscribers/states.ts'
import { type Scene, type Stage, manager, patch, post } from './stage.ts'

/** Every doing of the table with a guest, a subscriber or a lead, played for real. */

const emailOf = ({ contact }: Stage) => contact.email ?? undefined

const aGuest = async (stage: Stage, email: string, phone?: string) =>
  (await post(stage, 'guests', { name: 'Grace', email, phone })).guest.id as number

const twoGuests = async (stage: Stage) => {
  const ids = [
    await aGuest(stage, 'one@example.com'),
    await aGuest(stage, 'two@example.com', '(212) 555-0147'),
  ]
  const [low = 0, high = 0] = ids
  const merge = () =>
    stage.act((work) => mergeGuests(work, manager, { id: low, seenVersion: 1 }, { id: high, seenVersion: 1 }))
  return merge
}

const takesBack =
  (made: boolean, filled: readonly string[]): Scene =>
  async (stage) => {
    const id = await aGuest(stage, 'grace@example.com', '(212) 555-0147')
    const since = stage.service.context.clock()
    const one = { id, made, filled, version: 1, since }
    return () => stage.act(async (work) => assert.equal(await takeBackGuest(work, one), ''))
  }

export const guestScenes = {
  'add a guest by API': [
    async (stage) => async () => {
      const known = await stage.query('select 1 from guest where venue_id = $1', [stage.venue.id])
      await post(stage, 'guests', { name: 'Ada', email: emailOf(stage) }, known.length > 0 ? 200 : 201)
    },
  ],
  'add a guest by staff': [
    async (stage) => () =>
      stage.act((work) => addGuest(work, manager, { name: 'Ada', email: emailOf(stage) })),
  ],
  'import a guest': [
    async (stage) => () => {
      const counts = { visits: null, noShows: null, cancellations: null, lastVisit: null }
      const words = { staffNotes: null, seatingPreference: null, referralSource: null, allergies: null }
      const row = guestOfRow({ ...counts, ...words, name: 'Ada', ...stage.contact })
      return stage.act((work) => importGuest(work, row))
    },
  ],
  'undo the import of a guest': [takesBack(true, [])],
  'undo what an import filled in': [takesBack(false, ['name', 'phone'])],
  'undo an import that a count gave way to': [
    async (stage) => {
      const id = await aGuest(stage, 'grace@example.com')
      const visit = { visits: 1, noShows: 0, cancellations: 0 }
      return () => stage.act((work) => giveBackCounts(work, id, visit, async () => {}))
    },
  ],
  'edit a guest': [
    async (stage) => {
      const id = await aGuest(stage, 'grace@example.com')
      const changes = { name: 'Grace Hopper', email: 'hopper@example.com' }
      return () => stage.act((work) => editGuest(work, manager, { id, seenVersion: 1, changes }))
    },
  ],
  'note about a guest': [
    async (stage) => {
      const id = await aGuest(stage, 'grace@example.com')
      const changes = { staffNotes: 'Knows the chef', allergies: 'Nuts' }
      return () => stage.act((work) => editGuest(work, manager, { id, seenVersion: 1, changes }))
    },
  ],
  'merge guests': [async (stage) => twoGuests(stage)],
  'undo a merge': [
    async (stage) => {
      const { merge } = await (await twoGuests(stage))()
      return () => stage.act((work) => undoMerge(work, manager, merge))
    },
  ],
  'erase a person': [
    async (stage) => {
      const email = 'grace@example.com'
      const person = { guestId: await aGuest(stage, email), email, phone: null, name: 'Grace' }
      await aSubscriber(stage, email)
      await post(stage, 'leads', { name: 'Grace', email })
      return async () => {
        const found = await stage.act((work) => erasePerson(work, manager, person))
        assert.deepEqual([found.guests.length, found.subscribers.length, found.leads.length], [1, 1, 1])
      }
    },
  ],
} as const satisfies Record<string, readonly Scene[]>

const consent = { source: 'Card at the door' }
const aSubscriber = async (stage: Stage, email = 'ada@example.com') =>
  (await post(stage, 'subscribers', { email, consent })).subscriber.id as number

const aSignUp = {
  email: 'ada@example.com',
  firstName: 'Ada',
  birthday: null,
  topics: [],
  statement: 'Send me news.',
  pageUrl: 'https://data.example.com/v/blue-door/news',
  language: 'en',
} as const

const signUp = (stage: Stage) => stage.act((work) => signUpByGuest(work, aSignUp))

const signedUp = async (stage: Stage): Promise<number> => {
  await signUp(stage)
  const [row] = await stage.query('select id from subscriber where venue_id = $1', [stage.venue.id])
  return Number(row?.['id'])
}

/** A month later, in which nobody confirmed. */
const ended = async (stage: Stage, id: number) => {
  stage.at('2026-11-20T19:00:00Z')
  return () => stage.act((work) => endSignUp(work, id))
}

const waitsToConfirm = async (stage: Stage) => {
  const id = await aSubscriber(stage)
  await stage.query(`update subscriber set status = 'pending' where venue_id = $1 and id = $2`, [
    stage.venue.id,
    id,
  ])
  return id
}

const leave = (stage: Stage, id: number, actor: Actor = manager) =>
  stage.act(async (work) => assert.ok((await unsubscribe(work, actor, id)).left))

const doNotMail = (stage: Stage, reason: SuppressionReason, actor: Actor = manager) =>
  stage.act((work) => suppress(work, actor, { email: 'ada@example.com', reason }))

const suppression = (reason: SuppressionReason): readonly Scene[] =>
  [aSubscriber, waitsToConfirm].map((somebody) => async (stage) => {
    await somebody(stage)
    return () => doNotMail(stage, reason)
  })

const imports =
  (
    kind: ObjectionKind,
    outcome: ObjectionOutcome,
    more: { readonly somebody?: (stage: Stage) => Promise<number>; readonly hoursAgo?: number } = {},
  ): Scene =>
  async (stage) => {
    await more.somebody?.(stage)
    const at = more.hoursAgo ? stage.service.context.clock().subtract({ hours: more.hoursAgo }) : null
    const objection = objectionOfRow({ email: 'ada@example.com', firstName: null, kind, at })
    return async () =>
      assert.equal(await stage.act((work) => importObjection(work, manager, objection)), outcome)
  }

const signsUpAgain = async (stage: Stage, status: string) => {
  const body = { email: 'ada@example.com', firstName: 'Ada', tag: 'Wine', consent }
  const answer = await post(stage, 'subscribers', body, 200)
  assert.deepEqual([answer.added, answer.status], [false, status])
}

export const subscriberScenes = {
  'subscribe by API': [async (stage) => () => aSubscriber(stage)],
  'subscribe by staff': [
    async (stage) => () => {
      const typed = { email: 'ada@example.com', firstName: null, tag: null, where: 'Card at the door' }
      const more = { statement: null, pageUrl: null, agreedAt: null }
      return stage.act((work) => addSubscriberByStaff(work, manager, { ...typed, ...more }))
    },
  ],
  'import a subscriber': [
    async (stage) => async () => {
      const now = stage.service.context.clock()
      const row = { email: 'ada@example.com', firstName: null, tag: null, birthday: null, where: 'Old list' }
      const signUp = signUpOfRow({ ...row, statement: null, pageUrl: null, agreedAt: now }, now)
      assert.equal(await stage.act((work) => importSubscriber(work, signUp)), 'made')
    },
  ],
  'import an objection': [
    imports('unsubscribed', 'added as unsubscribed'),
    imports('bounced', 'put on the do-not-email list'),
    imports('spam_report', 'put on the do-not-email list'),
    imports('staff_removal', 'put on the do-not-email list'),
  ],
  'import an objection of a subscriber': [aSubscriber, waitsToConfirm].flatMap((somebody) => [
    imports('unsubscribed', 'taken off the list', { somebody }),
    imports('spam_report', 'put on the do-not-email list and taken off the list', { somebody }),
    imports('staff_removal', 'put on the do-not-email list and taken off the list', { somebody }),
  ]),
  'import an older objection': (['unsubscribed', 'spam_report', 'staff_removal', 'bounced'] as const).map(
    (kind) => imports(kind, 'agreed since', { somebody: aSubscriber, hoursAgo: 1 }),
  ),
  'import a bounce of a subscriber': [
    imports('bounced', 'put on the do-not-email list', { somebody: aSubscriber }),
  ],
  'change a subscriber by API': [
    async (stage) => {
      const id = await aSubscriber(stage)
      return () => patch(stage, `subscribers/${id}`, { firstName: 'Augusta' })
    },
  ],
  'tag a subscriber by API': [
    async (stage) => {
      const id = await aSubscriber(stage)
      return () => post(stage, `subscribers/${id}/tags`, { add: ['Wine'] }, 200)
    },
    async (stage) => {
      const id = await aSubscriber(stage)
      await post(stage, `subscribers/${id}/tags`, { add: ['Wine'] }, 200)
      return () => post(stage, `subscribers/${id}/tags`, { remove: ['wine'] }, 200)
    },
  ],
  'tag a subscriber by API as they are': [
    async (stage) => {
      const id = await aSubscriber(stage)
      await post(stage, `subscribers/${id}/tags`, { add: ['Wine'] }, 200)
      return () => post(stage, `subscribers/${id}/tags`, { add: ['WINE'], remove: ['Beer'] }, 200)
    },
  ],
  'subscribe again with a tag': [
    async (stage) => {
      await aSubscriber(stage)
      const body = { email: 'ada@example.com', tag: 'Wine', consent: { source: 'Checkout' } }
      return () => post(stage, 'subscribers', body, 200)
    },
  ],
  'subscribe again': [
    async (stage) => {
      await aSubscriber(stage)
      await signsUpAgain(stage, 'subscribed')
      return () => signsUpAgain(stage, 'subscribed')
    },
  ],
  'subscribe again with a name': [
    async (stage) => {
      await aSubscriber(stage)
      return () => signsUpAgain(stage, 'subscribed')
    },
  ],
  'subscribe one who left': [
    async (stage) => {
      await leave(stage, await aSubscriber(stage))
      return () => signsUpAgain(stage, 'unsubscribed')
    },
  ],
  'subscribe one suppressed': [
    async (stage) => {
      await doNotMail(stage, 'bounced')
      return () => signsUpAgain(stage, 'suppressed')
    },
  ],
  'subscriber unsubscribe': [
    async (stage) => {
      const id = await aSubscriber(stage)
      return () => leave(stage, id)
    },
  ],
  'subscriber endSignUp': [
    async (stage) => {
      const id = await waitsToConfirm(stage)
      return () => leave(stage, id)
    },
  ],
  'subscriber decline': [
    async (stage) => {
      const id = await waitsToConfirm(stage)
      return () => leave(stage, id, { kind: 'guest' })
    },
  ],
  'spam report before confirming': [
    async (stage) => {
      await waitsToConfirm(stage)
      return () => doNotMail(stage, 'spam_report', { kind: 'service' })
    },
  ],
  'suppress for spam_report': suppression('spam_report'),
  'suppress for staff_removal': suppression('staff_removal'),
  'suppress for asked_elsewhere': suppression('asked_elsewhere'),
  'suppress for bounced': suppression('bounced'),
  'suppress one who left': [
    async (stage) => {
      await leave(stage, await aSubscriber(stage))
      return () => doNotMail(stage, 'spam_report')
    },
  ],
  'suppress a stranger': [async (stage) => () => doNotMail(stage, 'bounced')],
  'suppress again': [
    async (stage) => {
      await aSubscriber(stage)
      await doNotMail(stage, 'spam_report')
      return () => doNotMail(stage, 'staff_removal')
    },
  ],
  unsuppress: [
    async (stage) => {
      await aSubscriber(stage)
      await doNotMail(stage, 'bounced')
      const asked = { email: 'ada@example.com', why: 'Typed wrongly' }
      return () => stage.act((work) => unsuppress(work, manager, asked))
    },
  ],
  'choose a topic': [
    async (stage) => {
      const id = await aSubscriber(stage)
      const [topic] = await stage.query(
        `insert into tag (venue_id, name, name_key, topic) values ($1, 'Wine', 'wine', true) returning id`,
        [stage.venue.id],
      )
      const choice = { pause: null, birthdayMails: true, topics: new Set([Number(topic?.['id'])]) } as const
      return async () => assert.ok(await stage.act((work) => savePreferences(work, id, choice)))
    },
  ],
  'sign up': [async (stage) => () => signUp(stage)],
  'sign up again': [
    async (stage) => {
      await leave(stage, await aSubscriber(stage))
      return () => signUp(stage)
    },
  ],
  'sign up with a topic': [
    async (stage) => {
      await stage.query(
        `insert into tag (venue_id, name, name_key, topic) values ($1, 'Wine', 'wine', true)`,
        [stage.venue.id],
      )
      const [tag] = await stage.query('select id from tag where venue_id = $1', [stage.venue.id])
      return () => stage.act((work) => signUpByGuest(work, { ...aSignUp, topics: [Number(tag?.['id'])] }))
    },
  ],
  'confirm a sign-up': [
    async (stage) => {
      const id = await signedUp(stage)
      return () => stage.act((work) => confirmSignUp(work, id))
    },
  ],
  'end a sign-up': [async (stage) => ended(stage, await signedUp(stage))],
  'end a sign-up of one who left': [
    async (stage) => {
      await leave(stage, await aSubscriber(stage))
      return ended(stage, await signedUp(stage))
    },
  ],
  'choose mails': [
    async (stage) => {
      const id = await aSubscriber(stage)
      const choice = { pause: 30, birthdayMails: false, topics: new Set<number>() } as const
      return async () => assert.ok(await stage.act((work) => savePreferences(work, id, choice)))
    },
  ],
} as const satisfies Record<string, readonly Scene[]>

const aLead = async (stage: Stage) =>
  (await stage.act((work) => addLead(work, manager, { contactName: 'Grace' }))).id

export const leadScenes = {
  'enquire by API': [async (stage) => () => post(stage, 'leads', { name: 'Ada', email: emailOf(stage) })],
  'enquire by guest': [
    async (stage) => () =>
      stage.act((work) =>
        inquireByGuest(
          work,
          newGuestSettings,
          { contactName: 'Ada', contactEmail: stage.contact.email },
          'en',
        ),
      ),
  ],
  'enquire by staff': [
    async (stage) => () =>
      stage.act((work) => addLead(work, manager, { contactName: 'Ada', contactEmail: stage.contact.email })),
  ],
  'edit a lead': [
    async (stage) => {
      const id = await aLead(stage)
      const changes = { occasion: 'Birthday', notes: 'By the window' }
      return () => stage.act((work) => editLead(work, manager, { id, seenVersion: 1, changes }))
    },
  ],
  'edit the contact of a lead': [
    async (stage) => {
      const id = await aLead(stage)
      const changes = { contactEmail: stage.contact.email }
      return () => stage.act((work) => editLead(work, manager, { id, seenVersion: 1, changes }))
    },
  ],
  'move a lead': [
    async (stage) => {
      const id = await aLead(stage)
      return () => stage.act((work) => moveLead(work, manager, { id, seenVersion: 1, stage: 'Booked' }))
    },
  ],
  'set a priority': [
    async (stage) => {
      const id = await aLead(stage)
      const asked = { id, seenVersion: 1, priority: 'High' }
      return () => stage.act((work) => setLeadPriority(work, manager, asked))
    },
  ],
  'delete a lead': [
    async (stage) => {
      const id = await aLead(stage)
      return () => stage.act((work) => deleteLead(work, manager, { id, seenVersion: 1 }))
    },
  ],
} as const satisfies Record<string, readonly Scene[]>
