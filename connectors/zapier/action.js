'use strict'

/** A create or a search: the input goes where the contract has it, and the answer is returned as is. */
exports.actionOf = ({ key, noun, label, description, inputFields, sample, ...call }) => ({
  key,
  noun,
  display: { label, description },
  operation: { inputFields, perform: (z, bundle) => perform(z, bundle, { key, ...call }), sample },
})

const perform = async (z, { inputData, meta }, call) => {
  const { method, keyed, doubles, ifMatch } = call
  const { path, params, body } = filledIn(call, inputData)
  // Zapier does not identify a Zap's run, so a repeated create is recognized by its values. Other calls may be repeated
  // and must be carried out again: somebody who completes a task, reopens it and completes it once more means all
  // three.
  const same = () =>
    `zapier-${z.hash('sha256', JSON.stringify([meta?.zap?.id, call.key, path, params, body]))}`
  const key = keyed && (inputData.idempotencyKey || (doubles && same()))
  const { data } = await z.request({
    method,
    url: path,
    params,
    ...(body && { body }),
    headers: {
      ...(key && { 'Idempotency-Key': key }),
      ...(ifMatch && { 'If-Match': ifMatch }),
    },
  })
  return data
}

const filledIn = ({ path, fields, body: takes }, inputData) => {
  const params = {}
  const body = {}
  let place = path
  for (const { key, in: where, to } of fields) {
    const value = inputData[key]
    if (value === undefined || value === null || value === '' || value.length === 0) continue
    if (where === 'path') place = place.replace(`{${key}}`, encodeURIComponent(value))
    else if (where === 'query') params[key] = Array.isArray(value) ? value.join(',') : value
    else put(body, to, value)
  }
  for (const name of inputData.clear ?? []) body[name] = null
  const needsBody = takes === 'always' || Object.keys(body).length > 0
  return { path: place, params, body: needsBody ? body : undefined }
}

const put = (body, [name, ...rest], value) => {
  if (rest.length === 0) body[name] = value
  else put((body[name] ??= {}), rest, value)
}
