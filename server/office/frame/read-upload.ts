import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { Refusal, badRequest } from '../../kernel/refusal.ts'

/** A form with a file, its body unread. */
export type Upload = { readonly contentType: string; readonly body: Readable }

/**
 * Hands the one file of a form on as it comes, by the name of its field. What is wrong with the form or the file is a
 * refusal; the rest of the body is then read and thrown away by the server, so that the sender sees the answer.
 */
export const readUpload = async <T>(
  upload: Upload | undefined,
  field: string,
  take: (file: { readonly name: string; readonly bytes: AsyncIterable<Buffer> }) => Promise<T>,
): Promise<T> => {
  if (!upload) throw badRequest('Choose a file.')
  const { body } = upload
  const busboy = boyFor(upload)
  let file: Readable | undefined
  let taken: Promise<T> | undefined
  const { promise: arrived, resolve, reject } = Promise.withResolvers<void>()
  // Heard for as long as they live: of what breaks off both tell, each more than once, and one unheard ends the process.
  busboy.on('error', reject)
  body.on('error', reject)
  busboy.on('file', (name, bytes, fileName) => {
    bytes.on('error', reject)
    if (name !== field || taken || !fileName) {
      bytes.resume()
      return
    }
    file = bytes
    taken = take({ name: fileName, bytes: arriving(bytes) })
    // What it refuses is told below; here it only stops the reading.
    taken.catch(reject)
  })
  busboy.once('finish', resolve)
  body.once('close', () => {
    if (!body.readableEnded) reject(new Error('the sender broke off'))
  })
  body.pipe(busboy)
  try {
    await arrived
    if (!taken) throw badRequest('Choose a file.')
    return await taken
  } catch (error) {
    body.unpipe(busboy)
    body.resume()
    file?.destroy(error as Error)
    // What the taking says comes first: its refusal, or a fault of its own, the database's say.
    await taken
    throw error instanceof Refusal ? error : brokenOff()
  }
}

const brokenOff = (): Refusal => badRequest('The file did not arrive whole; upload it again.')

/** The file as it comes; that it broke off is no fault of ours. */
const arriving = async function* (bytes: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  try {
    for await (const piece of bytes) yield piece as Buffer
  } catch {
    throw brokenOff()
  }
}

const boyFor = ({ contentType }: Upload): BusboyInstance => {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { files: 1, fields: 10, fieldSize: 4_096, headerPairs: 20 },
    })
  } catch {
    throw badRequest('The form cannot be read.')
  }
}
