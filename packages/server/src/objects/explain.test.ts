import { beforeAll, expect, test } from 'vitest'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests()
beforeAll(async () => {
  await server.call('POST', '/classes/Planned', { score: 1, name: 'a' }, { master: true })
  const indexes = { byScore: { score: 1 }, byNameAndScore: { name: 1, score: -1 } }
  const { status, text } = await server.call('PUT', '/schemas/Planned', { indexes }, { master: true })
  if (status !== 200) throw new Error(text)
})

const find = (parameters: object, master: boolean) =>
  server.call('POST', '/classes/Planned', { _method: 'GET', where: { score: 1 }, ...parameters }, { master })

test('explain returns the plan, only to the master key unless the operator opens it', async () => {
  const plan = await find({ explain: true }, true)
  expect(plan.status).toBe(200)
  expect(JSON.stringify(plan.body.results)).toContain('"Node Type"')
  const refused = await find({ explain: true }, false)
  expect([refused.status, refused.body.code]).toEqual([400, 102])
  expect(refused.text).not.toContain('Node Type')
  server.context.config.allowPublicExplain = true
  expect((await find({ explain: true }, false)).status).toBe(200)
  server.context.config.allowPublicExplain = false
})

test('hint names an index that is there, by name or by its fields', async () => {
  for (const hint of ['byScore', '_id_', { score: 1 }, { name: 1, score: -1 }, { _id: 1 }]) {
    expect.soft((await find({ hint }, true)).status, JSON.stringify(hint)).toBe(200)
  }
  for (const hint of ['nowhere', 'score', { score: -1 }, { name: 1 }, 7, [], '"; drop table x; --']) {
    const { status, body } = await find({ hint }, true)
    expect.soft([status, body.code], JSON.stringify(hint)).toEqual([400, 102])
  }
})

test('a slow query is logged by its class, shape and time, never by its values', async () => {
  const { config } = server.context
  const before = config.slowQueryThreshold
  config.slowQueryThreshold = 0.001
  const where = { name: 'a secret', $or: [{ score: { $gt: 424242 } }, { name: { $in: ['b', 'c'] } }] }
  await find({ where, count: 1 }, true)
  config.slowQueryThreshold = 0
  await find({ where: { name: 'never logged' } }, true)
  config.slowQueryThreshold = before
  const lines = server.logs.filter((line) => line.includes('"slow query"'))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 40,
      className: 'Planned',
      operation: 'find',
      shape: 'name = ? and (score > ? or name in (?))',
      ms: expect.any(Number),
    },
    { level: 40, className: 'Planned', operation: 'count' },
  ])
  expect(lines.join()).not.toMatch(/secret|424242|never logged/)
})
