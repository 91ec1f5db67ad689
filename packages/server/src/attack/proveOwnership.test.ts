import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compatFunctions, contract } from '@countersign/protocol/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proofPath } from '../network/attackProof.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { listEndpoints } from './AttackClass.ts'
import { findTarget } from './findTarget.ts'
import { proveOwnership } from './proveOwnership.ts'

const token = 'a token of more than thirty-two characters'
let folder: string
let server: TestServer
let other: TestServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cs-'))
  const attackTokenFile = join(folder, 'token')
  await writeFile(attackTokenFile, `${token}\n`)
  server = await createTestServer({ attackTokenFile })
  other = await createTestServer({}, server.database)
})
afterAll(async () => {
  await other.stop()
  await server.stop()
  await rm(folder, { recursive: true })
})

test('every endpoint of the contract is attacked', () => {
  const names = [...Object.keys(contract), ...Object.keys(compatFunctions).map((name) => `functions/${name}`)]
  expect(listEndpoints().map(({ name }) => name)).toEqual(expect.arrayContaining(names))
})

test('a server proves its token, and no other', async () => {
  await expect(proveOwnership(server.url, token)).resolves.toBeUndefined()
  await expect(proveOwnership(server.url, `${token}!`)).rejects.toThrow('another one')
  await expect(proveOwnership(other.url, token)).rejects.toThrow('gives no proof (status 404)')
})

test('the proof needs a nonce, is limited, and is gone with the file', async () => {
  const ask = async (nonce: string) => (await fetch(`${server.url}${proofPath}?nonce=${nonce}`)).status
  expect([await ask(''), await ask('x'), await ask(`${'a'.repeat(64)}&nonce=b`)]).toEqual([404, 404, 404])
  await rm(join(folder, 'token'))
  expect(await ask('a'.repeat(64))).toBe(404)
  const statuses = await Promise.all(Array.from({ length: 12 }, () => ask('a'.repeat(64))))
  expect(statuses).toContain(429)
})

test('another host is not asked for anything without the proof', async () => {
  const asked: string[] = []
  const spy = createServer((request, response) => {
    asked.push(request.url ?? '')
    // A redirect to a server that would prove it.
    response.writeHead(302, { Location: `${server.url}${request.url}` }).end()
  })
  await new Promise<void>((resolve) => spy.listen(0, '127.0.0.1', resolve))
  try {
    const origin = `http://127.0.0.1:${(spy.address() as AddressInfo).port}`
    await expect(findTarget('http://192.0.2.1:9/', { isOwn: false, token })).rejects.toThrow('not on this machine')
    await expect(findTarget('http://192.0.2.1:9/', { isOwn: true, token: undefined })).rejects.toThrow('not on this')
    await expect(findTarget('ftp://localhost', { isOwn: true, token })).rejects.toThrow('http://')
    await expect(proveOwnership(origin, token)).rejects.toThrow('status 302')
    expect(asked).toHaveLength(1)
    await expect(findTarget(origin, { isOwn: false, token: undefined })).rejects.toThrow('302')
  } finally {
    spy.close()
  }
})
