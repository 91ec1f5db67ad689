import { expect, test } from 'vitest'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests()

/** Text of it cannot be made by `String`: none of its functions is one. */
const strange = { toString: '..', valueOf: 1, toJSON: 'x' }

const where = (condition: object) => `where=${encodeURIComponent(JSON.stringify(condition))}`

test.each([
  ['a type', 'POST', '/classes/Strange', { field: { __type: strange, className: 'Members' } }, 111],
  ['an operation', 'POST', '/classes/Strange', { field: { __op: strange } }, 108],
  [
    'options of a pattern',
    'GET',
    `/classes/Strange?${where({ name: { $regex: 'a', $options: strange } })}`,
    undefined,
    102,
  ],
  [
    'the chain of a challenge',
    'POST',
    '/auth/challenge',
    { address: '0x0', purpose: 'signIn', chainId: strange },
    undefined,
  ],
  [
    'the password of a challenge',
    'POST',
    '/challenge',
    { username: 'a', password: strange, challengeData: {} },
    undefined,
  ],
])('a value without a text is refused: %s', async (_name, method, path, body, code) => {
  await server.call(
    'POST',
    '/schemas/Strange',
    { className: 'Strange', fields: { name: { type: 'String' } } },
    { master: true },
  )
  const answer = await server.call(method as 'GET' | 'POST', path, body)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  if (code !== undefined) expect(answer.body.code).toBe(code)
})
