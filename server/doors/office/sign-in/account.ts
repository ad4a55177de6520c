import type { Queries } from '../../../platform/db/pool.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { Refusal, badRequest } from '../../../platform/kernel/refusal.ts'
import { changePassword } from '../../../core/staff/change-password.ts'
import { chooseLargerRows } from '../../../core/staff/name-account.ts'
import { passwordCharacters } from '../../../core/staff/password.ts'
import { chooseWeeklyLetter, letterRoles } from '../../../core/staff/weekly-letter.ts'
import { timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { type SignedIn, closeSessionsOf } from '../../../core/staff/sessions.ts'
import { checkBoth } from '../../../core/staff/sign-in.ts'
import {
  beginCodes,
  secondFactorOf,
  switchOffOwnCodes,
  switchOnCodes,
} from '../../../core/staff/second-factor.ts'
import { totpAddress } from '../../../core/staff/totp.ts'
import { type PageAnswer, go, page } from '../frame/page.ts'
import { deviceCard } from '../tablet/device-card.ts'
import type { OpenPage } from '../frame/serve-page.ts'
import { endedCookie } from '../frame/cookies.ts'

/**
 * One's own account: the password, the second factor, and signing out everywhere. For every role but servers, reviewers too;
 * a server who forgot the password gets a link for a new one from the owner.
 */
export const accountPages: readonly OpenPage[] = [
  {
    method: 'GET',
    path: '/office/account',
    role: 'anyone',
    notForServers: true,
    answer: async ({ db }, _asked, me) => {
      if (!me) return go('/office/sign-in?next=%2Foffice%2Faccount')
      return accountPage(db, me)
    },
  },
  {
    method: 'POST',
    path: '/office/account/password',
    role: 'anyone',
    notForServers: true,
    answer: async (context, { form }, me) => {
      if (!me) return go('/office/sign-in')
      try {
        await changePassword(context, me, { password: form.text('password'), chosen: form.text('chosen') })
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 400) throw error
        return accountPage(context.db, me, error.message)
      }
      return go('/office/account', 'Password changed. You were signed out everywhere else.')
    },
  },
  {
    method: 'POST',
    path: '/office/account/larger-rows',
    role: 'anyone',
    notForServers: true,
    answer: async ({ db }, { form }, me) => {
      if (!me) return go('/office/sign-in')
      const isLarger = form.text('larger') === 'yes'
      await chooseLargerRows(db, me.staff.id, isLarger)
      return go('/office/account', isLarger ? 'Rows are larger now.' : 'Rows are as usual now.')
    },
  },
  {
    method: 'POST',
    path: '/office/account/weekly-letter',
    role: 'anyone',
    notForServers: true,
    answer: async ({ db }, { form }, me) => {
      if (!me?.venue) return go('/office/sign-in')
      if (!mayGetLetter(me)) throw new Refusal(403, 'The weekly letter is for managers and owners.')
      const isWanted = form.text('wanted') === 'yes'
      await chooseWeeklyLetter(db, { venue: me.venue.id, id: me.staff.id }, isWanted)
      return go(
        '/office/account',
        isWanted ? 'You get the weekly letter from now on.' : 'You no longer get the weekly letter.',
      )
    },
  },
  {
    method: 'POST',
    path: '/office/account/sign-out-everywhere',
    role: 'anyone',
    notForServers: true,
    answer: async ({ db, config }, _asked, me) => {
      if (me) await closeSessionsOf(db, me.staff.id)
      return { ...go('/office/sign-in'), cookies: [endedCookie(config.publicUrl)] } as PageAnswer
    },
  },
  {
    method: 'POST',
    path: '/office/account/codes/begin',
    role: 'anyone',
    notForServers: true,
    answer: async (context, { form }, me) => {
      if (!me) return go('/office/sign-in')
      await checkBoth(context, me, { password: form.text('password'), code: form.text('code') })
      return confirmPage(me, await beginCodes(context, me))
    },
  },
  {
    method: 'POST',
    path: '/office/account/codes/on',
    role: 'anyone',
    notForServers: true,
    answer: async (context, { form }, me) => {
      if (!me) return go('/office/sign-in')
      // An unlocked tablet is not enough to add somebody else's authenticator to the account.
      if (!me.fresh) throw badRequest('Start over: you typed your password more than ten minutes ago.')
      const mistaken = await switchOnCodes(context, me, form.text('code'))
      if (mistaken)
        return confirmPage(me, mistaken.wrongFor, 'That code is not correct; wait for the next one.')
      return go(
        '/office/account',
        'Codes are on. You will be asked for one when you sign in. You were signed out everywhere else.',
      )
    },
  },
  {
    method: 'POST',
    path: '/office/account/codes/off',
    role: 'anyone',
    notForServers: true,
    answer: async (context, { form }, me) => {
      if (!me) return go('/office/sign-in')
      await checkBoth(context, me, { password: form.text('password'), code: form.text('code') })
      await switchOffOwnCodes(context, me)
      return go('/office/account', 'Codes are off. You were signed out everywhere else.')
    },
  },
]

const accountPage = async (db: Queries, me: SignedIn, mistake?: string): Promise<PageAnswer> => {
  const { on } = await secondFactorOf(db, me.staff.id)
  return page(
    'Your account',
    html`<div class="page-head"><h1>Your account</h1></div>
      <div class="columns">
        <div class="stack">
        <section class="card">
          <h2 class="breaks">${me.staff.name ?? me.staff.email}</h2>
          <dl class="facts">
            <dt>Name</dt>
            <dd class="breaks">${me.staff.name ?? 'Not given'} · <a href="/office/account/name">Change</a></dd>
            <dt>Email</dt>
            <dd class="breaks">${me.staff.email}</dd>
            <dt>Role</dt>
            <dd>${me.staff.role}</dd>
          </dl>
          <div class="inline">
            <form method="post" action="/office/sign-out"><button>Sign out</button></form>
            <form method="post" action="/office/account/sign-out-everywhere">
              <button class="danger">Sign out everywhere</button>
            </form>
          </div>
        </section>
        <section class="card">
          <header>
            <h2>Sign-in codes</h2>
            ${on ? html`<span class="tag good">On</span>` : html`<span class="tag">Off</span>`}
          </header>
          <p class="soft">
            With a code from an authenticator app, a stolen password is not enough to get in.
          </p>
          ${
            on
              ? html`<form class="form" method="post" action="/office/account/codes/off">
                  <label class="field"
                    ><span>Your password</span
                    ><input name="password" type="password" autocomplete="current-password" required
                  /></label>
                  ${codeField()}
                  <div><button class="danger">Turn codes off</button></div>
                </form>`
              : html`<form class="form" method="post" action="/office/account/codes/begin">
                  <label class="field"
                    ><span>Your password</span
                    ><input name="password" type="password" autocomplete="current-password" required
                  /></label>
                  <div><button class="primary">Turn codes on</button></div>
                </form>`
          }
        </section>
        ${
          me.venue &&
          html`<section class="card">
            <h2>Rows of the evening</h2>
            <p class="soft">Larger rows are read from further away; fewer fit. They follow you to every device.</p>
            <form method="post" action="/office/account/larger-rows">
              <input type="hidden" name="larger" value="${me.staff.largerRows ? '' : 'yes'}" />
              <button>${me.staff.largerRows ? 'As usual' : 'Larger rows'}</button>
            </form>
          </section>`
        }
        ${me.venue && mayGetLetter(me) && letterCard(me)}
        ${me.venue && deviceCard}
        </div>
        <section class="card">
          <h2>Password</h2>
          ${mistake && html`<p class="mistake" role="alert">${mistake}</p>`}
          <form class="form" method="post" action="/office/account/password">
            <input type="hidden" name="username" autocomplete="username" value="${me.staff.email}" />
            <label class="field"
              ><span>Current password</span
              ><input name="password" type="password" autocomplete="current-password" required
            /></label>
            <label class="field"
              ><span>New password</span
              ><input
                name="chosen"
                type="password"
                autocomplete="new-password"
                required
                minlength="${passwordCharacters.least}"
                maxlength="${passwordCharacters.most}"
              /><small
                >At least ${passwordCharacters.least} characters. You will be signed out everywhere else.</small
              ></label
            >
            <div><button class="primary">Change password</button></div>
          </form>
        </section>
      </div>`,
    mistake === undefined ? undefined : 400,
  )
}

const mayGetLetter = ({ staff }: SignedIn): boolean => letterRoles.some((role) => role === staff.role)

const letterCard = ({ staff }: SignedIn): Html =>
  html`<section class="card">
    <header>
      <h2>Weekly letter</h2>
      ${staff.weeklyLetter ? html`<span class="tag good">On</span>` : html`<span class="tag">Off</span>`}
    </header>
    <p class="soft breaks">
      The seven days until Sunday in figures, the busiest days ahead and what needs an answer: Mondays at ${timeInWords('08:00')}, to ${staff.email}.
    </p>
    <form method="post" action="/office/account/weekly-letter">
      <input type="hidden" name="wanted" value="${staff.weeklyLetter ? '' : 'yes'}" />
      <button>${staff.weeklyLetter ? 'Stop the letter' : 'Send me the letter'}</button>
    </form>
  </section>`

const codeField = (more: Html | string = ''): Html =>
  html`<label class="field"
    ><span>Code</span
    ><input
      name="code"
      inputmode="numeric"
      autocomplete="one-time-code"
      pattern="[0-9 ]{6,8}"
      required
      ${more}
  /></label>`

const confirmPage = ({ staff, venue }: SignedIn, secret: string, mistake?: string): PageAnswer =>
  page(
    'Turn codes on',
    html`<div class="page-head"><h1>Turn codes on</h1></div>
      <section class="card">
        ${mistake && html`<p class="mistake" role="alert">${mistake}</p>`}
        <p>
          Add this key to your authenticator app, manually or
          <a href="${totpAddress(secret, staff.email, venue?.name ?? 'Venue Data')}">on this device</a>, then type the code it shows.
        </p>
        <p class="code">${secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</p>
        <form class="form" method="post" action="/office/account/codes/on">
          ${codeField(html`autofocus`)}
          <div class="inline">
            <button class="primary">Turn on</button
            ><a class="button quiet" href="/office/account">Not now</a>
          </div>
        </form>
      </section>`,
    mistake === undefined ? undefined : 400,
  )
