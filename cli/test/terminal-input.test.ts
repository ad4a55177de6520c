import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { terminalInput } from '../src/terminal-input.ts'
import { runHere } from './run-here.ts'

/** A keyboard, and what the screen shows. */
const terminal = () => {
  const raw: boolean[] = []
  let screen = ''
  const keys = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => raw.push(on) })
  const input = terminalInput(keys as never, { write: (text) => (screen += text) })
  return { keys, input, raw, screen: () => screen }
}

describe('a question on a terminal', () => {
  it('shows what is typed, unless it is a secret, and takes it back letter by letter', async () => {
    const { keys, input, raw, screen } = terminal()
    const name = input.ask('Name: ', { hidden: false })
    keys.write('Ann\u007fa\r')
    assert.equal(await name, 'Ana')
    assert.equal(screen(), 'Name: Ann\b \ba\n')
    const key = input.ask('Key: ', { hidden: true })
    keys.write('secrets\u007f')
    keys.write('\n')
    assert.equal(await key, 'secret')
    assert.ok(screen().endsWith('Key: \n'))
    assert.deepEqual(raw, [true, false, true, false])
  })

  it('ends the program at Ctrl-C without a word', async () => {
    const { keys, input } = terminal()
    const ran = runHere(['login'], { input })
    keys.write('http\u0003')
    assert.deepEqual(await ran, { code: 130, out: '', err: '' })
  })
})
