import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'

/* The measurement of how many venues a process carries (bench/capacity.ts), small and short: how long things take is not judged. */

it('eight venues with screens, pages, bookings, reads, followers and endpoints are answered and hear of each booking', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['bench/capacity.ts', '--venues', '8', '--seconds', '20', '--busier', '60'],
    { cwd: join(import.meta.dirname, '../../..') },
  )
  const figures = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/: (?=[^:]*$)/) as [string, string]),
  )
  assert.ok(figures.size > 10, stdout)
  for (const [name, figure] of figures) assert.ok(Number(figure) >= 0, `${name}: ${figure}`)
  assert.equal(figures.get('8 venues, requests that were not answered as they should be'), '0.00')
  for (const counted of ['looks', 'renewals', 'pages', 'reads', 'bookings'])
    assert.match(stdout, new RegExp(`^8 venues, [1-9]\\d* ${counted} `, 'm'))
})
