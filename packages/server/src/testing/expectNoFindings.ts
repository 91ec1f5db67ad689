import { expect } from 'vitest'
import { runAttack } from '../attack/runAttack.ts'
import { writeSarif, writeText } from '../attack/writeReport.ts'
import type { TestServer } from './createTestServer.ts'

/** Attacks a server as shipped: nothing is found, and nothing remains. */
export async function expectNoFindings(server: TestServer): Promise<void> {
  const { appId, masterKey, url } = server
  const count = async () => {
    const { results } = (await server.call('GET', '/schemas', undefined, { master: true })).body
    // Classes of the system are listed from their first use on.
    const classes = (results as { className: string }[]).filter(({ className }) => !className.startsWith('_'))
    const users = await server.call('GET', '/users?count=1&limit=0', undefined, { master: true })
    return [users.body.count, classes]
  }
  // With an administrator, the attack also tries the lower roles of the console.
  const { objectId } = await server.signUp('administrator')
  await server.call('PUT', `/console/operators/${objectId}`, { role: 'admin' }, { master: true })
  const before = await count()
  const report = await runAttack({ origin: url, mount: '/server', appId, masterKey, mostRequests: 20_000 })
  expect(report.findings, writeText(report)).toEqual([])
  expect([report.stopped, report.remains]).toEqual([undefined, []])
  expect(report.classes.filter(({ cases }) => cases < 5).map(({ class: of }) => of)).toEqual([])
  expect(await count()).toEqual(before)
  expect(writeSarif(report)).toMatchObject({ version: '2.1.0', runs: [{ results: [] }] })
}
