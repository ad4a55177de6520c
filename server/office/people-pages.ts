import type { Context } from '../context.ts'
import { html } from '../html/html.ts'
import { isEmailAddress } from '../kernel/email.ts'
import { Refusal, badRequest, notFound } from '../kernel/refusal.ts'
import { recordActivity } from '../activity/record.ts'
import { hasAccount, invite } from '../staff/invitations.ts'
import { disableStaff, enableStaff, staffOfVenue } from '../staff/people.ts'
import { staffRoles } from '../staff/roles.ts'
import { closeSessionsOf } from '../staff/sessions.ts'
import { actorOf } from './actor.ts'
import { go, page } from './page.ts'
import { momentInWords } from './parts/words.ts'
import type { VenuePage } from './serve-page.ts'

const home = '/office/people'

const roleWords = {
  host: 'Host: the book, the waitlist, guests',
  manager: 'Manager: also settings, lists, refunds',
  owner: 'Owner: also integrations and people',
} as const

/** Who may sign in at the venue: the owner invites people by a link that works once, and shuts accounts. */
export const peoplePages = (context: Context): readonly VenuePage[] => [
  {
    method: 'GET',
    path: home,
    role: 'owner',
    answer: async ({ db, venue, me }) => {
      const people = await staffOfVenue(db, venue.id)
      return page(
        'People',
        html`<div class="page-head"><h1>People</h1></div>
          <div class="stack">
            <section class="card">
              <ul class="rows">
                ${people.map(
                  (person) =>
                    html`<li>
                      <div class="grow">
                        <strong>${person.name ?? person.email}</strong><br /><span class="small soft"
                          >${person.email} · since
                          ${momentInWords(person.created_at, venue.timezone)}${person.codes && ' · signs in with codes'}</span
                        >
                      </div>
                      <span class="tag">${person.role}</span>
                      ${
                        person.id === me.staff.id
                          ? html`<span class="small soft">you</span>`
                          : person.disabled_at === null
                            ? html`<form
                                method="post"
                                action="${home}/${person.id}/shut"
                                data-asks="Shut this account? They are signed out at once."
                              >
                                <button class="danger">Shut</button>
                              </form>`
                            : html`<form method="post" action="${home}/${person.id}/open">
                                <button>Open again</button>
                              </form>`
                      }
                    </li>`,
                )}
              </ul>
            </section>
            <section class="card">
              <h2>Invite somebody</h2>
              <form class="form" method="post" action="${home}/invitations">
                <div class="fields">
                  <label class="field"
                    ><span>E-mail</span><input name="email" type="email" required maxlength="254"
                  /></label>
                  <label class="field"
                    ><span>Role</span
                    ><select name="role">
                      ${staffRoles.toReversed().map((role) => html`<option value="${role}">${roleWords[role]}</option>`)}
                    </select></label
                  >
                </div>
                <div><button class="primary">Make the invitation</button></div>
              </form>
            </section>
          </div>`,
      )
    },
  },
  {
    method: 'POST',
    path: `${home}/invitations`,
    role: 'owner',
    answer: async (work, { form }) => {
      const { db, venue, me, now } = work
      const email = form.text('email').trim()
      const role = staffRoles.find((one) => one === form.text('role'))
      if (!isEmailAddress(email) || !role) throw badRequest('Give an e-mail address and a role.')
      if (await hasAccount(db, email)) throw new Refusal(409, `${email} has an account already.`)
      const token = await invite(context, db, venue.id, { email, role, invitedBy: me.staff.email })
      await recordActivity(
        work,
        actorOf(me),
        { action: 'invite', record: { kind: 'venue', id: venue.id }, before: null, after: { email, role } },
        now(),
      )
      return page(
        'Invitation',
        html`<div class="page-head"><h1>Invitation for ${email}</h1></div>
          <section class="card">
            <p>Send them this link. It works once, for three days.</p>
            <p class="code" id="link">${context.config.publicUrl}/office/invitations/${token}</p>
            <div class="inline">
              <button class="primary" type="button" data-copies="link">Copy</button
              ><a class="button" href="${home}">Done</a>
            </div>
          </section>`,
      )
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/shut`,
    role: 'owner',
    answer: async (work, { params }) => {
      const { db, venue, me, now } = work
      const id = idOf(params.id)
      if (id === me.staff.id) throw new Refusal(409, 'You cannot shut your own account.')
      const email = await disableStaff(db, venue.id, id, now())
      if (email === undefined) throw notFound('account')
      await closeSessionsOf(db, id)
      await recordActivity(
        work,
        actorOf(me),
        {
          action: 'shut an account',
          record: { kind: 'venue', id: venue.id },
          before: { email },
          after: { email, shut: true },
        },
        now(),
      )
      return go(home, `${email} can no longer sign in.`)
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/open`,
    role: 'owner',
    answer: async (work, { params }) => {
      const { db, venue, me, now } = work
      const email = await enableStaff(db, venue.id, idOf(params.id))
      if (email === undefined) throw notFound('account')
      await recordActivity(
        work,
        actorOf(me),
        {
          action: 'open an account',
          record: { kind: 'venue', id: venue.id },
          before: { email },
          after: { email, shut: false },
        },
        now(),
      )
      return go(home, `${email} can sign in again.`)
    },
  },
]

const idOf = (text: string | undefined): number => {
  if (text === undefined || !/^\d{1,15}$/.test(text)) throw notFound('account')
  return Number(text)
}
