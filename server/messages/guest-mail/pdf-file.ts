/*
 * A PDF with lines of text and filled boxes (ISO 32000-1), which is all that a ticket on paper needs. Fonts are not
 * embedded: the first two are of those every reader has, and what they lack (Japanese, and most of what is no Western
 * European letter) is in a font that readers replace by one of their own.
 */

export type PdfText = {
  readonly x: number
  /** From the top of the page. */
  readonly y: number
  readonly size: number
  readonly bold?: boolean
  readonly text: string
}
export type PdfBox = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
export type PdfPage = { readonly texts: readonly PdfText[]; readonly boxes: readonly PdfBox[] }

/** A4, in points. */
export const pdfPaper = { width: 595, height: 842 } as const

export const pdfFile = (
  pages: readonly PdfPage[],
  { title, language }: { readonly title: string; readonly language: string },
): Buffer => {
  const firstPage = 8
  const kids = pages.map((_, place) => `${firstPage + place * 2} 0 R`).join(' ')
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /Lang (${language}) /ViewerPreferences << /DisplayDocTitle true >> >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiKakuGo-W5 /Encoding /UniJIS-UTF16-H /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiKakuGo-W5 /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 5 >> /DW 1000 /W [1 95 500] /FontDescriptor << /Type /FontDescriptor /FontName /HeiseiKakuGo-W5 /Flags 4 /FontBBox [-92 -250 1010 922] /ItalicAngle 0 /Ascent 752 /Descent -221 /CapHeight 737 /StemV 114 >> >>',
    `<< /Title ${utf16(title, '<FEFF')} >>`,
    ...pages.flatMap((page, place) => {
      const content = contentOf(page)
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pdfPaper.width} ${pdfPaper.height}] /Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> >> /Contents ${firstPage + place * 2 + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.5\n%\xE2\xE3\xCF\xD3\n'
  const places = objects.map((object, place) => {
    const at = text.length
    text += `${place + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 7 0 R >>\nstartxref\n${start}\n%%EOF\n`
  // Every sign so far is one byte.
  return Buffer.from(text, 'latin1')
}

const contentOf = ({ texts, boxes }: PdfPage): string =>
  [
    ...boxes.map(
      ({ x, y, width, height }) =>
        `${round(x)} ${round(pdfPaper.height - y - height)} ${round(width)} ${round(height)} re f`,
    ),
    ...texts.map(({ x, y, size, bold = false, text }) => {
      const western = winAnsi(text)
      const font = western === undefined ? 'F3' : bold ? 'F2' : 'F1'
      return `BT /${font} ${size} Tf ${round(x)} ${round(pdfPaper.height - y)} Td ${western ?? utf16(text, '<')} Tj ET`
    }),
  ].join('\n')

const round = (number: number): string => String(Math.round(number * 100) / 100)

/** In the code page of the Western fonts; undefined for a text with any other letter. */
const winAnsi = (text: string): string | undefined => {
  let bytes = ''
  for (const sign of text.normalize('NFC')) {
    const point = sign.codePointAt(0) as number
    const byte =
      (point >= 0x20 && point < 0x7f) || (point >= 0xa0 && point <= 0xff) ? point : special.get(sign)
    if (byte === undefined) return undefined
    bytes += byte.toString(16).padStart(2, '0')
  }
  return `<${bytes}>`
}

/** Where the code page has what is no Latin-1. A thin blank, which French has before some signs, is a blank. */
const special = new Map<string, number>([
  ...Array.from('€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ').flatMap((sign, place): [string, number][] =>
    sign === '\0' ? [] : [[sign, 0x80 + place]],
  ),
  ['\u202F', 0xa0],
  ['\u2009', 0xa0],
])

const utf16 = (text: string, open: '<' | '<FEFF'): string =>
  `${open}${Buffer.from(text.toWellFormed().normalize('NFC'), 'utf16le').swap16().toString('hex')}>`

/** Lines that fit a width, and its own. Nothing measures the letters: the estimate is on the safe side. */
export const linesOf = (text: string, size: number, width: number): string[] =>
  text
    .replaceAll(/[\t\v\f]/g, ' ')
    .split(/[\r\n\u2028\u2029]+/)
    .flatMap((line) => wrapped(line, size, width))

const wrapped = (text: string, size: number, width: number): string[] => {
  const most = width / size
  const lines: string[] = []
  let line = ''
  let long = 0
  // Between words, and between any two signs of a language that has no blanks.
  for (const word of text.match(/[\u2E80-\uFFEF]|[^\s\u2E80-\uFFEF]+\s*|\s+/g) ?? []) {
    const more = widthOf(word.trimEnd())
    if (long > 0 && long + more > most) {
      lines.push(line.trimEnd())
      line = ''
      long = 0
    }
    line += word
    long += widthOf(word)
  }
  return [...lines, line.trimEnd()].filter((one) => one !== '')
}

const widthOf = (text: string): number =>
  Array.from(text).reduce((sum, sign) => sum + (sign > '\u2E80' ? 1 : 0.56), 0)
