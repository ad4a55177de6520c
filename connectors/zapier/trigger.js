'use strict'

/** An instant trigger for an event: a hook at the service whose deliveries are the records themselves. */
exports.triggerOf = ({ key, event, noun, label, description, list, sample }) => ({
  key,
  noun,
  display: { label, description },
  operation: {
    type: 'hook',
    performSubscribe: async (z, { targetUrl }) => {
      const { data } = await z.request({ method: 'POST', url: '/api/v1/hooks', body: { event, targetUrl } })
      return data
    },
    performUnsubscribe: async (z, { subscribeData }) => {
      const url = `/api/v1/hooks/${subscribeData.id}`
      // It is fine if it is already gone.
      const { data } = await z.request({ method: 'DELETE', url }).catch((error) => {
        if (statusOf(error) !== 404) throw error
        return { data: {} }
      })
      return data
    },
    perform: async (z, { cleanedRequest }) => [withId(cleanedRequest)],
    performList: async (z) => {
      if (!list) return [withId(sample)]
      const { data } = await z.request({ url: list, params: { limit: 3 } })
      return data.length > 0 ? data : [sample]
    },
    sample: withId(sample),
  },
})

/** The status of a refusal; of a key that is not valid, Zapier's own error says nothing but a sentence. */
const statusOf = ({ message }) => {
  try {
    return JSON.parse(message).status
  } catch {
    return undefined
  }
}

/** Zapier requires an `id` in everything; an erasure's has a different name. */
const withId = (record) => ({ ...record, id: record.id ?? record.erasure ?? record.key })
