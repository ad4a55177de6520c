import { randomUUID } from 'node:crypto'
import { type Scope, allScopes } from '@venue-data/contract/scopes.ts'
import type { Context } from '../../../context.ts'
import { checkAgain } from '../../../core/staff/sign-in.ts'
import { obstacleOf } from '../../../integrations/access/key-check.ts'
import { accessOfVenue } from '../../../integrations/access/reads.ts'
import { noKeyBecause } from '../../../integrations/access/owner.ts'
import { appAsking, isDocument } from '../../../integrations/apps/client-document.ts'
import { allowApp } from '../../../integrations/apps/allow.ts'
import { appOfResource } from '../../../integrations/apps/apps.ts'
import {
  type AskedInstall,
  type Judged,
  type Parameters,
  judgeAsked,
  parameters,
  redirectTo,
} from '../../../integrations/apps/judge-asked.ts'
import { kindShownBy, sampleRecord } from '../../../integrations/apps/sample-record.ts'
import { removeApp } from '../../../integrations/apps/uninstall.ts'
import { html } from '../../../platform/html/html.ts'
import { useFormToken } from '../../../platform/http/form-token.ts'
import { Refusal, badRequest } from '../../../platform/kernel/refusal.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, go, page } from '../frame/page.ts'
import type { OfficePage, OfficeWork } from '../frame/serve-page.ts'
import { limitsAsked, tickOf } from '../integrations/key-fields.ts'
import { type FormSeen, idOf, typedIn } from '../parts/forms/fields.ts'
import { consentPage, switchForm } from './consent.ts'
import { isSealed, sealOf } from './form-seal.ts'

const path = '/oauth/authorize'

/** An app asks for a venue's data, and the owner answers; and the owner removes it. */
export const appPages = (context: Context): readonly OfficePage[] => [
  {
    method: 'GET',
    path,
    role: 'anyone',
    answer: async (_context, { query }, me) => {
      const here = hereOf((name) => query.getAll(name))
      const signIn = go(`/office/sign-in?next=${encodeURIComponent(here)}`)
      // For strangers nothing is fetched from elsewhere.
      if (!me && isDocument(query.get('client_id') ?? '', context.config.oauthClientHosts)) return signIn
      const judged = await judge(context, (name) => query.getAll(name), true)
      if (judged.kind !== 'asked') return notAsked(judged)
      if (!me) return signIn
      const { venue, staff } = me
      if (staff.role !== 'owner' || !venue) {
        return page(
          'No access',
          html`<section class="card">
            <h1>Only an owner can connect ${judged.asked.app.name}</h1>
            <p>You are signed in as ${staff.email}, ${staff.role}${venue && html` at ${venue.name}`}.</p>
            ${switchForm(here)}
          </section>`,
          403,
        )
      }
      const work = { db: context.db.within(venue.id), venue, now: context.clock, me }
      const standing = await accessOfVenue(work.db, venue.id)
      const obstacle = obstacleOf('api', standing)
      if (obstacle) {
        return page(
          'API access first',
          html`<section class="card">
            <h1>${venue.name} cannot connect apps yet</h1>
            <p>${noKeyBecause(obstacle, standing.plan)}</p>
            <div class="inline"><a class="button primary" href="/office/integrations">Go to Integrations</a></div>
            ${switchForm(here)}
          </section>`,
        )
      }
      const typed = Object.fromEntries(judged.asked.optional.map((scope) => [tickOf(scope), 'yes']))
      return show(context, work, judged.asked, here, { typed })
    },
  },
  {
    method: 'POST',
    path,
    role: 'owner',
    apart: true,
    answer: async (work, { form }) => {
      const judged = await judge(context, form.all)
      if (judged.kind !== 'asked') return notAsked(judged)
      const { asked } = judged
      const here = hereOf(form.all)
      const token = form.text('token')
      if (
        !isSealed(
          context.secrets,
          { session: work.me.sessionId, token, asked: shownOf(asked, here) },
          form.text('seal'),
        )
      )
        throw new Refusal(
          409,
          'You signed in again since this page was opened, or the app now asks for something else. Look at it once more.',
        )
      const [, scope] = /^show (\S+)$/.exec(form.text('press')) ?? []
      if (scope !== undefined) return show(context, work, asked, here, { typed: typedIn(form) }, scope)
      const { publicUrl: iss } = context.config
      const { redirect, state } = asked
      if (form.text('press') !== 'allow')
        return go(redirectTo(redirect, { error: 'access_denied', state, iss }))
      const code = await allow(context, work, asked, form)
      return go(redirectTo(redirect, { code, state, iss }))
    },
    again: async (work, { form }, refusal) => {
      const judged = await judge(context, form.all)
      if (judged.kind !== 'asked') return notAsked(judged)
      const seen = { typed: typedIn(form), mistake: refusal.message }
      return show(context, work, judged.asked, hereOf(form.all), seen)
    },
  },
  {
    method: 'POST',
    path: '/office/integrations/apps/:id/remove',
    role: 'owner',
    answer: async (work, { params }) => {
      const name = await removeApp(work, actorOf(work.me), idOf(params.id, 'app'))
      return go('/office/integrations', `${name} was removed and no longer works.`)
    },
  },
]

const allow = async (
  context: Context,
  work: Omit<OfficeWork, 'gate'>,
  asked: AskedInstall,
  form: Form,
): Promise<string> => {
  const { venue, me, now } = work
  if (!me.fresh) {
    const given = form.text('password')
    await checkAgain(context, me, { password: given, code: given })
  }
  const chosen = ticked(form)
  const { expiresAt = null } = limitsAsked(form, venue.timezone)
  return context.db.transaction(async (queries) => {
    const db = queries.within(venue.id)
    if (!(await useFormToken(db, venue.id, 'app', form.text('token'), now())))
      throw new Refusal(409, 'You already answered on this page. Press Allow again to send another answer.')
    return allowApp(context, { db, venue, now }, me.staff.id, asked, {
      chosen,
      hidesContacts: chosen.includes('contacts:hidden'),
      expiresAt,
    })
  })
}

const ticked = (form: Form): readonly Scope[] => allScopes.filter((scope) => form.has(tickOf(scope)))

/** `isNew`: an assistant that describes itself is read now; a form is about what its page showed. */
const judge = async (context: Context, given: Parameters, isNew = false): Promise<Judged> => {
  const { db, config } = context
  const app = await appAsking(context, given('client_id')[0] ?? '', isNew)
  const [resource] = given('resource')
  const server = resource === undefined ? undefined : await appOfResource(db, resource)
  return judgeAsked(app, given, { issuer: config.publicUrl, server })
}

const notAsked = (judged: Exclude<Judged, { kind: 'asked' }>): PageAnswer =>
  judged.kind === 'mistake'
    ? go(judged.to)
    : page(
        'This link does not work',
        html`<section class="card">
          <h1>This link does not work</h1>
          <p>${judged.sentence} Nothing was shared. Go back to the app and try again, or ask its makers.</p>
        </section>`,
        400,
      )

/** This page's address with what the app sent, spelled one way. */
const hereOf = (given: Parameters): string => {
  const query = new URLSearchParams(
    parameters.flatMap((name) => given(name).map((value) => [name, value] as [string, string])),
  )
  return `${path}?${query.toString().replaceAll('*', '%2A')}`
}

/** What the page says is asked for: the operator may change an app between the page and the press. */
const shownOf = ({ app, needed, optional }: AskedInstall, here: string): string =>
  JSON.stringify([here, app.name, needed, optional])

const show = async (
  context: Context,
  work: Omit<OfficeWork, 'gate'>,
  asked: AskedInstall,
  here: string,
  seen: FormSeen,
  shownScope?: string,
): Promise<PageAnswer> => {
  const scope = [...asked.needed, ...asked.optional].find((one) => one === shownScope)
  const kind = scope && kindShownBy(scope)
  if (shownScope !== undefined && !kind) throw badRequest('There is no example for this.')
  const isHidden = asked.needed.includes('contacts:hidden') || seen.typed[tickOf('contacts:hidden')] === 'yes'
  const sample = scope &&
    kind && { scope, record: await sampleRecord(work, kind, isHidden ? ['contacts:hidden'] : []) }
  const token = randomUUID()
  const hidden = {
    ...Object.fromEntries([...new URLSearchParams(here.slice(path.length + 1))]),
    token,
    seal: sealOf(context.secrets, { session: work.me.sessionId, token, asked: shownOf(asked, here) }),
  }
  return {
    ...page(asked.app.name, consentPage({ work, asked, seen, hidden, here, sample })),
    formsEndAt: new URL(asked.redirect).origin,
  }
}
