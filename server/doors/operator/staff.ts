import { addStaff } from '../../core/staff/actions.ts'
import { resetByOperator } from '../../core/staff/password-links.ts'
import { type StaffRow, allStaff } from '../../core/staff/reads.ts'
import { staffRoles } from '../../core/staff/roles.ts'
import { venueOfSlug } from '../../core/venue/actions.ts'
import { bare, command, needed, oneOf, text } from './command.ts'
import { sheet, table } from './print.ts'
import { readTextFile } from './read-file.ts'

const passwordFileBytes = 4_096

const add = command({
  words: 'staff add',
  about:
    "Creates an account that can sign in at a venue's office; a reviewer, who answers requests for access, has no venue. The password is the file's only line; it is never a flag and never printed.",
  flags: {
    venue: text('S'),
    email: needed(text('E')),
    role: needed(oneOf([...staffRoles, 'reviewer'])),
    'password-file': needed(text('F')),
  },
  misuse: ({ venue, role }) => {
    if (role === 'reviewer') return venue === undefined ? undefined : 'A reviewer has no --venue.'
    return venue === undefined ? '--venue is missing.' : undefined
  },
  run: async (context, { venue: slug, email, role, 'password-file': file }) => {
    const venue = slug === undefined ? null : await venueOfSlug(context.db, slug)
    // Editors and `echo` end the line; the line end is not part of the password.
    const password = (await readTextFile(file, passwordFileBytes)).replace(/\r?\n$/, '')
    const account = presentStaff(await addStaff(context, context.db, venue, { email, role, password }))
    return { json: account, text: sheet(account) }
  },
})

const list = command({
  words: 'staff list',
  about: 'Prints every office account, venue by venue.',
  flags: {},
  run: async ({ db }) => {
    const rows = await allStaff(db)
    return {
      json: rows.map(presentStaff),
      text:
        rows.length === 0
          ? 'There is no account yet.'
          : table(rows, {
              ID: ({ id }) => id,
              VENUE: ({ slug }) => slug,
              EMAIL: ({ email }) => email,
              ROLE: ({ role }) => role,
              CREATED: ({ created_at }) => created_at,
            }),
    }
  },
})

const reset = command({
  words: 'staff reset',
  about:
    "Creates a link with which somebody chooses a new password, and prints it only once; it works once, within a day. With --codes it turns off their authenticator app's codes instead, and signs them out everywhere.",
  flags: { email: needed(text('E')), venue: text('S'), codes: bare },
  run: async (context, { email, venue: slug, codes }) => {
    const venue = slug === undefined ? undefined : await venueOfSlug(context.db, slug)
    const done = await context.db.transaction((db) =>
      resetByOperator(context, db, { email, venue: venue?.id, codes }),
    )
    const { link } = done
    const answer = {
      id: done.id,
      venue: done.slug,
      email: done.email,
      link: link === undefined ? null : `${context.config.publicUrl}/office/new-password/${link.token}`,
      expiresAt: link?.expiresAt ?? null,
      codesReset: codes,
    }
    return {
      json: answer,
      text: sheet(answer),
      notes: [
        link === undefined
          ? 'They sign in with only the password until they turn codes on again.'
          : 'The link is shown only once. Give it to nobody else; any earlier link no longer works.',
      ],
    }
  },
})

export const staffCommands = [add, list, reset]

const presentStaff = (row: StaffRow) => ({
  id: row.id,
  venue: row.slug,
  email: row.email,
  role: row.role,
  createdAt: row.created_at,
})
