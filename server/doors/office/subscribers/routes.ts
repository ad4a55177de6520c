import { notFound } from '../../../platform/kernel/refusal.ts'
import { momentOfWall } from '../../../platform/kernel/time/venue-clock.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { readDate } from '../../../platform/kernel/time/written-time.ts'
import { typedWord, typedTime } from '../../../platform/kernel/typed-fields.ts'
import { addSubscriberByStaff } from '../../../marketing/subscribers/add-by-staff.ts'
import { suppress, unsubscribe, unsuppress } from '../../../marketing/subscribers/leaving.ts'
import { listedSubscriber } from '../../../marketing/subscribers/staff-reads.ts'
import { suppressionReasons } from '../../../marketing/subscribers/states.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, go, page } from '../frame/page.ts'
import { idOf, orNull, typedIn } from '../parts/forms/fields.ts'
import { once } from '../parts/once.ts'
import { warning } from '../parts/press-message.ts'
import type { OfficeRequest, OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { newSubscriberForm } from './add-form.ts'
import { doNotEmailPage } from './do-not-email.ts'
import { subscriberList } from './list.ts'
import { subscriberPage } from './subscriber.ts'

const home = '/office/subscribers'

/** The email list: who is on it and why, and who must never be emailed. For managers. */
export const subscriberPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work, { query }) => subscriberList(work, query),
  },
  {
    method: 'GET',
    path: `${home}/new`,
    role: 'manager',
    answer: async (work) => page('Add a subscriber', await newSubscriberForm(work, { typed: {} })),
  },
  {
    method: 'POST',
    path: home,
    role: 'manager',
    answer: async (work, { form }) => {
      const asked = {
        email: form.text('email'),
        firstName: orNull(form, 'firstName'),
        tag: orNull(form, 'tag'),
        where: form.text('where'),
        statement: orNull(form, 'statement'),
        pageUrl: null,
        agreedAt: agreedAt(work, form),
      }
      let told = 'This form was already sent; the address is here once.'
      const made = await once(work, 'subscriber', form, async () => {
        const { subscriber, added, message } = await addSubscriberByStaff(work, actorOf(work.me), asked)
        told = added ? message : warning(message)
        return subscriber?.id ?? 'do-not-email'
      })
      return go(`${home}/${made}`, told)
    },
    again: async (work, { form }, { message }) =>
      page('Add a subscriber', await newSubscriberForm(work, { typed: typedIn(form), mistake: message })),
  },
  {
    method: 'GET',
    path: `${home}/do-not-email`,
    role: 'manager',
    answer: async (work, { query }) =>
      page('Do not email', await doNotEmailPage(work, query.get('after'), { typed: {} })),
  },
  {
    method: 'POST',
    path: `${home}/do-not-email`,
    role: 'manager',
    answer: async (work, { form }) => {
      const { reason } = await suppress(work, actorOf(work.me), {
        email: form.text('email'),
        reason: typedWord('The reason', form.text('reason'), suppressionReasons),
      })
      return go(
        `${home}/do-not-email`,
        reason === form.text('reason')
          ? 'This address will no longer get email.'
          : warning('This address was already on the list for a stronger reason, which stays.'),
      )
    },
    again: doNotEmailAgain,
  },
  {
    method: 'POST',
    path: `${home}/do-not-email/remove`,
    role: 'manager',
    answer: async (work, { form }) => {
      await unsuppress(work, actorOf(work.me), { email: form.text('address'), why: form.text('why') })
      return go(`${home}/do-not-email`, 'The address was removed from the do-not-email list.')
    },
    again: doNotEmailAgain,
  },
  {
    method: 'GET',
    path: `${home}/:id`,
    role: 'manager',
    answer: async (work, { params }) => {
      const row = await subscriberOf(work, params.id)
      return page(row.email, await subscriberPage(work, row))
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/unsubscribe`,
    role: 'manager',
    answer: async (work, { params }) => {
      const { subscriber, left } = await unsubscribe(work, actorOf(work.me), idOf(params.id, 'subscriber'))
      return go(
        `${home}/${subscriber.id}`,
        left ? 'Unsubscribed.' : warning('They were already off the list.'),
      )
    },
  },
]

const subscriberOf = async ({ db, venue }: OfficeWork, id: string | undefined) => {
  const row = await listedSubscriber(db, venue.id, idOf(id, 'subscriber'))
  if (!row) throw notFound('subscriber')
  return row
}

/**
 * The moment they agreed, typed as a day and a time in the venue's local time; empty = now, a day alone = noon that
 * day.
 */
const agreedAt = ({ venue, now }: OfficeWork, form: Form): Temporal.Instant | null => {
  const day = form.text('agreedOn').trim()
  const time = typedTime('The time', form.text('agreedTime'))
  if (day === '' && time === null) return null
  const date = readDate(day)
  if (date === undefined) throw badRequest('The consent date must be a real date, YYYY-MM-DD.')
  const clock = now()
  const noon = momentOfWall({ date, time: time ?? '12:00' }, venue.timezone, clock)
  if (!noon) throw badRequest('That time does not exist on that day at the venue: the clocks go forward.')
  // Today, before noon: now.
  return time === null && Temporal.Instant.compare(noon, clock) > 0 && sameDay(clock, date, venue.timezone)
    ? null
    : noon
}

const sameDay = (moment: Temporal.Instant, date: string, zone: string): boolean =>
  moment.toZonedDateTimeISO(zone).toPlainDate().toString() === date

async function doNotEmailAgain(
  work: OfficeWork,
  { form }: OfficeRequest,
  { message }: { readonly message: string },
): Promise<PageAnswer> {
  return page('Do not email', await doNotEmailPage(work, null, { typed: typedIn(form), mistake: message }))
}
