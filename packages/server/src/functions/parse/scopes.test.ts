import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

let server: TestServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-scopes-'))
  await writeFile(
    join(folder, 'main.js'),
    `
    const master = { useMasterKey: true }
    let depth = 0
    let refused = ''
    const note = (error) => { refused = error.message }
    const later = (work, ms) => setTimeout(() => work().catch(note), ms)
    Parse.Cloud.define('refused', () => refused)
    Parse.Cloud.define('again', () => {
      depth++
      later(() => Parse.Cloud.run('again'), 20)
      return depth
    })
    Parse.Cloud.define('slow', async () => {
      later(() => new Parse.Object('Late').save(null, master), 1500)
      await new Promise(() => {})
    })
    `,
  )
  server = await createTestServer({ cloud: folder, functions: { timeoutMs: 500 } })
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

const call = async (name: string) => (await server.call('POST', `/functions/${name}`, {})).body
const refusal = async () => {
  collect()
  return (await call('refused')).result
}

test('P13: unawaited code keeps its depth and its time limit, whatever else has ended', async () => {
  expect(await call('again')).toEqual({ result: 1 })
  await expect.poll(refusal).toMatch(/levels deep/)

  expect(await call('slow')).toMatchObject({ code: 124 })
  await expect.poll(refusal).toBe('The function slow took longer than 500 ms.')
  expect((await server.call('GET', '/classes/Late', undefined, { master: true })).body.results).toEqual([])
})
