import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { statusOf } from './CountersignError.ts'
import { errorCodes } from './errorCodes.ts'

test('R22: the errors page lists every code with its name and status, and no stale one', () => {
  const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| <a id="(-?\d+)"><\/a>(-?\d+) \| (\w+) \| (\d+) \| .+ \|$/gm)]
  const listed = rows.map(([, anchor, code, name, status]) => [anchor, code, name, status])
  const known = Object.entries(errorCodes).map(([name, code]) => [
    String(code),
    String(code),
    name,
    String(statusOf(code)),
  ])
  expect(listed).toEqual(known)
})

test('R22: the codes that the requirements name are there, each once', () => {
  const codes = Object.values(errorCodes) as number[]
  expect(new Set(codes).size).toBe(codes.length)
  const named = [
    1, 100, 101, 102, 107, 119, 124, 137, 141, 142, 155, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 250, 251,
    252,
  ]
  expect(codes).toEqual(expect.arrayContaining(named))
})
