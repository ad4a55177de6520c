import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { codeOf } from '../../kernel/code-of.ts'

/*
 * A backup file: frames, compressed by zstd. A frame is its length (4 bytes, big-endian), its kind (1 byte) and that many
 * bytes. First comes a header; then, for each table, its name, its rows as COPY writes them (text), and their count; last,
 * an end frame with the SHA-256 of all bytes before it. Reading a file once therefore shows whether it was cut off or altered.
 */

const frameKinds = { header: 'h', table: 't', rows: 'd', tableEnd: 'e', end: 'z' } as const
type FrameKind = keyof typeof frameKinds
export type Frame = { readonly kind: FrameKind; readonly body: Buffer }

/** Longer frames are never written, and are refused on reading. */
const mostBytes = 64 * 1024 * 1024
const headBytes = 5

/** The bytes of a backup: the frames' contents, and the end that verifies them. */
export async function* bytesOfFrames(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const { kind, body } of frames) {
    const head = headOf(kind, body.length)
    hash.update(head).update(body)
    yield head
    yield body
  }
  const body = hash.digest()
  yield headOf('end', body.length)
  yield body
}

/** The first bytes of a file, which show who wrote it. */
export const kindOfFile = async (path: string): Promise<'backup' | 'pg_dump' | 'other'> => {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(5), 0, 5, 0)
    const start = buffer.subarray(0, bytesRead)
    if (start.subarray(0, 4).equals(zstdMagic)) return 'backup'
    return start.toString('latin1') === 'PGDMP' ? 'pg_dump' : 'other'
  } finally {
    await file.close()
  }
}

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** The frames of a file except its end frame, which is checked. Throws `DamagedBackup` if the file was cut off or altered. */
export async function* framesOfFile(path: string): AsyncGenerator<Frame> {
  const hash = createHash('sha256')
  let end: Buffer | undefined
  for await (const { head, frame } of framesIn(bytesOfFile(path))) {
    if (end) throw new DamagedBackup('there is something behind its end')
    if (frame.kind === 'end') end = frame.body
    else {
      hash.update(head).update(frame.body)
      yield frame
    }
  }
  if (!end) throw new DamagedBackup('it was cut off')
  if (!hash.digest().equals(end)) throw new DamagedBackup('its bytes were altered')
}

/** The file is not a complete backup; the message says briefly what is wrong. */
export class DamagedBackup extends Error {}

async function* bytesOfFile(path: string): AsyncGenerator<Buffer> {
  const unpacked = createZstdDecompress()
  // Read errors surface in the last stream, below.
  pipeline(createReadStream(path), unpacked, () => undefined)
  try {
    for await (const chunk of unpacked) yield chunk as Buffer
  } catch (error) {
    // Zlib's own error codes begin with Z or ERR_; file system errors are passed on unchanged.
    if (/^(?:Z|ERR_)/.test(codeOf(error) ?? '')) throw new DamagedBackup('it was cut off or altered')
    throw error
  }
}

async function* framesIn(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<{ readonly head: Buffer; readonly frame: Frame }> {
  let parts: Buffer[] = []
  let gathered = 0
  let wanted = headBytes
  let head: Buffer | undefined
  for await (const chunk of chunks) {
    parts.push(chunk)
    gathered += chunk.length
    while (gathered >= wanted) {
      const all = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, gathered)
      const piece = all.subarray(0, wanted)
      parts = [all.subarray(wanted)]
      gathered -= wanted
      if (!head) {
        head = piece
        wanted = piece.readUInt32BE()
        if (wanted > mostBytes) throw new DamagedBackup('its bytes were altered')
      } else {
        yield { head, frame: { kind: kindOf(head), body: piece } }
        head = undefined
        wanted = headBytes
      }
    }
  }
  if (head || gathered > 0) throw new DamagedBackup('it was cut off')
}

const headOf = (kind: FrameKind, length: number): Buffer => {
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(length)
  head.write(frameKinds[kind], 4, 'latin1')
  return head
}

const kindOf = (head: Buffer): FrameKind => {
  const letter = head.toString('latin1', 4)
  const found = Object.entries(frameKinds).find(([, one]) => one === letter)
  if (!found) throw new DamagedBackup('its bytes were altered')
  return found[0] as FrameKind
}
