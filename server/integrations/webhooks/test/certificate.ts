import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A certificate and its private key, PEM, as `tls.createServer` takes them. */
export type Certificate = { readonly cert: string; readonly key: string }

/** A test's own certificate authority: `sign` makes certificates that the sender trusts when given `cert`. */
export type Authority = {
  readonly cert: string
  readonly sign: (names: readonly string[], more?: { readonly expired?: boolean }) => Certificate
}

/**
 * Creates an authority for one test run, so that the repository holds no private key and none expires. Node cannot
 * write certificates; the little DER they need is below.
 */
export const makeAuthority = (): Authority => {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = name('Test authority')
  const own = certificate({
    subject,
    issuer: subject,
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    extension: extension('551d13', true, der(0x30, der(0x01, Buffer.from([0xff])))),
    expired: false,
  })
  return {
    cert: own,
    sign: (names, more = {}) => {
      const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const alternatives = names.map((dnsName) => der(0x82, Buffer.from(dnsName, 'ascii')))
      return {
        cert: certificate({
          subject: name(names[0] ?? 'nobody'),
          issuer: subject,
          publicKey: leaf.publicKey,
          signingKey: keys.privateKey,
          extension: extension('551d11', false, der(0x30, ...alternatives)),
          expired: more.expired === true,
        }),
        key: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      }
    },
  }
}

/** X.509 version 3, signed with ECDSA and SHA-256 (RFC 5280, 4.1). */
const certificate = (parts: {
  subject: Buffer
  issuer: Buffer
  publicKey: KeyObject
  signingKey: KeyObject
  extension: Buffer
  expired: boolean
}): string => {
  const ecdsaWithSha256 = der(0x30, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
  const validity = der(
    0x30,
    utcTime('200101000000Z'),
    utcTime(parts.expired ? '210101000000Z' : '491231000000Z'),
  )
  const serial = der(0x02, Buffer.from([1, ...crypto.getRandomValues(new Uint8Array(8))]))
  const toBeSigned = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    serial,
    ecdsaWithSha256,
    parts.issuer,
    validity,
    parts.subject,
    parts.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, parts.extension)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, parts.signingKey))
  const whole = der(0x30, toBeSigned, ecdsaWithSha256, signature).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${whole.replaceAll(/(.{64})/g, '$1\n').trimEnd()}\n-----END CERTIFICATE-----\n`
}

const name = (commonName: string): Buffer =>
  der(0x30, der(0x31, der(0x30, der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(commonName)))))

const extension = (oidHex: string, critical: boolean, value: Buffer): Buffer =>
  der(
    0x30,
    der(0x06, Buffer.from(oidHex, 'hex')),
    ...(critical ? [der(0x01, Buffer.from([0xff]))] : []),
    der(0x04, value),
  )

const utcTime = (text: string): Buffer => der(0x17, Buffer.from(text, 'ascii'))

/** One DER value: tag, length, content; up to 65,535 bytes. */
const der = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents)
  const { length } = content
  const lengthBytes =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content])
}
