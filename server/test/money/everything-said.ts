import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { createSmtpMailer } from '../../mail/smtp/smtp-mailer.ts'
import { startTestRelay } from '../../mail/test/relay.ts'
import { sendGuestMails } from '../../messages/guest-mail/send-due-mails.ts'
import { exportKinds } from '../../data/exports/kinds.ts'
import { officePages } from '../../doors/office/frame/pages.ts'
import { sampleQueryAt } from '../every-door/samples.ts'
import { rowsOf } from '../rows.ts'
import type { Said } from '../stripe/names-in.ts'
import { makersOfPdf, saidInPdf } from './read-pdf.ts'
import type { runningVenue } from './running-venue.ts'

/* Everything that a venue's keys, staff, endpoints and guests may read, and all that is written down anywhere. */

type Scene = ReturnType<typeof runningVenue>

/** What these ask for, who answer nothing without it. */
const finding = new Map(
  ['reservations', 'guests'].map((list) => [`/api/v1/${list}/find`, '?email=fee@tables.example']),
)

/** Every GET of the contract, with each record of each list. `checkouts`: those of the key, which no list has. */
export const saidByApi = async ({ call, key }: Scene, checkouts: readonly number[]): Promise<Said[]> => {
  const said: Said[] = []
  const ids = new Map<string, readonly string[]>([['/api/v1/checkouts', checkouts.map(String)]])
  const filled = (path: string): string[] => {
    const [, list = '', rest = ''] = /^(.*?)\/\{\w+\}(.*)$/.exec(path) ?? []
    return list === '' ? [path] : (ids.get(list) ?? []).flatMap((id) => filled(`${list}/${id}${rest}`))
  }
  const reads = (Object.values(endpoints) as readonly Endpoint[])
    .filter(({ method }) => method === 'GET')
    .toSorted((one, other) => one.path.split('{').length - other.path.split('{').length)
  for (const row of reads)
    for (const path of filled(row.path)) {
      const asked = `${path}${finding.get(path) ?? (await sampleQueryAt({ call }, key, row))}`
      const { status, text, body } = await call('GET', asked)
      // No change of a booking waits for an answer.
      assert.equal(status, path.endsWith('/change') ? 404 : 200, `${asked}: ${text}`)
      said.push({ where: `GET ${asked}`, text })
      if (Array.isArray(body))
        ids.set(
          path,
          body.map((one: { id?: unknown }) => String(one.id)),
        )
    }
  return said
}

/** Every page of the office that the owner may open, every kind of export, and the document of a person. */
export const saidByOffice = async ({ office, service, rows }: Scene): Promise<Said[]> => {
  const people = await rows<{ id: string }>('select id from guest where venue_id = $1')
  const ofRecords = [
    ...(await rows<{ id: string }>('select id from reservation where venue_id = $1')).map(
      ({ id }) => `bookings/${id}`,
    ),
    ...(await rows<{ id: string }>('select id from ticket_order where venue_id = $1')).map(
      ({ id }) => `tickets/orders/${id}`,
    ),
    ...people.flatMap(({ id }) => [
      `guests/${id}`,
      `data/person?guest=${id}`,
      `data/person.json?guest=${id}`,
    ]),
    ...exportKinds.map(({ name }) => `data/export/${name}.csv`),
    'data/export/everything.json',
  ]
  assert.ok(people.length > 0)
  const paths = [
    ...officePages(service.context)
      .filter(({ method, path }) => method === 'GET' && !path.includes(':'))
      .map(({ path }) => path as string),
    ...ofRecords.map((path) => `/office/${path}`),
  ]
  const said: Said[] = []
  for (const path of paths) {
    const { status, html } = await office.get(path)
    assert.ok(status < 500, `${path}: ${status}`)
    said.push({ where: path, text: html })
  }
  return said
}

/** What is on paper: the tickets of these orders, by the links of their buyers, and the evidence of every dispute. */
export const saidOnPaper = async (
  { office, web, rows }: Scene,
  orders: readonly string[],
): Promise<{ readonly tickets: Said[]; readonly evidence: Said[] }> => {
  assert.deepEqual(
    await makersOfPdf(),
    [
      'server/doors/office/payments/evidence.ts',
      'server/messages/guest-mail/pdf-file.ts',
      'server/messages/guest-mail/ticket-facts.ts',
    ],
    'nothing else makes a PDF',
  )
  const disputes = await rows<{ id: string }>(
    "select id from money_matter where venue_id = $1 and kind = 'dispute'",
  )
  const read = async (path: string): Promise<Said[]> => {
    const answer = await fetch(web.url + path, { headers: { cookie: office.cookie() } })
    // Of an order whose tickets are all void nothing is printed.
    if (answer.status === 404) return []
    assert.equal(answer.headers.get('content-type'), 'application/pdf', path)
    return [{ where: path, text: saidInPdf(Buffer.from(await answer.arrayBuffer())) }]
  }
  const all = async (paths: readonly string[]) => (await Promise.all(paths.map(read))).flat()
  return {
    tickets: await all(orders.map((token) => `/o/${token}/tickets.pdf`)),
    evidence: await all(disputes.map(({ id }) => `/office/payments/matters/${id}/evidence.pdf`)),
  }
}

export type MailSaid = Said & { readonly to: string; readonly mail: Email }

/** Each mail that the processes wrote, as it would go to the relay, with its parts decoded after its bytes. */
export const mailsOf = async ({ mailFolder }: Scene): Promise<MailSaid[]> => {
  const names = (await readdir(mailFolder)).filter((name) => name.endsWith('.eml'))
  return Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(mailFolder, name))
      return mailSaid(/^Delivered-To: (.*)\r$/m.exec(bytes.toString('latin1'))?.[1] ?? '', bytes)
    }),
  )
}

/** All of them once more, by SMTP: a practice instance writes files. Its worker has ended. */
export const mailsByRelay = async ({ service, rows }: Scene): Promise<MailSaid[]> => {
  const relay = await startTestRelay()
  const mail = createSmtpMailer({ url: relay.url })
  const now = service.context.clock()
  await rows(
    `update guest_mail set state = 'waiting', due_at = '${now.toString()}', until = '${now.add({ hours: 24 }).toString()}', ended_at = null
      where venue_id = $1 and state = 'sent'`,
  )
  await sendGuestMails({ ...service.context, db: service.context.workerDb, mail })
  await mail.close()
  await relay.stop()
  return Promise.all(relay.received.map(({ to, bytes }) => mailSaid(to, bytes)))
}

const mailSaid = async (to: string, bytes: Buffer): Promise<MailSaid> => {
  const mail = await PostalMime.parse(bytes)
  const parts = mail.attachments.map(({ content, mimeType }) => {
    const part = Buffer.from(content as ArrayBuffer)
    return mimeType === 'application/pdf' ? saidInPdf(part) : part.toString('latin1')
  })
  const text = [bytes.toString('latin1'), mail.subject, mail.html, mail.text, ...parts].join('\n')
  return { where: `the mail “${mail.subject}” to ${to}`, text, to, mail }
}

/** Columns that are for what the processor calls things. */
const keepers: ReadonlySet<string> = new Set([
  ...['checkout.session_ref', 'payment.processor_ref', 'refund.processor_ref', 'money_matter.subject'],
  ...['guarantee.customer_ref', 'guarantee.method_ref', 'processor_account.callback_ref'],
  ...['processor_event.event_ref', 'processor_event.object_ref'],
])

/** Every row of every table, without the columns that are for what the processor calls things. */
export const writtenDown = async ({ service }: Pick<Scene, 'service'>): Promise<Said[]> => {
  const columns = await rowsOf<{ table: string; column: string }>(
    service,
    `select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' order by table_name`,
  )
  for (const one of keepers)
    assert.ok(
      columns.some(({ table, column }) => one === `${table}.${column}`),
      `${one} is a column`,
    )
  const tables = Map.groupBy(columns, ({ table }) => table)
  return Promise.all(
    [...tables].map(async ([table, ofTable]) => {
      const read = ofTable.filter(({ column }) => !keepers.has(`${table}.${column}`))
      const named = read.map(({ column }) => `"${column}"::text`).join(', ')
      return {
        where: `table ${table}`,
        text: JSON.stringify(await rowsOf(service, `select ${named} from "${table}"`)),
      }
    }),
  )
}

/** What the processes wrote to their logs. */
export const logged = ({ web, worker }: Scene): Said[] =>
  Object.entries({ web, worker }).map(([name, one]) => ({
    where: `the log of ${name}`,
    text: one.said() + one.complained(),
  }))

/** What an endpoint received: addresses, headers and bodies. */
export const delivered = ({ receiver }: Scene): Said[] =>
  receiver.received.map(({ path, headers, body }) => ({
    where: `the delivery ${String(headers['webhook-id'])}`,
    text: `${path} ${JSON.stringify(headers)} ${body.toString()}`,
  }))
