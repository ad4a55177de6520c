import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../platform/db/embedded/free-port.ts'

/*
 * Debian's Postfix on a port of its own, with everything it keeps in a folder of the test: a mail server that nobody
 * here wrote, which takes mail for one domain into a mailbox and lets nothing leave the machine.
 */

const run = promisify(execFile)

export type Postfix = {
  readonly port: number
  /** The domain whose mail it keeps. */
  readonly domain: string
  /** What has been delivered so far, whole mails. */
  readonly mails: () => Promise<Buffer[]>
  readonly stop: () => Promise<void>
}

/** Why Postfix cannot be run here; undefined when it can. */
export const whyNoPostfix = (): string | undefined => {
  if (!existsSync('/usr/sbin/postfix')) return 'Postfix is not here (Debian package postfix)'
  return userInfo().uid === 0 ? undefined : 'Postfix can only be started by root'
}

const domain = 'inbox.test'
/** Debian's `nobody`, who owns the mailbox: Postfix delivers to nobody's files as root. */
const nobody = 65_534

export const startPostfix = async (): Promise<Postfix> => {
  const folder = await mkdtemp(join(tmpdir(), 'venue-postfix-'))
  // Postfix gives up its rights and must still reach its folders.
  await chmod(folder, 0o755)
  const at = (name: string): string => join(folder, name)
  for (const name of ['conf', 'queue', 'data', 'mail']) await mkdir(at(name))
  const owner = Number((await run('id', ['-u', 'postfix'])).stdout)
  await chown(at('data'), owner, 0)
  await chown(at('mail'), nobody, nobody)
  const port = await freePort()
  await writeFile(at('conf/main.cf'), settingsIn(folder))
  await writeFile(at('conf/master.cf'), servicesAt(port))
  await run('postfix', ['-c', at('conf'), 'start'])
  const inbox = at('mail/all/new')
  return {
    port,
    domain,
    mails: async () => {
      const names = await readdir(inbox).catch(() => [])
      return Promise.all(names.map((name) => readFile(join(inbox, name))))
    },
    stop: async () => {
      await run('postfix', ['-c', at('conf'), 'stop'])
      await rm(folder, { recursive: true })
    },
  }
}

const settingsIn = (folder: string): string => `compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.inbox.test
mydestination =
mynetworks = 127.0.0.0/8
virtual_mailbox_domains = ${domain}
virtual_mailbox_base = ${folder}/mail
virtual_mailbox_maps = static:all/
virtual_uid_maps = static:${nobody}
virtual_gid_maps = static:${nobody}
smtpd_relay_restrictions = permit_mynetworks, reject
default_transport = error: nothing leaves this machine
relay_transport = error: nothing leaves this machine
alias_maps =
alias_database =
`

/** Without chroot, which would need half a system copied into the folder. */
const servicesAt = (port: number): string =>
  [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'virtual unix - n n - - virtual',
    'proxymap unix - - n - - proxymap',
    'anvil unix - - n - 1 anvil',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n')
