import { html } from '../../../platform/html/html.ts'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import { mostNameCharacters, nameOwnAccount } from '../../../core/staff/name-account.ts'
import type { SignedIn } from '../../../core/staff/sessions.ts'
import { ownPath } from '../frame/own-path.ts'
import { type PageAnswer, go, page } from '../frame/page.ts'
import type { OpenPage } from '../frame/serve-page.ts'

const path = '/office/account/name'

/** Where somebody without a name is asked for it, on the way to what they wanted. */
export const namePath = (next = '/office'): string => `${path}?next=${encodeURIComponent(next)}`

/** One's own name: asked once after signing in, and changed from one's account. */
export const namePages: readonly OpenPage[] = [
  {
    method: 'GET',
    path,
    role: 'anyone',
    answer: async (_context, { query }, me) =>
      me
        ? namePage(me, ownPath(query.get('next') ?? ''))
        : go(`/office/sign-in?next=${encodeURIComponent(path)}`),
  },
  {
    method: 'POST',
    path,
    role: 'anyone',
    answer: async (context, { form }, me) => {
      if (!me) return go('/office/sign-in')
      const next = ownPath(form.text('next'))
      try {
        await nameOwnAccount(context, me, form.text('name'))
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 400) throw error
        return namePage(me, next, { typed: form.text('name'), mistake: error.message })
      }
      return go(next ?? '/office/account')
    },
  },
]

const namePage = (
  { staff: { name } }: SignedIn,
  next: string | undefined,
  { typed, mistake }: { readonly typed?: string; readonly mistake?: string } = {},
): PageAnswer =>
  page(
    'Your name',
    html`<div class="page-head">
        <h1>${name === null ? 'What do your colleagues call you?' : 'Your name'}</h1>
      </div>
      <section class="card">
        ${mistake && html`<p class="mistake" role="alert">${mistake}</p>`}
        <form class="form" method="post" action="${path}">
          <input type="hidden" name="next" value="${next ?? ''}" />
          <label class="field"
            ><span>Your name</span
            ><input
              name="name"
              autocomplete="name"
              maxlength="${mostNameCharacters}"
              required
              autofocus
              value="${typed ?? name ?? ''}"
            /><small>Who did what is listed under this name. Guests never see it.</small></label
          >
          <div class="inline">
            <button class="primary">Save</button
            ><a class="button quiet" href="${next ?? '/office/account'}">Not now</a>
          </div>
        </form>
      </section>`,
    mistake === undefined ? undefined : 400,
  )
