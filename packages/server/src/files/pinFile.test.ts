import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { type IpfsNode, startIpfsNode } from '../testing/startIpfsNode.ts'
import { sweepFiles } from './StoredFile.ts'

let server: TestServer
let node: IpfsNode
let token: string
beforeAll(async () => {
  node = await startIpfsNode()
  server = await createTestServer({
    ipfs: { url: node.url, authorization: 'Bearer secret', gateway: 'https://gateway.example/ipfs' },
  })
  token = (await server.signUp('pinner')).token
})
afterAll(async () => {
  await server.stop()
  await node.stop()
})

const save = (content: string, ipfs: unknown = true) =>
  fetch(`${server.serverUrl}/files/art.txt`, {
    method: 'POST',
    body: JSON.stringify({
      _ApplicationId: server.appId,
      _SessionToken: token,
      base64: Buffer.from(content).toString('base64'),
      fileData: { ipfs },
    }),
  })

test('R21: saveIPFS of the older client pins the file and returns its id', async () => {
  const client = createRequire(import.meta.url)('moralis-v1/node') as {
    initialize(appId: string): void
    serverURL: string
    File: new (
      name: string,
      data: { base64: string },
      type?: string,
    ) => {
      saveIPFS(options: object): Promise<unknown>
      ipfs(): string
      hash(): string
      url(): string
    }
  }
  client.initialize(server.appId)
  client.serverURL = server.serverUrl
  const file = new client.File('art.txt', { base64: Buffer.from('a work of art').toString('base64') }, 'text/plain')
  await file.saveIPFS({ sessionToken: token })
  expect(node.pinned.get(file.hash())?.toString()).toBe('a work of art')
  expect(file.ipfs()).toBe(`https://gateway.example/ipfs/${file.hash()}`)
  expect(node.requests.at(-1)).toEqual({ path: '/api/v0/add?pin=true&cid-version=1', authorization: 'Bearer secret' })
  expect(await (await fetch(file.url())).text()).toBe('a work of art')
})

test('pins nothing without a request', async () => {
  const before = node.requests.length
  expect((await save('plain', 'true')).status).toBe(201)
  expect(node.requests).toHaveLength(before)
})

test.each([
  { status: 500, text: 'no room' },
  { status: 200, text: 'not JSON' },
  { status: 200, text: '{"Hash":"<script>"}' },
  { status: 200, text: `${' '.repeat(5 * 1024 * 1024)}{"Hash":"bafy00000000000000"}` },
])('a node that fails: $status $text.length is reported as 130, and the file is not kept', async (answer) => {
  node.answer = answer
  const response = await save('not pinned')
  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({ code: 130, error: 'The file could not be saved to IPFS. Try again later.' }),
  ])
  const kept = await server.context.db.query(sql`select 1 from countersign.files where digest is null`)
  expect(kept).toEqual([])
})

test('leftovers of a crash during an upload are deleted later, and never before', async () => {
  const { db, clock } = server.context
  const name = `${'0'.repeat(32)}_crashed.bin`
  await db.query(
    sql`insert into countersign.files (name, type, store, created) values (${name}, 'x', 'database', ${clock.now()})`,
  )
  await db.query(sql`insert into countersign.file_chunks values (${name}, 0, 'x')`)
  expect((await fetch(`${server.serverUrl}/files/${server.appId}/${name}`)).status).toBe(404)
  const rows = () => db.query(sql`select 1 from countersign.file_chunks where name = ${name}`)
  await sweepFiles(server.context)
  expect(await rows()).toHaveLength(1)
  server.clock.forward(3 * 3_600_000)
  await sweepFiles(server.context)
  expect(await rows()).toHaveLength(0)
})
