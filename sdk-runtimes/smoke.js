import { VenueData } from '@venue-data/sdk'
import { verifyWebhook } from '@venue-data/sdk/webhooks'

/** What has to work everywhere: a list, a write that is done once, and a verified delivery. */
export const smoke = async ({ key, baseUrl, title, body, header, secret }) => {
  const venue = new VenueData({ key, baseUrl })
  const first = await venue.tasks.create({ title, externalId: title }, { idempotencyKey: title })
  const again = await venue.tasks.create({ title, externalId: title }, { idempotencyKey: title }).withAnswer()
  const titles = []
  for await (const task of venue.tasks.list({ externalId: title, limit: 1 })) titles.push(task.title)
  const refused = await venue.tasks.get(999_999_999).catch((error) => error.name)
  const delivery = await verifyWebhook({ body, header, secret })
  const forged = await verifyWebhook({ body: `${body} `, header, secret }).catch((error) => error.reason)
  return {
    once: first.task.id === again.body.task.id && again.replayed,
    titles,
    refused,
    event: delivery.event,
    forged,
  }
}
