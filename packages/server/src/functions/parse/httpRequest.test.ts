import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'

let folder: string
let server: TestServer
const others: Server[] = []

const size = 17 * 1024 * 1024

/** Responds with a little, too much, or a little that inflates to too much. */
async function startOther(): Promise<number> {
  const other = createServer((request, response) => {
    if (request.url === '/bomb') {
      return void response.setHeader('Content-Encoding', 'gzip').end(gzipSync(Buffer.alloc(size)))
    }
    if (request.url !== '/large') return void response.end('small')
    const send = (left: number) => {
      if (left > 0 && !response.destroyed) response.write(Buffer.alloc(1024 * 1024, 120), () => send(left - 1))
      else response.end()
    }
    send(17)
  })
  others.push(other)
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  return (other.address() as AddressInfo).port
}

let named: number
let unnamed: number

beforeAll(async () => {
  named = await startOther()
  unnamed = await startOther()
  folder = await mkdtemp(join(tmpdir(), 'countersign-cloud-'))
  await writeFile(
    join(folder, 'main.js'),
    `Parse.Cloud.define('fetch', async ({ params }) => (await Parse.Cloud.httpRequest(params)).text.length)`,
  )
  server = await createTestServer({ cloud: folder, functions: { httpHosts: [`127.0.0.1:${named}`, '127.0.0.1'] } })
})
afterAll(async () => {
  await server.stop()
  for (const other of others) other.close()
  await rm(folder, { recursive: true })
})

const ask = async (url: string) => (await server.call('POST', '/functions/fetch', { url })).body

test('httpRequest asks named ports, and of a host that is named alone those of the web', async () => {
  expect(await ask(`http://127.0.0.1:${named}/`)).toEqual({ result: 5 })
  for (const url of [`http://127.0.0.1:${unnamed}/`, 'http://127.0.0.1:22/', `https://127.0.0.1:${unnamed}/`]) {
    expect((await ask(url)).error).toMatch(/functions\.httpHosts/)
  }
  // Nothing listens there, but it may be asked.
  for (const url of ['http://127.0.0.1:80/', 'https://127.0.0.1/', 'http://127.0.0.1:443/']) {
    expect((await ask(url)).error).not.toMatch(/functions\.httpHosts/)
  }
})

test('httpRequest reads 16 MiB at most, decoded', async () => {
  for (const path of ['/large', '/bomb']) {
    expect((await ask(`http://127.0.0.1:${named}${path}`)).error).toMatch(/more than 16777216 bytes/)
  }
})
