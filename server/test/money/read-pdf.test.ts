import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deflateSync } from 'node:zlib'
import { pdfFile } from '../../messages/guest-mail/pdf-file.ts'
import { assertUnsaid } from '../stripe/names-in.ts'
import { saidInPdf } from './read-pdf.ts'

describe('what a PDF says', () => {
  const secret = 'pi_planted1234567890'
  const at = { x: 10, y: 10, size: 12 }
  const fileOf = (text: string, title = 'Tickets', bold = false): Buffer =>
    pdfFile([{ texts: [{ ...at, bold, text }], boxes: [] }], { title, language: 'en' })
  const finds = (bytes: Buffer): void =>
    assert.throws(() => assertUnsaid([secret], [{ where: 'a PDF', text: saidInPdf(bytes) }]), /a PDF/)

  it('is found where a name was planted in it, in either alphabet, bold, in its title, cut or compressed', () => {
    assert.equal(fileOf(secret).includes(secret), false, 'its bytes do not name it')
    finds(fileOf(secret))
    finds(fileOf(`Paid: ${secret}.`, 'Tickets', true))
    finds(fileOf(`席 ${secret}`))
    finds(fileOf('Wine dinner', secret))
    const texts = [secret.slice(0, 9), secret.slice(9)].map((text) => ({ ...at, text }))
    finds(pdfFile([{ texts, boxes: [] }], { title: 'Tickets', language: 'en' }))
    const page = deflateSync(`BT /F1 12 Tf (${secret}) Tj ET`).toString('latin1')
    const packed = `%PDF-1.5\n4 0 obj\n<< /Length ${page.length} /Filter /FlateDecode >>\nstream\n${page}\nendstream\nendobj`
    finds(Buffer.from(packed, 'latin1'))
  })

  it('is not what nobody wrote in it', () => {
    const text = saidInPdf(fileOf('Wine dinner'))
    assert.match(text, /^Wine dinner$/m)
    assertUnsaid([secret], [{ where: 'a PDF', text }])
  })
})
