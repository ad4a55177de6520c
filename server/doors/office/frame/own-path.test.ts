import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ownPath } from './own-path.ts'

describe('a page that is gone back to', () => {
  it('is one of the office or of the reviewers, with its query', () => {
    for (const path of [
      '/office',
      '/office/today',
      '/office/today?day=2026-10-06&view=list',
      '/office/guests/12?q=o%27brien+x',
      '/operator/requests',
    ])
      assert.equal(ownPath(path), path)
  })

  it('is nothing else', () => {
    for (const path of [
      '',
      '/',
      '/docs',
      '/officer',
      '//office/today',
      '/office//evil.example',
      '/office/../api',
      '/office/./today',
      '/office/%2e%2e/x',
      '/office/%2f%2fevil.example',
      '/office\\evil.example',
      '/office/today#x',
      '/office/today\n',
      'https://evil.example/office',
      '/office/today?next=//evil.example',
      'javascript:alert(1)',
    ])
      assert.equal(ownPath(path), undefined, path)
  })
})
