import type { Context } from '../../../context.ts'
import { type KeyRow, liveKeysMadeBy } from '../../../integrations/access/keys.ts'
import { useFormToken } from '../../../platform/http/form-token.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { type Refusal, badRequest } from '../../../platform/kernel/refusal.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { makePasswordLink } from '../../../core/staff/password-links.ts'
import {
  type Person,
  changeRole,
  openAccount,
  personOf,
  resetCodes,
  shutAccount,
} from '../../../core/staff/people.ts'
import { staffRoles } from '../../../core/staff/roles.ts'
import { actorOf } from '../frame/actor.ts'
import { type PageAnswer, go, page } from '../frame/page.ts'
import { idOf, tokenField } from '../parts/forms/fields.ts'
import { warning } from '../parts/press-message.ts'
import { roleWords } from '../frame/role-words.ts'
import type { OfficeRequest, OfficeWork, VenuePage } from '../frame/serve-page.ts'

const home = '/office/people'

/**
 * One staff account: role, a way back in when the password or phone is lost, deactivation. Anything that would let
 * somebody take over an account from the owner's unattended tablet asks for the owner's password.
 */
export const personPages = (context: Context): readonly VenuePage[] => [
  {
    method: 'GET',
    path: `${home}/:id`,
    role: 'owner',
    answer: (work, asked) => personPage(work, asked),
  },
  {
    method: 'POST',
    path: `${home}/:id/role`,
    role: 'owner',
    asksPassword: true,
    answer: async (work, { params, form }) => {
      const role = staffRoles.find((one) => one === form.text('role'))
      if (!role) throw badRequest('Choose a role.')
      const id = idOf(params.id, 'account')
      const { email } = await changeRole(work, actorOf(work.me), { id, was: form.text('was'), role })
      return go(
        `${home}/${id}`,
        `${email} is now ${role === 'owner' ? 'an' : 'a'} ${role} and must sign in again.`,
      )
    },
    again: personPage,
  },
  {
    method: 'POST',
    path: `${home}/:id/password-link`,
    role: 'owner',
    asksPassword: true,
    answer: async (work, { params, form }) => {
      const id = idOf(params.id, 'account')
      if (!(await useFormToken(work.db, work.venue.id, 'password-link', form.text('token'), work.now()))) {
        return go(
          `${home}/${id}`,
          warning('This link was already created. If you did not copy it, create another.'),
        )
      }
      const { token, email } = await makePasswordLink(context, work, actorOf(work.me), id)
      return linkPage(email, `${context.config.publicUrl}/office/new-password/${token}`)
    },
    again: personPage,
  },
  {
    method: 'POST',
    path: `${home}/:id/reset-codes`,
    role: 'owner',
    asksPassword: true,
    answer: async (work, { params }) => {
      const { id, email } = await resetCodes(work, actorOf(work.me), idOf(params.id, 'account'))
      return go(`${home}/${id}`, `${email} now signs in without codes and was signed out everywhere.`)
    },
    again: personPage,
  },
  {
    method: 'POST',
    path: `${home}/:id/shut`,
    role: 'owner',
    answer: async (work, { params }) => {
      const { email } = await shutAccount(work, actorOf(work.me), idOf(params.id, 'account'))
      return go(home, `${email} can no longer sign in.`)
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/open`,
    role: 'owner',
    answer: async (work, { params }) => {
      const { email } = await openAccount(work, actorOf(work.me), idOf(params.id, 'account'))
      return go(home, `${email} can sign in again.`)
    },
  },
]

const personPage = async (
  { db, venue, me }: OfficeWork,
  { params }: OfficeRequest,
  /** Why a form came back. */
  refusal?: Refusal,
): Promise<PageAnswer> => {
  const person = await personOf(db, venue.id, idOf(params.id, 'account'))
  const { id, name, email, role, disabled_at } = person
  if (id === me.staff.id) {
    if (refusal) throw refusal
    return go('/office/account')
  }
  const keys = await liveKeysMadeBy(db, venue.id, email)
  return page(
    name ?? email,
    html`<div class="page-head">
        <h1 class="breaks">${name ?? email}</h1>
        <a class="button quiet" href="${home}">All people</a>
      </div>
      ${refusal && html`<p class="mistake" role="alert">${refusal.message}</p>`}
      <div class="columns">
        <div class="stack">
        <section class="card">
          <header>
            <h2>Account</h2>
            ${disabled_at === null ? html`<span class="tag">${role}</span>` : html`<span class="tag bad">deactivated</span>`}
          </header>
          <dl class="facts">
            <dt>Email</dt>
            <dd class="breaks">${email}</dd>
            <dt>Created</dt>
            <dd>${momentInWords(person.created_at, venue.timezone)}</dd>
            ${
              disabled_at !== null &&
              html`<dt>Deactivated</dt>
                <dd>${momentInWords(disabled_at, venue.timezone)}</dd>`
            }
          </dl>
          ${
            disabled_at === null
              ? html`<form
                  method="post"
                  action="${home}/${id}/shut"
                  data-asks="Deactivate this account? They are signed out at once, and invitations and links they created stop working."
                >
                  <button class="danger">Deactivate account</button>
                </form>`
              : html`<form method="post" action="${home}/${id}/open"><button>Reactivate</button></form>`
          }
        </section>
        ${keys.length > 0 && keysPart(keys)}
        ${disabled_at === null && rolePart(person)}
        </div>
        ${disabled_at === null && html`<div class="stack">${passwordPart(person)}${codesPart(person)}</div>`}
      </div>`,
  )
}

const keysPart = (keys: readonly KeyRow[]): Html =>
  html`<section class="card">
    <header><h2>API keys they created</h2></header>
    <p class="soft">
      These keys keep working if the account is deactivated or its role changes. Revoke any that should not, under
      <a href="/office/integrations">Integrations</a>.
    </p>
    <ul class="rows">
      ${keys.map(
        ({ name, kind, scope, last_four }) =>
          html`<li class="row">
            <div class="grow"><strong class="breaks">${name}</strong><br /><span class="small soft">…${last_four}</span></div>
            <span class="tag">${kind === 'automation' ? 'automation' : scope === 'read' ? 'read-only' : 'read and write'}</span>
          </li>`,
      )}
    </ul>
  </section>`

const rolePart = ({ id, role }: Person): Html =>
  html`<section class="card">
    <header><h2>Role</h2></header>
    <p class="soft">Changing the role signs them out everywhere; they sign in again.</p>
    <form class="form" method="post" action="${home}/${id}/role">
      <input type="hidden" name="was" value="${role}" />
      <label class="field"
        ><span>Role</span
        ><select name="role">
          ${staffRoles.map(
            (one) =>
              html`<option value="${one}" ${one === role && html`selected`}>${roleWords[one]}</option>`,
          )}
        </select></label
      >
      ${ownPasswordField()}
      <div><button class="primary">Change role</button></div>
    </form>
  </section>`

const passwordPart = ({ id }: Person): Html =>
  html`<section class="card">
    <header><h2>Reset password</h2></header>
    <p class="soft">
      Creates a link for choosing a new password. It works once, within a day. Sign-in codes stay as they are.
    </p>
    <form class="form" method="post" action="${home}/${id}/password-link">
      ${tokenField()} ${ownPasswordField()}
      <div><button class="primary">Create link</button></div>
    </form>
  </section>`

const codesPart = ({ id, codes }: Person): Html =>
  html`<section class="card">
    <header>
      <h2>Sign-in codes</h2>
      ${codes ? html`<span class="tag good">On</span>` : html`<span class="tag">Off</span>`}
    </header>
    ${
      codes
        ? html`<p class="soft">
              For a lost phone: they can sign in with just the password until they turn codes on again. They are signed out everywhere.
            </p>
            <form class="form" method="post" action="${home}/${id}/reset-codes">
              ${ownPasswordField()}
              <div><button class="danger">Turn their codes off</button></div>
            </form>`
        : html`<p class="soft">They can turn codes on themselves, in their account.</p>`
    }
  </section>`

/** How the owner doing this proves who they are. */
export const ownPasswordField = (): Html =>
  html`<label class="field"
    ><span>Your own password or a code</span
    ><input name="password" type="password" autocomplete="current-password" required
  /></label>`

const linkPage = (email: string, link: string): PageAnswer =>
  page(
    'New password',
    html`<div class="page-head"><h1 class="breaks">New password for ${email}</h1></div>
      <section class="card">
        <p class="hint">Copy the link now: it is shown only once.</p>
        <p>
          Give it only to them. It works once, within a day; using it signs them out everywhere. It replaces any earlier link.
        </p>
        <p class="code" id="link">${link}</p>
        <div class="inline">
          <button class="primary" type="button" data-copies="link">Copy</button
          ><a class="button" href="${home}">Done</a>
        </div>
      </section>`,
  )
