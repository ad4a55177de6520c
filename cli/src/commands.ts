import type { Command, Options } from './command.ts'
import { events } from './generated/actions.ts'

/*
 * Every command that is not generated from an API call. The help and the parsing of command lines come from this table;
 * a command's code is loaded when it runs.
 */

const noWords: Options = {}

const forwarding = {
  'forward-to': {
    value: 'URL',
    about: 'A program on this machine, such as http://localhost:3000/hook.',
  },
  secret: {
    value: 'WHSEC',
    about: 'Sign with this secret instead of the one kept on this machine.',
  },
} as const satisfies Options

export const commands: readonly Command[] = [
  {
    name: 'login',
    operands: '',
    about: 'Check a key and save it, with the address of the service.',
    more: 'Asks for both, or reads the key from standard input: `venue-data login --url URL < key.txt`. The key goes into a file that only you can read, or with --keychain into the keychain of your system.',
    options: {
      keychain: { about: 'Save the key in the keychain of the system.' },
    },
    load: async () => (await import('./commands/login.ts')).login,
  },
  {
    name: 'logout',
    operands: '',
    about: 'Delete the saved address and key.',
    options: noWords,
    load: async () => (await import('./commands/logout.ts')).logout,
  },
  {
    name: 'whoami',
    operands: '',
    about: 'Show which venue the key belongs to, and what it may do.',
    options: noWords,
    load: async () => (await import('./commands/whoami.ts')).whoami,
  },
  {
    name: 'tail',
    operands: '',
    about: 'Follow changes to records, or events with --events, until Ctrl-C.',
    options: {
      events: { about: 'Show every event, instead of the latest state of each record.' },
      after: { value: 'CURSOR', about: 'Start after this cursor, which is the `next` of an earlier answer.' },
      'from-start': { about: 'Start with what is there already, not with what comes from now on.' },
      'stop-after': { value: 'N', about: 'Stop after this many.' },
    },
    load: async () => (await import('./commands/tail.ts')).tail,
  },
  {
    name: 'listen',
    operands: '',
    about: 'Forward events to a program on this machine, signed like webhooks, until Ctrl-C.',
    more: 'It needs no tunnel and no public address. Each event is sent once; a real webhook would be retried.',
    options: {
      ...forwarding,
      events: {
        value: 'NAMES',
        about: 'Only these events, separated by commas: reservation.created or reservation.*.',
        words: Object.keys(events),
      },
    },
    load: async () => (await import('./commands/listen.ts')).listen,
  },
  {
    name: 'trigger',
    operands: '<event>',
    about: 'Send a signed sample of an event, to an endpoint or to where `listen` forwards.',
    more: 'Without flags it goes to where a running `listen` forwards. Nothing happens at the venue: a sample says that it is one, and every id in it is 0. For real changes, use `bin/venue trigger` of a practice instance.',
    options: {
      endpoint: { value: 'ID', about: 'Send it to this webhook endpoint: see `venue-data list webhooks`.' },
      ...forwarding,
    },
    load: async () => (await import('./commands/trigger.ts')).trigger,
  },
  {
    name: 'export',
    operands: '',
    about: 'Write every record to a folder, as NDJSON and CSV.',
    more: 'Interrupted, it goes on where it was when you run it again; finished, it brings the folder up to date. Only what the key may read is there.',
    options: {
      to: {
        value: 'FOLDER',
        about: 'Where to: an empty folder, or one with an earlier export.',
        required: true,
      },
    },
    load: async () => (await import('./commands/export.ts')).exportAll,
  },
  {
    name: 'verify',
    operands: '',
    about: 'Prove that an export has every record at its newest revision, and repair what it does not.',
    more: 'Brings the folder up to date first. Exits with 1 when something was wrong, which is then right.',
    options: {
      folder: { value: 'FOLDER', about: 'The folder of an export.', required: true },
    },
    load: async () => (await import('./commands/verify.ts')).verifyFolder,
  },
  {
    name: 'doctor',
    operands: '',
    about: 'Check the service, the clock, the key and the webhook endpoints, with advice.',
    options: noWords,
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'completion',
    operands: '<bash|zsh|fish>',
    about: 'Print the completion script of a shell.',
    more: 'bash: add `source <(venue-data completion bash)` to ~/.bashrc. zsh: add `source <(venue-data completion zsh)` to ~/.zshrc, after compinit. fish: `venue-data completion fish > ~/.config/fish/completions/venue-data.fish`.',
    options: noWords,
    load: async () => (await import('./commands/completion.ts')).completion,
  },
]
