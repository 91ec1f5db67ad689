import { expect, test } from 'vitest'
import { expectNoFindings } from '../testing/expectNoFindings.ts'
import { serveTests } from '../testing/serveTests.ts'
import { runAttack } from './runAttack.ts'
import { writeText } from './writeReport.ts'

const server = serveTests()

// Half an hour: thousands of requests, on a machine that runs other tests.
test('finds nothing in this server, and removes everything that it made', () => expectNoFindings(server), 1_800_000)

test('without the master key accounts are deleted by their owners, and the report lists what remains', async () => {
  const { appId, url } = server
  const report = await runAttack({ origin: url, mount: '/server', appId, mostRequests: 5_000, only: ['sessions'] })
  expect(report.findings, writeText(report)).toEqual([])
  expect(report.remains).toContainEqual(expect.stringContaining('deleted by its owner'))
})
