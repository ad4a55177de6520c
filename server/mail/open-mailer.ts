import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { createFileMailer } from './file-mailer.ts'
import type { Mailer } from './mailer.ts'

/** The relay of SMTP_URL; without one, and always in practice, files under DATA_DIR/mail. */
export const openMailer = async (
  config: Pick<Config, 'smtpUrl' | 'practice' | 'dataDir' | 'mailDkim'>,
  parts: Pick<Context, 'clock' | 'random'>,
): Promise<Mailer> => {
  // Loaded where they are used: what speaks SMTP and signs takes a fifth of the time of a start.
  const mailer = usesRelay(config)
    ? (await import('./smtp/smtp-mailer.ts')).createSmtpMailer({ url: config.smtpUrl })
    : createFileMailer(mailFolder(config), parts)
  return config.mailDkim ? (await import('./dkim.ts')).signingMailer(mailer, config.mailDkim) : mailer
}

/** Where mail goes that is not sent. */
export const mailFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'mail')

const usesRelay = <Settings extends Pick<Config, 'smtpUrl' | 'practice'>>(
  config: Settings,
): config is Settings & { readonly smtpUrl: string } => config.smtpUrl !== undefined && !config.practice
