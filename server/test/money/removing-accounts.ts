import assert from 'node:assert/strict'
import { removeAccounts } from '../../tickets/online/removing/remove-account.ts'
import type { OfficeVisitor } from '../office.ts'
import { eventually } from '../eventually.ts'
import { rowsOf, waitingForLock } from '../rows.ts'
import type { TestService, TestVenue } from '../service.ts'

type Scene = {
  readonly service: TestService
  readonly venue: TestVenue
  readonly office: OfficeVisitor
}

export const paymentsHome = '/office/settings/payments'

/** Ends the account of a scene, and removes it as its owner does. Its worker does not run but where a test runs it. */
export const removingAccounts = (scene: Scene) => {
  const accounts = () =>
    rowsOf(
      scene.service,
      `select id, live, key_sealed <> '' as has_key, signing_sealed is not null or earlier_signing_sealed is not null as is_signed,
              callback_ref is not null as is_called, remove_at is not null as is_going, removed_at is not null as is_removed
         from processor_account where venue_id = $1 order by made_at, id`,
      [scene.venue.id],
    )
  const formerId = async (): Promise<string> => {
    const [row] = await rowsOf<{ id: string }>(
      scene.service,
      'select id from processor_account where venue_id = $1 and ended_at is not null order by made_at, id limit 1',
      [scene.venue.id],
    )
    assert.ok(row)
    return row.id
  }
  const disconnect = async (): Promise<void> => {
    assert.equal((await scene.office.post(`${paymentsHome}/remove`, { sure: 'yes' })).status, 303)
  }
  const address = async (): Promise<string> => `${paymentsHome}/former/${await formerId()}/remove`
  /** The page that comes before the last press. */
  const asks = async () => scene.office.post(await address())
  const press = async (): Promise<void> => {
    const { status, words } = await scene.office.post(await address(), { sure: 'yes' })
    assert.equal(status, 303, words)
  }
  const goOn = (seconds = 10): Promise<void> => {
    scene.service.setClock(scene.service.context.clock().add({ seconds }).toString())
    return removeAccounts(scene.service.context, new AbortController().signal)
  }
  const removed = async (): Promise<void> => {
    await disconnect()
    await press()
    await goOn(0)
    assert.deepEqual(
      (await accounts()).map(({ is_removed: isRemoved }) => isRemoved),
      [true],
    )
  }
  /** Writes this of the account while the other runs into it, as its removal does at the same moment. */
  const overtaken = async <Answer>(writes: string, then: () => Promise<Answer>): Promise<Answer> => {
    const id = await formerId()
    let second: Promise<Answer> | undefined
    await scene.service.db.session(async (client) => {
      await client.query('begin')
      await client.query('select id from processor_account where venue_id = $1 and id = $2 for update', [
        ...[scene.venue.id, id],
      ])
      await client.query(`update processor_account set ${writes} where venue_id = $1 and id = $2`, [
        ...[scene.venue.id, id],
      ])
      second = then()
      await eventually(async () => (await waitingForLock(scene.service)) > 0)
      await client.query('commit')
    })
    assert.ok(second)
    return second
  }
  return { accounts, disconnect, address, asks, press, goOn, overtaken, removed }
}
