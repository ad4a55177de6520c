import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readConfig } from '../../config.ts'
import { markRestored } from '../../platform/db/database-mark.ts'
import { freshDatabase } from '../../test/database.ts'
import { openPatientProgram } from '../../test/program.ts'

it('a command on a restored copy knows that sending is on hold, so one that compares the books of payments writes nothing', async () => {
  const { url, drop } = await freshDatabase()
  const secrets = `first:${Buffer.alloc(32, 7).toString('base64')}`
  const open = () => openPatientProgram(readConfig({ DATABASE_URL: url, SECRETS: secrets }), 'command')
  const first = await open()
  const { db, clock, hold } = first.context
  assert.equal(hold.isOn(), false)
  await db.transaction((queries) => markRestored(queries, clock()))
  await first.close()
  const onCopy = await open()
  assert.equal(onCopy.context.hold.isOn(), true)
  await onCopy.close()
  await drop()
})
