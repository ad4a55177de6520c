import assert from 'node:assert/strict'
import { createHash, createPublicKey, createVerify, generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openMailer } from './open-mailer.ts'

describe('mail without a relay', () => {
  let folder: string
  const clock = () => Temporal.Instant.from('2026-10-06T19:00:00.000Z')
  const parts = { clock, random: randomBytes }
  const config = { smtpUrl: undefined, practice: false, mailDkim: undefined }
  const mail = {
    from: 'b+x@bounces.example.com',
    to: 'maya@example.com',
    message: Buffer.from(
      'From: a@example.com\r\nList-Unsubscribe: <x>\r\nList-Unsubscribe-Post: y\r\n\r\nHello\r\n',
    ),
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mail-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('becomes a file that only its owner may read, with the envelope in front', async () => {
    const dataDir = join(folder, 'one')
    const mailer = await openMailer({ ...config, dataDir }, parts)
    assert.equal(mailer.kind, 'files')
    assert.equal((await mailer.deliver(mail)).kind, 'accepted')
    await mailer.close()
    const [name = '', ...more] = await readdir(join(dataDir, 'mail'))
    assert.deepEqual(more, [])
    assert.match(name, /^2026-10-06T190000\.000Z-[0-9a-f]{16}\.eml$/)
    const file = join(dataDir, 'mail', name)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.equal(
      await readFile(file, 'utf8'),
      `Return-Path: <${mail.from}>\r\nDelivered-To: ${mail.to}\r\n${mail.message.toString()}`,
    )
  })

  it('goes to files in practice, even if SMTP_URL is set', async () => {
    const dataDir = join(folder, 'two')
    const mailer = await openMailer(
      { ...config, dataDir, practice: true, smtpUrl: 'smtp://127.0.0.1:1' },
      parts,
    )
    assert.equal(mailer.kind, 'files')
  })

  it('that cannot be written is tried again later', async () => {
    const dataDir = join(folder, 'three')
    await writeFile(dataDir, 'a file where a folder should be')
    const mailer = await openMailer({ ...config, dataDir }, parts)
    assert.equal((await mailer.deliver(mail)).kind, 'relay-trouble')
    await rm(dataDir)
    assert.equal((await mailer.deliver(mail)).kind, 'accepted')
  })

  describe('signed', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const dkim = { domain: 'example.com', selector: 'mail2026' }

    it('covers both List headers, and verifies', async () => {
      const keyFile = join(folder, 'key.pem')
      await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
      const dataDir = join(folder, 'four')
      const mailer = await openMailer({ ...config, dataDir, mailDkim: { ...dkim, keyFile } }, parts)
      assert.equal((await mailer.deliver(mail)).kind, 'accepted')
      const [name = ''] = await readdir(join(dataDir, 'mail'))
      const text = await readFile(join(dataDir, 'mail', name), 'latin1')
      const [, header = ''] = /^(DKIM-Signature:(?:.*\r\n)(?:[ \t].*\r\n)*)/m.exec(text) ?? []
      const tags: Record<string, string | undefined> = Object.fromEntries(
        [...header.replaceAll(/\r\n\s+/g, ' ').matchAll(/(\w+)=\s*([^;]+)/g)].map(([, tag, value]) => [
          String(tag),
          value?.trim(),
        ]),
      )
      assert.deepEqual([tags['d'], tags['s'], tags['a']], ['example.com', 'mail2026', 'rsa-sha256'])
      const covered = tags['h']?.replaceAll(' ', '').split(':') ?? []
      assert.ok(covered.includes('list-unsubscribe') && covered.includes('list-unsubscribe-post'))

      // RFC 6376, relaxed, by hand: the signer is not asked about itself.
      const relaxed = (line: string) =>
        line
          .replaceAll(/\r\n/g, '')
          .replaceAll(/[ \t]+/g, ' ')
          .trim()
      const lines = mail.message.toString().split('\r\n\r\n')[0]?.split('\r\n') ?? []
      const signed = covered
        .map((key) => {
          const line = lines.find((one) => one.toLowerCase().startsWith(`${key}:`)) ?? ''
          return `${key}:${relaxed(line.slice(line.indexOf(':') + 1))}\r\n`
        })
        .join('')
      const own = relaxed(header.slice(header.indexOf(':') + 1)).replace(/b=[^;]*$/, 'b=')
      const verify = createVerify('RSA-SHA256').update(`${signed}dkim-signature:${own}`)
      const signature = Buffer.from(tags['b']?.replaceAll(' ', '') ?? '', 'base64')
      const body = createHash('sha256').update('Hello\r\n').digest('base64')
      assert.equal(tags['bh'], body)
      assert.ok(verify.verify(createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })), signature))
    })

    it('refuses a file that holds no key, and does not show what it holds', async () => {
      const keyFile = join(folder, 'no-key.pem')
      await writeFile(keyFile, 'top secret')
      await assert.rejects(
        openMailer({ ...config, dataDir: folder, mailDkim: { ...dkim, keyFile } }, parts),
        ({ message }: Error) =>
          message.startsWith('MAIL_DKIM_KEY_FILE must be') && !message.includes('secret'),
      )
    })
  })
})
