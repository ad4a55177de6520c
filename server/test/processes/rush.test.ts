import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'

/* The measurement of tickets in a rush (bench/rush.ts), small and short: how long things take is not judged. */

it('of a crowd that wants few seats each seat is sold once, who pays has an order, and each ticket is in once', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['bench/rush.ts', '--quick'], {
    cwd: join(import.meta.dirname, '../../..'),
  })
  const figures = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/: (?=[^:]*$)/) as [string, string])
  assert.ok(figures.length > 8, stdout)
  assert.deepEqual(
    figures.filter(([name]) => /^(?:seats|buyers|tickets|browsers) /.test(name)),
    [
      ['tickets of these that are not in once', '0.00'],
      ['buyers of these without their order', '0.00'],
      ['seats of these that were sold', '10.00'],
      ['seats that were paid for and could not be given', '0.00'],
      ['browsers that saw neither a ticket nor that it is sold out', '0.00'],
    ],
    `${stdout}\n${stderr}`,
  )
  for (const [name, figure] of figures) assert.ok(Number.isFinite(Number(figure)), `${name}: ${figure}`)
})
