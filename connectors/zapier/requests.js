'use strict'

/** Seconds after which Zapier retries if the service does not say. */
const retrySeconds = 5

/** Every request goes to the venue's service with its key. */
exports.withKey = (request, z, { authData }) => {
  const base = String(authData.baseUrl ?? '').replace(/\/+$/, '')
  const url = request.url.startsWith('/') ? base + request.url : request.url
  return { ...request, url, headers: { ...request.headers, 'X-Service-Key': authData.apiKey } }
}

/** Reports a refusal in the service's own words; one that only asks to wait is retried later. */
exports.refuse = (response, z) => {
  if (response.status < 400) return response
  const { error, reason } = readJson(response.content)
  const sentence = error ?? `The service answered with status ${response.status}.`
  const isEarly = response.status === 429 || response.status === 503 || reason === 'still-processing'
  if (isEarly) {
    throw new z.errors.ThrottledError(sentence, Number(response.getHeader('retry-after')) || retrySeconds)
  }
  if (response.status === 401) throw new z.errors.ExpiredAuthError(sentence)
  throw new z.errors.Error(sentence, reason ?? 'refused', response.status)
}

const readJson = (text) => {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    // A proxy in between answered.
    return {}
  }
}
