import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'

let folder: string
let server: TestServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cs-jobs-'))
  await writeFile(
    join(folder, 'tidy.ts'),
    `import { defineJob } from 'countersign'\nexport const tidy = defineJob({ handle: () => undefined })\n`,
  )
  server = await createTestServer({ cloud: folder })
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

test('the class of job runs is listed before the first run', async () => {
  const { body } = await server.call('GET', '/schemas', undefined, { master: true })
  const names = (body.results as { className: string }[]).map(({ className }) => className)
  expect(names).toContain('_JobStatus')
})
