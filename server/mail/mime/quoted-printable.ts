/*
 * Text in 7 bits (RFC 2045, section 6.7), lines of at most 76 characters, CRLF. `=` is followed by two digits or a
 * line end and nothing else, so a boundary with `=_` in it can occur in no text.
 */

const lineMost = 76

/** Encodes text that begins a line. Line feeds of the text are line ends; nothing is added at its end. */
export const quotedPrintable = (text: string): string =>
  // A name or a short line is mostly as plain as this.
  plain.test(text) ? text : text.split('\n').map(encodedLine).join('\r\n')

/** A line end that is not part of the text. */
export const softBreak = '=\r\n'

const plain = /^(?!From )[!-\-/-<>-~](?:[ -<>-~]{0,70}[!-<>-~])?$/

const encodedLine = (line: string): string => {
  const bytes = Buffer.from(line, 'utf8')
  let out = ''
  let column = 0
  for (let at = 0; at < bytes.length; at++) {
    const unit = encodedByte(bytes, at, column === 0)
    // One place is left for the `=` of a soft break.
    if (column + unit.length > lineMost - 1) {
      out += softBreak
      column = 0
    }
    // What begins a new line is judged again.
    const written = column === 0 ? encodedByte(bytes, at, true) : unit
    out += written
    column += written.length
  }
  return out
}

/** Dots and `From ` at the begin of a line are hidden from mail servers and mailboxes that would touch them. */
const encodedByte = (bytes: Buffer, at: number, beginsLine: boolean): string => {
  const byte = bytes[at] as number
  const isBlank = byte === 0x20 || byte === 0x09
  const isPlain = isBlank
    ? at < bytes.length - 1
    : byte > 0x20 && byte < 0x7f && byte !== 0x3d && !(beginsLine && (byte === 0x2e || byte === 0x46))
  return isPlain ? String.fromCharCode(byte) : (hex[byte] as string)
}

const hex = Array.from({ length: 256 }, (_, byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
