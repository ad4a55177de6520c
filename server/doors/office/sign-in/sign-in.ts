import type { Context } from '../../../context.ts'
import { html } from '../../../platform/html/html.ts'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import { acceptInvitation, invitationOf } from '../../../core/staff/invitations.ts'
import { deviceWith, readDevice } from '../../../core/staff/known-device.ts'
import { passwordCharacters } from '../../../core/staff/password.ts'
import { mostNameCharacters } from '../../../core/staff/name-account.ts'
import { closeSession, openSession } from '../../../core/staff/sessions.ts'
import { signIn } from '../../../core/staff/sign-in.ts'
import { deviceCookie, endedCookie, sessionCookie } from '../frame/cookies.ts'
import { ownPartiesPath } from '../servers/own-parties.ts'
import { ownPath } from '../frame/own-path.ts'
import { type PageAnswer, go, page } from '../frame/page.ts'
import type { OpenPage } from '../frame/serve-page.ts'
import { namePath } from './name.ts'

/** Signing in and out, and accepting an invitation. */
export const signInPages: readonly OpenPage[] = [
  ...(['/', '/office/', '/operator', '/operator/'] as const).map((path): OpenPage => ({
    method: 'GET',
    path,
    role: 'anyone',
    answer: async () => go('/office'),
  })),
  {
    method: 'GET',
    path: '/office',
    role: 'anyone',
    answer: async (_context, _asked, me) => go(me ? homeOf(me.staff.role) : '/office/sign-in'),
  },
  {
    method: 'GET',
    path: '/office/sign-in',
    role: 'anyone',
    answer: async (_context, { query }, me) =>
      me ? go(homeOf(me.staff.role)) : signInPage({ next: query.get('next') ?? '', email: '' }),
  },
  {
    method: 'POST',
    path: '/office/sign-in',
    role: 'anyone',
    answer: async (context, { form, from, device }, me) => {
      const email = form.text('email')
      const next = form.text('next')
      try {
        const result = await signIn(context, {
          email,
          password: form.text('password'),
          code: form.has('code') ? form.text('code') : undefined,
          from,
          device,
        })
        if ('needsCode' in result) return signInPage({ next, email, needsCode: true })
        // Somebody else is signing in on this browser: the session whose cookie is replaced ends.
        if (me) await closeSession(context.db, me.sessionId)
        // On a shared tablet that is the page of the person before them.
        const to = result.role === 'server' ? undefined : ownPath(next)
        return signedIn(context, result, result.isNamed ? to : namePath(to))
      } catch (error) {
        if (!(error instanceof Refusal) || error.status >= 500) throw error
        return signInPage({ next, email, needsCode: form.has('code'), mistake: error.message }, error.status)
      }
    },
  },
  {
    method: 'POST',
    path: '/office/sign-out',
    role: 'anyone',
    answer: async ({ db, config }, { form }, me) => {
      if (me) await closeSession(db, me.sessionId)
      const next = ownPath(form.text('next'))
      const to = `/office/sign-in${next === undefined ? '' : `?next=${encodeURIComponent(next)}`}`
      return { ...go(to), cookies: [endedCookie(config.publicUrl)] } as PageAnswer
    },
  },
  {
    method: 'GET',
    path: '/office/invitations/:token',
    role: 'anyone',
    answer: async ({ db, clock }, { params }) => {
      const invitation = await invitationOf(db, params.token ?? '', clock())
      if (!invitation) throw new Refusal(404, 'This invitation was used or has expired; ask for a new one.')
      return invitationPage(invitation.venue_name, invitation.email)
    },
  },
  {
    method: 'POST',
    path: '/office/invitations/:token',
    role: 'anyone',
    answer: async (context, { params, form, device }) => {
      const token = params.token ?? ''
      const invitation = await invitationOf(context.db, token, context.clock())
      if (!invitation) throw new Refusal(404, 'This invitation was used or has expired; ask for a new one.')
      try {
        const result = await context.db.transaction(async (db) => {
          const id = await acceptInvitation(context, db, token, {
            name: form.text('name'),
            password: form.text('password'),
          })
          const session = await openSession(db, id, context)
          if (session === undefined) throw new Refusal(409, 'Sign in with your new password.')
          return { token: session, device: deviceWith(context, readDevice(context, device), id) }
        })
        return signedIn(context, result)
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 400) throw error
        return invitationPage(invitation.venue_name, invitation.email, error.message)
      }
    },
  },
]

const signedIn = (
  { config: { publicUrl } }: Pick<Context, 'config'>,
  { token, device }: { readonly token: string; readonly device: string },
  to = '/office',
): PageAnswer => ({
  kind: 'go',
  to,
  cookies: [sessionCookie(publicUrl, token), deviceCookie(publicUrl, device)],
})

const homeOf = (role: string): string =>
  role === 'reviewer' ? '/operator/requests' : role === 'server' ? ownPartiesPath : '/office/service'

type SignInForm = { next: string; email: string; needsCode?: boolean; mistake?: string }

const signInPage = ({ next, email, needsCode, mistake }: SignInForm, status?: number): PageAnswer =>
  page(
    'Sign in',
    html`<div class="card">
      <h1>Sign in</h1>
      ${mistake && html`<p class="mistake" role="alert">${mistake}</p>`}
      <form class="form" method="post" action="/office/sign-in">
        <input type="hidden" name="next" value="${next}" />
        <label class="field"
          ><span>Email</span
          ><input
            name="email"
            type="email"
            autocomplete="username"
            required
            value="${email}"
            ${!needsCode && html`autofocus`}
        /></label>
        <label class="field"
          ><span>Password</span
          ><input name="password" type="password" autocomplete="current-password" required
        /></label>
        ${
          needsCode &&
          html`<label class="field"
            ><span>Code from your authenticator app</span
            ><input
              name="code"
              inputmode="numeric"
              autocomplete="one-time-code"
              pattern="[0-9 ]{6,8}"
              required
              autofocus
          /></label>`
        }
        <button class="primary">Sign in</button>
      </form>
      <details class="small">
        <summary>${needsCode ? 'No code, or forgot your password?' : 'Forgot your password?'}</summary>
        <p>
          We do not email reset links. An owner of your venue can create a password link for you, or turn your codes off, under People. If you are the only owner, ask whoever runs this service.
        </p>
      </details>
    </div>`,
    status,
  )

const invitationPage = (venue: string, email: string, mistake?: string): PageAnswer =>
  page(
    'Welcome',
    html`<div class="card">
      <h1>Welcome to ${venue}</h1>
      <p class="soft breaks">You were invited as ${email}. Choose a password to get started.</p>
      ${mistake && html`<p class="mistake" role="alert">${mistake}</p>`}
      <form class="form" method="post">
        <input type="hidden" name="username" autocomplete="username" value="${email}" />
        <label class="field"
          ><span>Your name</span
          ><input name="name" autocomplete="name" maxlength="${mostNameCharacters}" required autofocus
        /></label>
        <label class="field"
          ><span>Password</span
          ><input
            name="password"
            type="password"
            autocomplete="new-password"
            required
            minlength="${passwordCharacters.least}"
            maxlength="${passwordCharacters.most}"
          /><small>At least ${passwordCharacters.least} characters.</small></label
        >
        <button class="primary">Get started</button>
      </form>
    </div>`,
    mistake === undefined ? undefined : 400,
  )
