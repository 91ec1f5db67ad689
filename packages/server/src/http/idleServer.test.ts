import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { sealAudit } from '../audit/chain.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests()

afterEach(() => vi.restoreAllMocks())

/** Longer than the interval of the most frequent background work that once opened a transaction each time. */
const severalTurns = 4_500

test('background work without anything to do opens no transaction, which would slow down every request', async () => {
  while (await sealAudit(server.context));
  const opened = vi.spyOn(server.context.db, 'transaction')
  await pause(severalTurns)
  expect(opened.mock.calls.length).toBe(0)
})
