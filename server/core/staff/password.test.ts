import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { hashPassword, isPassword, passwordMistake } from './password.ts'

describe('a staff password', () => {
  it('is kept as an argon2id hash of the PHC form, and known again', async () => {
    const kept = await hashPassword('correct horse battery', randomBytes)
    assert.match(kept, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    assert.equal(await isPassword('correct horse battery', kept), true)
    assert.equal(await isPassword('correct horse batterz', kept), false)
    assert.notEqual(
      await hashPassword('correct horse battery', randomBytes),
      kept,
      'each has a salt of its own',
    )
  })

  it('is the same however its letters were composed', async () => {
    const kept = await hashPassword('crème brûlée at ten', randomBytes)
    assert.equal(await isPassword('crème brûlée at ten'.normalize('NFD'), kept), true)
  })

  it('hashes to the same text for ever for the same salt', async () => {
    // Written down: computed with OpenSSL through another language; if it changes, nobody can sign in.
    assert.equal(
      await hashPassword('correct horse battery', (size) => Buffer.alloc(size, 7)),
      '$argon2id$v=19$m=19456,t=2,p=1$BwcHBwcHBwcHBwcHBwcHBw$WLRGUa13/B3MXznFse33FId4O++DaYL6ulYUMEhpRqE',
    )
  })

  it('checks a hash with the cost it was made with', async () => {
    const kept = '$argon2id$v=19$m=64,t=3,p=2$CQkJCQkJCQkJCQkJCQkJCQ$wrPsQ9mKacRFV5hN915VkSB+aD1IPurH'
    assert.equal(await isPassword('password', kept), true)
    assert.equal(await isPassword('passwore', kept), false)
  })

  it('has 12 to 200 characters in one line', () => {
    assert.equal(passwordMistake('twelve chars'), undefined)
    assert.equal(passwordMistake('🍋'.repeat(12)), undefined)
    assert.match(passwordMistake('eleven char') ?? '', /12 to 200/)
    assert.match(passwordMistake('x'.repeat(201)) ?? '', /12 to 200/)
    assert.match(passwordMistake('two lines of\na password') ?? '', /one line/)
  })

  it('a kept text of another form is a fault, not a wrong password', async () => {
    await assert.rejects(isPassword('x', '$2b$10$abc'), /PHC form/)
  })
})
