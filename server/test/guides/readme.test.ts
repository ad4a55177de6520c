import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

/* The page a stranger sees first. */

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')

describe('the README', () => {
  it('is read in five minutes: at most 8 KB, three pictures and six calls', () => {
    assert.ok(Buffer.byteLength(readme) <= 8192, `${Buffer.byteLength(readme)} bytes`)
    assert.equal(readme.match(/!\[[^\]]+\]\(docs\/pictures\//g)?.length, 3)
    assert.equal(readme.match(/^\$ curl /gm)?.length, 6)
  })

  it('shows the two commands, the second with how long it takes, before the addresses of the office, the guest page and the API', () => {
    const places = [
      '\nnpm ci && npm start\n',
      '\nnpm ci && npm test\n',
      'http://127.0.0.1:8080/office',
      'http://127.0.0.1:8080/v/blue-door',
      'http://127.0.0.1:8080/api/v1',
    ].map((text) => readme.indexOf(text))
    assert.ok(
      places.every((place) => place > 0),
      places.join(' '),
    )
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
    )
    // Somebody waiting wants to know for how long; `npm run check:release` measures it.
    assert.match(readme, /\nnpm ci && npm test\n```\n\n[^\n]*: \d+ to \d+ minutes on two cores/)
  })
})
