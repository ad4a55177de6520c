/*
 * Random letters and digits, each as likely as the others. A draw of 64 bytes is enough for the texts made here in all
 * but freak cases; a broken source must not keep the process spinning.
 */

export const lettersAndDigits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const mostDraws = 16
const bytesPerDraw = 64

/**
 * So many random letters and digits.
 *
 * @param randomBytes gives that many bytes of a cryptographic random source.
 * @throws Error when the source is so far from random that 16 draws do not fill the text.
 */
export const randomText = (randomBytes: (size: number) => Uint8Array, characters: number): string => {
  // Bytes of 248 and more are thrown away: 256 is not a multiple of 62, and the first letters would come too often.
  const fair = 256 - (256 % lettersAndDigits.length)
  let text = ''
  for (let draw = 0; draw < mostDraws && text.length < characters; draw++) {
    for (const byte of randomBytes(bytesPerDraw)) {
      if (byte < fair) text += lettersAndDigits.charAt(byte % lettersAndDigits.length)
    }
  }
  if (text.length < characters) throw new Error('The random source does not give random bytes.')
  return text.slice(0, characters)
}
