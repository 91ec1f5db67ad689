import { endpoints } from '@countersign/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listFigures } from '../../console/figures.ts'
import { sql } from '../../db/sql.ts'
import { createTestServer } from '../../testing/createTestServer.ts'
import { openConsole } from '../../testing/openConsole.ts'

const office = openConsole()
const { root, watcher, ask, logIn } = office
beforeAll(office.start)
beforeEach(office.renew)
afterAll(office.stop)

describe('overview and settings', () => {
  test('counts requests, refusals and sign-ins over time', async () => {
    await office.server.context.services.figures?.flush()
    const before = await ask(root, 'GET', '/console/overview?range=hour')
    const sum = (series: { signIns: Record<string, number> }[]) =>
      series.reduce((all, { signIns }) => all + (signIns.password ?? 0), 0)
    await logIn('ann')
    const after = await ask(root, 'GET', '/console/overview?range=hour')
    expect(after.body).toMatchObject({ range: 'hour', step: 60, users: { total: expect.any(Number) } })
    const seriesOf = (answer: typeof after) =>
      answer.body.series as { signIns: Record<string, number>; requests: number }[]
    expect(sum(seriesOf(after)) - sum(seriesOf(before))).toBe(1)
    expect(seriesOf(after)).toHaveLength(60)
    for (const range of ['day', 'week', 'month']) {
      const { body } = await ask(watcher, 'GET', `/console/overview?range=${range}`)
      expect(sum(body.series as never)).toBeGreaterThan(0)
    }
    const rows = await office.server.context.db.query(sql`select from countersign.figures where period = 60`)
    expect(rows.length).toBeLessThan(20)
  })

  test('every sign-in method is counted under its own name', async () => {
    const { figures } = office.server.context.services
    const names = Object.keys(endpoints).filter((name) => /^(logIn|signInWith)/.test(name))
    const sum = async () => {
      const { series } = await listFigures(office.server.context, 'hour')
      return series.flatMap(({ signIns }) => Object.values(signIns)).reduce((all, count) => all + count, 0)
    }
    const before = await sum()
    for (const name of names) figures?.observe(name, 200, 3)
    expect((await sum()) - before).toBe(names.length)
    for (const name of names) figures?.observe(name, 400, 3)
    expect((await sum()) - before).toBe(names.length)
  })

  test('figures of minutes are kept for two days, those of hours for two months', async () => {
    const { figures } = office.server.context.services
    const rows = async (period: number) =>
      (await office.server.context.db.query(sql`select from countersign.figures where period = ${period}`)).length
    office.server.clock.forward(50 * 3_600_000)
    figures?.observe('getObject', 200, 3)
    await figures?.flush()
    expect(await rows(60)).toBe(1)
    expect(await rows(3600)).toBeGreaterThan(1)
    office.server.clock.forward(62 * 24 * 3_600_000)
    figures?.observe('getObject', 200, 3)
    await figures?.flush()
    expect(await rows(3600)).toBe(1)
  })

  test('settings show their source and no secret', async () => {
    const secrets = {
      masterKey: 'secret-master-key-1',
      readOnlyMasterKey: 'secret-reading-key-2',
      javascriptKey: 'secret-script-key-3',
      webhookKey: 'secret-webhook-key-4',
      smtp: { url: 'smtp://user:secret-password-5@mail.example', from: 'a@example.com' },
      metrics: { token: 'secret-metrics-token-6' },
      chains: [{ id: 1, rpcUrls: ['https://node.example/v1/secret-node-key-7'] }],
      publicUrl: 'https://app.example',
    }
    const other = await createTestServer(secrets as never)
    try {
      const { body, text } = await other.call('GET', '/console/settings', undefined, {
        headers: { 'X-Parse-Master-Key': 'secret-master-key-1' },
      })
      expect(text).not.toContain('secret-')
      const results = body.results as { name: string; source: string; value?: string }[]
      expect(results.find(({ name }) => name === 'publicUrl')).toMatchObject({
        source: 'commandLine',
        value: '"https://app.example"',
      })
      expect(results.find(({ name }) => name === 'chains')?.value).toBe('"1 entry"')
      expect(results.find(({ name }) => name === 'masterKey')).toEqual({
        name: 'masterKey',
        source: 'commandLine',
        isSecret: true,
        isSet: true,
        variable: 'COUNTERSIGN_MASTER_KEY',
      })
    } finally {
      await other.stop()
    }
  })
})
