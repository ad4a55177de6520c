import type { Context } from '../../context.ts'
import { type AppRow, allApps, changeApp, createApp, fieldsOf } from '../../integrations/apps/apps.ts'
import { removeAppEverywhere } from '../../integrations/apps/uninstall.ts'
import { command, needed, text, texts, wholeNumber, bare } from './command.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { sheet, table } from './print.ts'

/* Apps: software that many venues connect, registered by nobody else (docs/apps.md). */

const create = command({
  words: 'app create',
  about:
    'Registers software that venues can connect, and prints its secret, only once. Redirects are https addresses, compared letter by letter. `--assistant`: a program on people’s machines that works through an MCP server; it has no secret, and its redirects may be on the machine itself, on any port. `--mcp-server`: the MCP server at this address, without redirects and scopes.',
  flags: {
    name: needed(text('N')),
    home: needed(text('URL')),
    privacy: needed(text('URL')),
    redirect: texts('URL'),
    needs: text('a,b'),
    optional: text('a,b'),
    assistant: bare,
    'mcp-server': text('URL'),
  },
  run: async (
    context,
    { redirect = [], needs = '', optional = '', assistant, 'mcp-server': resource, ...given },
  ) => {
    if (assistant && resource !== undefined)
      throw badRequest('An assistant is not an MCP server: register them separately.')
    const { row, secret } = await context.db.transaction((db) =>
      createApp(context, db, {
        ...given,
        kind: resource !== undefined ? 'mcp-server' : assistant ? 'assistant' : 'app',
        resource: resource ?? null,
        redirects: redirect,
        needed: wordsIn(needs),
        optional: wordsIn(optional),
      }),
    )
    const made = { ...presentApp(row), ...(secret !== undefined && { secret }) }
    return {
      json: made,
      text: sheet(inWords(made)),
      notes: [...(secret !== undefined ? [onlyOnce] : []), ...whatIsMissing(context)],
    }
  },
})

const list = command({
  words: 'app list',
  about: 'Prints every app, also removed ones, without secrets.',
  flags: {},
  run: async ({ db }) => {
    const rows = await allApps(db)
    return {
      json: rows.map(presentApp),
      text:
        rows.length === 0
          ? 'No app is registered yet.'
          : table(rows, {
              ID: ({ id }) => id,
              CLIENT: ({ client_id }) => client_id,
              KIND: (row) => fieldsOf(row).kind,
              NAME: ({ name }) => name,
              NEEDS: ({ scopes_needed }) => scopes_needed.join(','),
              OPTIONAL: ({ scopes_optional }) => scopes_optional.join(','),
              CREATED: ({ created_at }) => created_at,
              REMOVED: ({ removed_at }) => removed_at,
            }),
    }
  },
})

const update = command({
  words: 'app update',
  about:
    'Changes what is given, for installs to come; the keys of venues that connected it keep what their owners allowed. `--new-secret` ends the old secret at once.',
  flags: {
    id: needed(wholeNumber('I')),
    name: text('N'),
    home: text('URL'),
    privacy: text('URL'),
    redirect: texts('URL'),
    needs: text('a,b'),
    optional: text('a,b'),
    'new-secret': bare,
  },
  run: async (context, { id, redirect, needs, optional, name, home, privacy, ...given }) => {
    const { row, secret } = await context.db.transaction((db) =>
      changeApp(context, db, id, {
        ...(name !== undefined && { name }),
        ...(home !== undefined && { home }),
        ...(privacy !== undefined && { privacy }),
        ...(redirect !== undefined && { redirects: redirect }),
        ...(needs !== undefined && { needed: wordsIn(needs) }),
        ...(optional !== undefined && { optional: wordsIn(optional) }),
        newSecret: given['new-secret'],
      }),
    )
    const changed = { ...presentApp(row), ...(secret !== undefined && { secret }) }
    return {
      json: changed,
      text: sheet(inWords(changed)),
      ...(secret !== undefined && { notes: [onlyOnce] }),
    }
  },
})

const remove = command({
  words: 'app remove',
  about:
    'Removes an app: no venue can connect it any longer, and its keys at every venue are revoked permanently, venue by venue. Safe to repeat.',
  flags: { id: needed(wholeNumber('I')) },
  run: async (context, { id }) => {
    const { row, ended } = await removeAppEverywhere(context, id)
    const removed = { ...presentApp(row), installsEnded: ended }
    return { json: removed, text: sheet(inWords(removed)) }
  },
})

export const appCommands = [create, list, update, remove]

const onlyOnce = 'The secret is shown only once: only its fingerprint is kept.'

/** Owners sign in there, and the app finds everything below it (RFC 8414). */
const whatIsMissing = ({ config }: Context): readonly string[] =>
  config.practice || config.publicUrl.startsWith('https:')
    ? []
    : ['PUBLIC_URL must be the https address of the service before a venue can connect an app.']

const wordsIn = (list: string): string[] =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

const presentApp = (row: AppRow) => ({
  id: row.id,
  clientId: row.client_id,
  kind: fieldsOf(row).kind,
  mcpServer: row.resource,
  name: row.name,
  home: row.home,
  privacy: row.privacy,
  redirects: row.redirects,
  needs: row.scopes_needed,
  optional: row.scopes_optional,
  createdAt: row.created_at,
  removedAt: row.removed_at,
})

/** Lists as the flags take them. */
const inWords = (fields: object): Record<string, string | number | null> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  )
