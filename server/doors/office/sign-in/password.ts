import { html } from '../../../platform/html/html.ts'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import { endSentence } from '../../../platform/kernel/sentence.ts'
import { deviceWith, readDevice } from '../../../core/staff/known-device.ts'
import { passwordCharacters } from '../../../core/staff/password.ts'
import {
  type Linked,
  choosePassword,
  linkIsOver,
  passwordLinkOf,
} from '../../../core/staff/password-links.ts'
import { deviceCookie } from '../frame/cookies.ts'
import { type PageAnswer, page } from '../frame/page.ts'
import type { OpenPage } from '../frame/serve-page.ts'

/** Where the password reset link from an owner or the operator leads. */
export const passwordPages: readonly OpenPage[] = [
  {
    method: 'GET',
    path: '/office/new-password/:token',
    role: 'anyone',
    answer: async ({ db, clock }, { params }) => {
      const linked = await passwordLinkOf(db, params.token ?? '', clock())
      if (!linked) throw linkIsOver()
      return choosePage(linked)
    },
  },
  {
    method: 'POST',
    path: '/office/new-password/:token',
    role: 'anyone',
    answer: async (context, { params, form, device }) => {
      const token = params.token ?? ''
      try {
        const { id, email, codes } = await choosePassword(context, token, form.text('password'))
        // From here on the device is known: somebody locked out by others' guessing gets in this way.
        const known = deviceWith(context, readDevice(context, device), id)
        return { ...chosenPage(email, codes), cookies: [deviceCookie(context.config.publicUrl, known)] }
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 400) throw error
        const linked = await passwordLinkOf(context.db, token, context.clock())
        if (!linked) throw linkIsOver()
        return choosePage(linked, error.message)
      }
    },
  },
]

const choosePage = ({ email, venue_name }: Linked, mistake?: string): PageAnswer =>
  page(
    'New password',
    html`<div class="card">
      <h1>Choose a new password</h1>
      <p class="soft breaks">${endSentence(`For ${email}${venue_name === null ? '' : ` at ${venue_name}`}`)}</p>
      ${mistake && html`<p class="mistake" role="alert">${mistake}</p>`}
      <form class="form" method="post">
        <input type="hidden" name="username" autocomplete="username" value="${email}" />
        <label class="field"
          ><span>New password</span
          ><input
            name="password"
            type="password"
            autocomplete="new-password"
            required
            autofocus
            minlength="${passwordCharacters.least}"
            maxlength="${passwordCharacters.most}"
          /><small
            >At least ${passwordCharacters.least} characters. You will be signed out everywhere.</small
          ></label
        >
        <button class="primary">Set password</button>
      </form>
    </div>`,
    mistake === undefined ? undefined : 400,
  )

const chosenPage = (email: string, codes: boolean) =>
  page(
    'Password set',
    html`<div class="card">
      <h1>Your password is set</h1>
      <p class="breaks">
        Sign in with it as ${email}${codes && ', and with a code from your authenticator app as before'}. This link no longer works.
      </p>
      <p><a class="button primary" href="/office/sign-in">Sign in</a></p>
    </div>`,
  )
