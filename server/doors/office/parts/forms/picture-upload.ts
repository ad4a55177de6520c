import {
  type Asked,
  type Picture,
  logoLimits,
  readPicture,
  tooLarge,
} from '../../../../core/venue/logo/read-logo.ts'
import { Refusal } from '../../../../platform/kernel/refusal.ts'
import { type PageAnswer, go } from '../../frame/page.ts'
import { type Upload, readUpload } from '../../frame/read-upload.ts'
import { warning } from '../press-message.ts'

/** Reads the picture of a form and does something with it; what is no such picture is said on the page it came from. */
export const withPicture = async (
  upload: Upload | undefined,
  asked: Asked,
  {
    back,
    done,
    save,
  }: { readonly back: string; readonly done: string; readonly save: (picture: Picture) => Promise<void> },
): Promise<PageAnswer> => {
  try {
    const file = await readUpload(upload, 'file', ({ bytes }) => wholeFile(bytes, asked))
    await save(readPicture(file, asked))
    return go(back, done)
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 400) throw error
    return go(back, warning(`${error.message} ${asked.name} was not changed.`))
  }
}

/** A file that is small or refused; what comes after that is not kept. */
const wholeFile = async (bytes: AsyncIterable<Buffer>, asked: Asked): Promise<Buffer> => {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > logoLimits.bytes) throw tooLarge(asked)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
