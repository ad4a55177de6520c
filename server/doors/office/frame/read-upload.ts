import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { Refusal, badRequest } from '../../../platform/kernel/refusal.ts'

/** A form with a file, its body unread. */
export type Upload = { readonly contentType: string; readonly body: Readable }

/**
 * Streams the form's one file, found by its field name, as it arrives. Anything wrong with the form or the file is a
 * refusal; the server then reads and discards the rest of the body, so that the sender sees the answer.
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
  // Listeners stay for as long as the streams live: both emit errors when a transfer breaks off, more than once each,
  // and an unhandled one ends the process.
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
    // What it refuses is reported below; here it only stops the reading.
    taken.catch(reject)
  })
  busboy.once('finish', resolve)
  body.once('close', () => {
    if (!body.readableEnded) reject(new Error('the sender disconnected'))
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
    // The consumer's error comes first: its refusal, or a fault such as the database's.
    await taken
    throw error instanceof Refusal ? error : brokenOff()
  }
}

const brokenOff = (): Refusal => badRequest('The upload was interrupted; upload the file again.')

/** The file as it arrives; a broken transfer is not our fault. */
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
