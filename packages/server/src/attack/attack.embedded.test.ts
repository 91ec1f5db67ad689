import { test } from 'vitest'
import { expectNoFindings } from '../testing/expectNoFindings.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests()

// Half an hour: thousands of requests, on a machine that runs other tests.
test('finds nothing in this server, and removes everything that it made', () => expectNoFindings(server), 1_800_000)
