import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AskedApp, readApp } from './app-fields.ts'

describe('what the operator says of an app', () => {
  const app: AskedApp = {
    kind: 'app',
    resource: null,
    name: 'Maple CRM',
    home: 'https://crm.example.com/',
    privacy: 'https://crm.example.com/privacy',
    redirects: ['https://crm.example.com/callback'],
    needed: ['guests:read'],
    optional: ['guests:read', 'webhooks:manage'],
  }

  it('is kept as typed, and a scope that is needed is not optional, too', () => {
    assert.deepEqual(readApp(app, false), { ...app, optional: ['webhooks:manage'] })
  })

  it('has addresses that are https and whole', () => {
    for (const redirect of [
      'http://crm.example.com/callback',
      'http://127.0.0.1:4000/callback',
      'https://crm.example.com/callback#part',
      'https://*.example.com/callback',
      'https://me:secret@crm.example.com/callback',
      'crm.example.com/callback',
      'javascript:alert(1)',
      'com.example.crm:/callback',
    ])
      assert.throws(() => readApp({ ...app, redirects: [redirect] }, false), /redirect/i, redirect)
    assert.throws(() => readApp({ ...app, home: 'javascript:alert(1)' }, false), /home page/)
    assert.throws(() => readApp({ ...app, redirects: [] }, false), /1 to 10 redirects/)
  })

  it('may be on the machine itself on a practice instance', () => {
    const redirects = ['http://127.0.0.1:4000/callback']
    assert.deepEqual(readApp({ ...app, redirects }, true).redirects, redirects)
    assert.throws(() => readApp({ ...app, redirects: ['http://192.0.2.7/callback'] }, true))
  })

  it('has scopes that a key can have', () => {
    assert.throws(
      () => readApp({ ...app, needed: ['guests:write'] }, false),
      /There is no scope guests:write/,
    )
    assert.throws(() => readApp({ ...app, needed: [], optional: [] }, false), /at least one/)
    assert.throws(() => readApp({ ...app, needed: ['campaigns:read'] }, false), /campaigns:manage/)
  })
})
