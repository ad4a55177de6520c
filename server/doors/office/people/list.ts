import type { Context } from '../../../context.ts'
import { useFormToken } from '../../../platform/http/form-token.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { isEmailAddress } from '../../../platform/kernel/email.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { Refusal, badRequest } from '../../../platform/kernel/refusal.ts'
import { recordActivity } from '../../../core/activity/record.ts'
import {
  type OpenInvitation,
  hasAccount,
  invite,
  openInvitations,
  revokeInvitation,
} from '../../../core/staff/invitations.ts'
import { type Person, staffOfVenue } from '../../../core/staff/people.ts'
import { staffRoles } from '../../../core/staff/roles.ts'
import { actorOf } from '../frame/actor.ts'
import { type PageAnswer, go, page } from '../frame/page.ts'
import { type Typed, idOf, tokenField, typedIn } from '../parts/forms/fields.ts'
import { warning } from '../parts/press-message.ts'
import { ownPasswordField, personPages } from './one.ts'
import { roleWords } from '../frame/role-words.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'

const home = '/office/people'

/** Who may sign in at the venue, and who is invited; one.ts is what an owner does about one of them. */
export const peoplePages = (context: Context): readonly VenuePage[] => [
  {
    method: 'GET',
    path: home,
    role: 'owner',
    answer: async (work) => peoplePage(work, {}),
  },
  {
    // That path only answers a form; anyone who opens it directly wants the list.
    method: 'GET',
    path: `${home}/invitations`,
    role: 'owner',
    answer: async () => go(home),
  },
  {
    method: 'POST',
    path: `${home}/invitations`,
    role: 'owner',
    // Inviting an owner could give the venue away: an office left open must not be enough.
    asksPassword: true,
    answer: async (work, { form }) => {
      const { db, venue, me, now } = work
      const email = form.text('email').trim()
      const role = staffRoles.find((one) => one === form.text('role'))
      if (!isEmailAddress(email) || !role) throw badRequest('Enter an email address and choose a role.')
      if (!(await useFormToken(db, venue.id, 'invitation', form.text('token'), now()))) {
        return go(home, warning('This invitation was already created. For another link, invite them again.'))
      }
      if (await hasAccount(db, email)) throw new Refusal(409, `${email} already has an account.`)
      const token = await invite(context, db, venue.id, { email, role, invitedBy: me.staff.email })
      await recordActivity(
        work,
        actorOf(me),
        { action: 'invite', record: { kind: 'invitation', id: 0 }, before: null, after: { email, role } },
        now(),
      )
      return page(
        'Invitation',
        html`<div class="page-head"><h1 class="breaks">Invitation for ${email}</h1></div>
          <section class="card">
            <p class="hint">Copy the link now: it is shown only once.</p>
            <p>Send it to them. It works once, within three days, and replaces any earlier invitation.</p>
            <p class="code" id="link">${context.config.publicUrl}/office/invitations/${token}</p>
            <div class="inline">
              <button class="primary" type="button" data-copies="link">Copy</button
              ><a class="button" href="${home}">Done</a>
            </div>
          </section>`,
      )
    },
    again: async (work, { form }, refusal) => peoplePage(work, typedIn(form), refusal.message),
  },
  {
    method: 'POST',
    path: `${home}/invitations/:id/revoke`,
    role: 'owner',
    answer: async (work, { params }) => {
      const { email } = await revokeInvitation(work, actorOf(work.me), idOf(params.id, 'invitation'))
      return go(home, `The invitation for ${email} was revoked; its link no longer works.`)
    },
  },
  ...personPages(context),
]

const peoplePage = async (
  { db, venue, me, now }: OfficeWork,
  typed: Typed,
  mistake?: string,
): Promise<PageAnswer> => {
  const [people, invitations] = await Promise.all([
    staffOfVenue(db, venue.id),
    openInvitations(db, venue.id, now()),
  ])
  return page(
    'People',
    html`<div class="page-head"><h1>People</h1></div>
      <div class="stack">
        <section class="card">
          <header><h2>Accounts</h2></header>
          <ul class="rows">
            ${people.map((person) => personRow(person, person.id === me.staff.id))}
          </ul>
        </section>
        ${
          invitations.length > 0 &&
          html`<section class="card">
            <header><h2>Invited</h2></header>
            <ul class="rows">
              ${invitations.map((one) => invitationRow(one, venue.timezone))}
            </ul>
          </section>`
        }
        ${inviteForm(typed, mistake)}
      </div>`,
  )
}

const personRow = ({ id, name, email, role, codes, disabled_at }: Person, isMe: boolean): Html =>
  html`<li>
    <div class="grow">
      <strong class="breaks">${name ?? email}</strong><br /><span class="small soft breaks"
        >${name !== null && html`${email} · `}${codes ? 'signs in with codes' : 'signs in without codes'}</span
      >
    </div>
    ${disabled_at === null ? html`<span class="tag">${role}</span>` : html`<span class="tag bad">deactivated</span>`}
    ${
      isMe
        ? html`<a class="button" href="/office/account">Your account</a>`
        : html`<a class="button" href="${home}/${id}"
            >Manage<span class="hidden-text"> ${name ?? email}</span></a
          >`
    }
  </li>`

const invitationRow = ({ id, email, role, invited_by, expires_at }: OpenInvitation, zone: string): Html =>
  html`<li>
    <div class="grow">
      <strong class="breaks">${email}</strong><br /><span class="small soft breaks"
        >by ${invited_by}, until ${momentInWords(expires_at, zone)}</span
      >
    </div>
    <span class="tag">${role}</span>
    <form method="post" action="${home}/invitations/${id}/revoke">
      <button class="danger">Revoke<span class="hidden-text"> the invitation for ${email}</span></button>
    </form>
  </li>`

const inviteForm = (typed: Typed, mistake?: string): Html =>
  html`<section class="card">
    <header><h2>Invite someone</h2></header>
    ${mistake && html`<p class="mistake" role="alert">${mistake}</p>`}
    <form class="form" method="post" action="${home}/invitations">
      ${tokenField(typed.token)}
      <div class="fields">
        <label class="field"
          ><span>Email</span
          ><input name="email" type="email" required maxlength="254" value="${typed.email ?? ''}"
        /></label>
        <label class="field"
          ><span>Role</span
          ><select name="role">
            ${staffRoles.map(
              (role) =>
                html`<option value="${role}" ${role === typed.role && html`selected`}>${roleWords[role]}</option>`,
            )}
          </select></label
        >
        ${ownPasswordField()}
      </div>
      <div><button class="primary">Create invitation</button></div>
    </form>
  </section>`
