import { describe, expect, test } from 'vitest'
import { safeNext } from './safeNext.ts'

describe('safeNext', () => {
  test.each(['/', '/account/profile', '/account/sessions?sort=new#top', '/reset?token=a//b'])('keeps %s', (path) => {
    expect(safeNext(path)).toBe(path)
  })

  test.each([
    null,
    undefined,
    '',
    'account',
    'https://evil.example',
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\\\\evil.example',
    ' //evil.example',
    '/%0d%0a//evil.example',
    '/%ff',
  ])('refuses %j', (path) => {
    expect(safeNext(path)).toBe('/')
  })

  test('every kept path stays on this origin', () => {
    for (const path of ['/', '/a', '/?next=//evil.example', '/%2F%2Fevil.example', '/.//evil.example'])
      expect(new URL(safeNext(path), 'https://here.example').origin).toBe('https://here.example')
  })
})
