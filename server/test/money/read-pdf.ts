import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { inflateSync } from 'node:zlib'

/* What a PDF says, for tests that look for something in it: its bytes name no letter of it. */

/** Every text of a PDF, line by line, and once more without the ends of its lines: a long word may be cut there. */
export const saidInPdf = (bytes: Buffer): string => {
  const file = bytes.toString('latin1')
  assert.ok(file.startsWith('%PDF-'), 'it is a PDF')
  const texts = [file.replaceAll(streams, ''), ...Array.from(file.matchAll(streams), contentOf)].flatMap(
    textsIn,
  )
  assert.ok(texts.length > 0, 'it says something')
  return [file, texts.join('\n'), texts.join('')].join('\n')
}

const streams = /<<((?:(?!<<)[^])*?)>>\s*stream\r?\n([^]*?)\r?\nendstream/g

const contentOf = ([, about = '', content = '']: RegExpMatchArray): string =>
  /\/FlateDecode/.test(about) ? inflateSync(Buffer.from(content, 'latin1')).toString('latin1') : content

/** Between brackets by their codes, of one byte or of two, or between parentheses as they are. */
const textsIn = (content: string): string[] =>
  Array.from(content.matchAll(/(?<!<)<([\da-f\s]+)>(?!>)|\(((?:\\.|[^\\()])*)\)/gi), ([, hex, plain = '']) =>
    hex === undefined
      ? plain.replaceAll(/\\(.)/g, '$1')
      : ofCodes(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex')),
  )

/** What has a letter of two bytes is all in such letters: every other byte of what is Latin in it is zero. */
const ofCodes = (codes: Buffer): string => {
  const isWide = codes.length % 2 === 0 && codes.some((byte, place) => byte === 0 && place % 2 === 0)
  const isMarked = codes[0] === 0xfe && codes[1] === 0xff
  return isWide || isMarked
    ? Buffer.from(codes.subarray(isMarked ? 2 : 0))
        .swap16()
        .toString('utf16le')
    : codes.toString('latin1')
}

/** The files that make a PDF: each has to be looked at by what looks at all of them. */
export const makersOfPdf = async (): Promise<string[]> => {
  const makers: string[] = []
  for await (const path of glob('server/**/*.ts', {
    exclude: (name) => name.endsWith('.test.ts') || name === 'server/test',
  }))
    if (/\bpdfFile\(|%PDF/.test(await readFile(path, 'utf8'))) makers.push(path)
  return makers.toSorted()
}
