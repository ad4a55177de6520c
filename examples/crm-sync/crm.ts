/* A CRM at CRM_URL, as crm-sync.ts needs one: rewrite it for yours. */

const { CRM_URL } = process.env
if (!CRM_URL) throw new Error('Set CRM_URL.')

/** The fields that both sides have. */
export const shared = ['name', 'email', 'phone'] as const
export type Fields = Record<(typeof shared)[number], string | null>
export type Contact = Fields & { id: string }

const asked = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const answer = await fetch(CRM_URL + path, {
    ...{ method, headers: { 'content-type': 'application/json' }, signal: AbortSignal.timeout(20_000) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok && answer.status !== 404) throw new Error(`The CRM answers ${answer.status}.`)
  return (answer.ok && answer.status !== 204 ? await answer.json() : undefined) as T
}
export const crm = {
  get: (id: string) => asked<Contact | undefined>('GET', `/contacts/${id}`),
  /** `key`: sent again, it returns the same contact. */
  create: (fields: Fields, key: string) => asked<Contact>('POST', '/contacts', { ...fields, key }),
  update: (id: string, fields: Partial<Fields>) => asked<Contact>('PATCH', `/contacts/${id}`, fields),
  delete: (id: string) => asked<void>('DELETE', `/contacts/${id}`),
  changed: (after: string | null) =>
    asked<{ contacts: Contact[]; next: string }>('GET', `/contacts?after=${after ?? ''}`),
}
