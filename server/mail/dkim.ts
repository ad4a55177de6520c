import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import DKIM from 'nodemailer/lib/dkim'
import type { Config } from '../config.ts'
import type { Mailer } from './mailer.ts'

/**
 * What a signature covers: what says who writes what to whom, and both List headers, as one-click unsubscribing asks
 * for (RFC 8058, 4).
 */
const signedHeaders =
  'From:Reply-To:To:Subject:Date:Message-ID:MIME-Version:Content-Type:Content-Transfer-Encoding:' +
  'List-Unsubscribe:List-Unsubscribe-Post:List-Id:Feedback-ID:Auto-Submitted:Precedence'

/** Signs what goes through the mailer. Throws an Error with a sentence if the key is not valid. */
export const signingMailer = async (
  mailer: Mailer,
  { domain, selector, keyFile }: NonNullable<Config['mailDkim']>,
): Promise<Mailer> => {
  const privateKey = await readKey(keyFile)
  const signer = new DKIM({
    domainName: domain,
    keySelector: selector,
    privateKey,
    headerFieldNames: signedHeaders,
  })
  return {
    ...mailer,
    dkimKey: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64'),
    deliver: (mail) => mailer.deliver({ ...mail, message: signer.sign(mail.message) }),
  }
}

/** An unreadable key would leave mail unsigned without a word. */
const readKey = async (file: string): Promise<string> => {
  try {
    const text = await readFile(file, 'utf8')
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPrivateKey(text)
    if (type === 'rsa' && (details?.modulusLength ?? 0) >= 1024) return text
  } catch {
    // The sentence below says all there is to say; the error may show what the file holds.
  }
  throw new Error(
    'MAIL_DKIM_KEY_FILE must be a file with an RSA private key in PEM, without a password, of 1024 bits at least.',
  )
}
