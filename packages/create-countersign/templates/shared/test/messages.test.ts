import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createClient,
  createDocument,
  createEip1193Signer,
  defineQuery,
  findDocuments,
  initialize,
  pointer,
  runFunction,
  signInWithWallet,
} from '@countersign/react/core'
import { createTestWallet } from '@countersign/react/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// The real server, on an empty database of its own.
let serverUrl: string
let stop: () => Promise<void>

beforeAll(async () => {
  const data = await mkdtemp(join(tmpdir(), 'data-'))
  const port = await findFreePort()
  const env = { ...process.env, PORT: String(port), COUNTERSIGN_DATA: data, COUNTERSIGN_APP_ID: 'test' }
  const countersign = (...words: string[]) =>
    spawn(process.execPath, ['node_modules/countersign/bin/countersign.js', ...words], { env, stdio: 'inherit' })
  await ended(countersign('schema', 'apply'))
  const server = countersign('start')
  serverUrl = `http://localhost:${port}/server`
  stop = async () => {
    server.kill()
    await ended(server)
    await rm(data, { recursive: true, force: true })
  }
  await vi.waitFor(() => fetch(`${serverUrl}/health`), { timeout: 60_000, interval: 100 })
}, 120_000)
afterAll(() => stop())

test('people who sign in with a wallet may write, and guests may read', async () => {
  const wallet = await createTestWallet()
  const signer = createEip1193Signer({
    async request(call) {
      const { result, error } = await wallet.answer(call)
      if (error) throw error
      return result
    },
  })
  const client = createClient({ appId: 'test', serverUrl })
  await initialize(client)
  const user = await signInWithWallet(client, { signer }, { throwOnError: true })
  const author = pointer('_User', user.objectId)
  const message = await createDocument(client, 'Message', { text: 'Hello', author, name: 'Somebody else' })
  expect(message.name).toBe(user.username)
  expect(await runFunction(client, 'countMessages', {})).toEqual({ all: 1, own: 1 })

  const guest = createClient({ appId: 'test', serverUrl })
  await initialize(guest)
  const messages = await findDocuments(guest, defineQuery('Message'))
  expect(messages.map(({ text }) => text)).toEqual(['Hello'])
  await expect(createDocument(guest, 'Message', { text: 'No', author })).rejects.toThrow()
}, 120_000)

function ended(child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
