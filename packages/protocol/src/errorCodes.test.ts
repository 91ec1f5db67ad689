import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { reasonOf, statusOf } from './CountersignError.ts'
import { errorCodes } from './errorCodes.ts'
import { type ReasonDefinition, reasons } from './reasons.ts'
import { refuse } from './refuse.ts'

const pageFile = new URL('../../../docs/errors.md', import.meta.url)

test('R22: the errors page lists every code with its name and status, and no stale one', () => {
  const page = readFileSync(pageFile, 'utf8')
  const rows = [
    ...page.matchAll(/^\| <a id="(-?\d+)"><\/a>(-?\d+) \| (?:<a id="\w+"><\/a>)?(\w+) \| (?:(\d{3}): )?[A-Z].+ \|$/gm),
  ]
  const listed = rows.map(([, anchor, code, name, status = '400']) => [anchor, code, name, status])
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

test('the errors page has the table of reasons; npx vitest --project protocol errorCodes -u writes it', async () => {
  const rows = (Object.entries(reasons) as [keyof typeof reasons, ReasonDefinition][]).map(
    ([reason, { code, status, sentence }]) => {
      const number = errorCodes[code]
      return `| \`${reason}\` | ${status ?? statusOf(number)} | ${number} | ${sentence} |`
    },
  )
  const table = ['| reason | status | code | sentence |', '| --- | --- | --- | --- |', ...rows].join('\n')
  const page = readFileSync(pageFile, 'utf8')
  const made = page.replace(
    /(<!-- reasons -->\n)[\s\S]*?(\n<!-- end of reasons -->)/,
    (_whole, begin: string, end: string) => begin + table + end,
  )
  await expect(made).toMatchFileSnapshot(fileURLToPath(pageFile))
})

test('a refusal has the reason, number, status and sentence of the table', () => {
  expect(refuse('unknownEndpoint', { method: 'GET', path: '/nowhere' })).toMatchObject({
    reason: 'unknownEndpoint',
    code: 108,
    status: 404,
    message: 'Unknown endpoint: GET /nowhere.',
    params: { method: 'GET', path: '/nowhere' },
  })
  expect(refuse('challengeExpired')).toMatchObject({ reason: 'challengeExpired', code: 101, status: 401 })
})

test('a refusal without a reason has the name of its code', () => {
  expect(reasonOf(101)).toBe('objectNotFound')
  expect(reasonOf(-1)).toBe('otherCause')
  expect(reasonOf(4711)).toBe('otherCause')
})
