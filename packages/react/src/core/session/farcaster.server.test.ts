// @vitest-environment node
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemory } from '../../testing/createMemory.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { linkFarcaster, unlinkIdentity } from '../account/identities.ts'
import { reauthenticate } from '../account/reauthenticate.ts'
import { listSignInMethods } from '../account/signInMethods.ts'
import type { Client } from '../client/Client.ts'
import { createClient } from '../setup/createClient.ts'
import { initialize } from '../setup/initialize.ts'
import type { FarcasterChallenge } from './FarcasterInput.ts'
import { signInWithFarcaster } from './farcaster.ts'
import { signUp } from './signUp.ts'

let server: TestServer
let node: Server
let relay: Server
const ids = new Map<string, number>()

/** A node whose registry knows the people below. The real one is in the tests of the server. */
beforeAll(async () => {
  node = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { id, method, params } = JSON.parse(Buffer.concat(parts).toString())
    const custody = `0x${String(params?.[0]?.data ?? '').slice(-40)}`
    const word = `0x${(ids.get(custody) ?? 0).toString(16).padStart(64, '0')}`
    const result = method === 'eth_chainId' ? '0xa' : method === 'eth_call' ? word : '0x'
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  relay = createServer(answerAsRelay)
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  const relayUrl = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`
  server = await startServer({ chains: [{ id: 10, rpcUrls: [url] }], auth: { farcaster: { relay: relayUrl } } })
})
afterAll(async () => {
  await server?.remove()
  node?.close()
  relay?.close()
})

type Channel = { asked: FarcasterChallenge & { acceptAuthAddress?: boolean }; signed?: object }
const channels = new Map<string, Channel>()
/** Set if the relay should respond with another address. */
let address: string | undefined

/** The relay of Farcaster Auth: a channel for each sign-in, and what the person's app put into it. */
async function answerAsRelay(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('content-type', 'application/json')
  if (request.method === 'POST' && request.url === '/v1/channel') {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const channelToken = `token-${channels.size}`
    channels.set(channelToken, { asked: JSON.parse(Buffer.concat(parts).toString()) })
    const url = address ?? `https://farcaster.example/~/siwf?channelToken=${channelToken}`
    response.writeHead(201).end(JSON.stringify({ channelToken, url }))
    return
  }
  const channel = channels.get(request.headers.authorization?.replace('Bearer ', '') ?? '')
  if (request.url !== '/v1/channel/status' || !channel) return void response.writeHead(401).end('{}')
  const { signed } = channel
  response.writeHead(signed ? 200 : 202).end(JSON.stringify({ state: signed ? 'completed' : 'pending', ...signed }))
}

async function connect(): Promise<Client> {
  const { appId, serverUrl } = server
  const client = createClient({ appId, serverUrl, storage: createMemory(), throwOnError: true })
  await initialize(client)
  return client
}

function createPerson(fid: number) {
  const custody = privateKeyToAccount(generatePrivateKey())
  ids.set(custody.address.toLowerCase(), fid)
  return async ({ domain, siweUri, nonce }: FarcasterChallenge) => {
    const message = `${domain} wants you to sign in with your Ethereum account:
${custody.address}

Farcaster Auth

URI: ${siweUri}
Version: 1
Chain ID: 10
Nonce: ${nonce}
Issued At: ${new Date().toISOString()}
Resources:
- farcaster://fid/${fid}`
    return { message, signature: await custody.signMessage({ message }) }
  }
}

test('signs in with what the person’s app signed, and opens the same account again', async () => {
  const sign = createPerson(41)
  const first = await connect()
  const user = await signInWithFarcaster(first, { sign })
  expect(first.session.get().status).toBe('authenticated')
  const again = await signInWithFarcaster(await connect(), { sign })
  expect(again?.objectId).toBe(user?.objectId)
})

test('links and unlinks; what the app does not sign is the caller’s error', async () => {
  const client = await connect()
  await signUp(client, { username: 'linker', password: 'a long password' })
  const identity = await linkFarcaster(client, { sign: createPerson(42) })
  expect(identity).toMatchObject({ provider: 'farcaster', id: '42', name: 'Farcaster' })
  expect((await listSignInMethods(client)).identities).toHaveLength(1)
  await unlinkIdentity(client, { provider: 'farcaster' })
  expect((await listSignInMethods(client)).identities ?? []).toHaveLength(0)
  const declined = linkFarcaster(client, { sign: () => Promise.reject(new Error('declined by the person')) })
  await expect(declined).rejects.toThrow('declined by the person')
})

/** The person scans the code and approves. */
const approve = (sign: ReturnType<typeof createPerson>) => async (url: string) => {
  const channel = channels.get(new URL(url).searchParams.get('channelToken') ?? '')
  if (!channel) throw new Error('no such channel')
  channel.signed = await sign(channel.asked)
}

test('a page without its own sign uses the relay: sign in, confirm, link', async () => {
  const sign = createPerson(43)
  const client = await connect()
  const user = await signInWithFarcaster(client, { onUrl: approve(sign) })
  expect(user?.objectId).toBeTruthy()
  // A key that is not the custody address would be refused by the server.
  expect([...channels.values()].at(-1)?.asked).toMatchObject({ acceptAuthAddress: false, nonce: expect.any(String) })
  const { confirmedUntil } = await reauthenticate(client, { farcaster: { onUrl: approve(sign) } })
  expect(confirmedUntil).toBeInstanceOf(Date)
  const other = await connect()
  await signUp(other, { username: 'by-relay', password: 'a long password' })
  expect(await linkFarcaster(other, { onUrl: approve(createPerson(44)) })).toMatchObject({ id: '44' })
})

test('an address that could run script is not shown, and a page that gives up waits no longer', async () => {
  const client = await connect()
  const shown: string[] = []
  address = 'javascript:alert(1)'
  const planted = signInWithFarcaster(client, { onUrl: (url) => shown.push(url) })
  await expect(planted).rejects.toMatchObject({ reason: 'providerUnavailable' })
  address = undefined
  expect(shown).toEqual([])
  const controller = new AbortController()
  const onUrl = () => controller.abort()
  const left = signInWithFarcaster(client, { onUrl }, { signal: controller.signal, throwOnError: true })
  await expect(left).rejects.toMatchObject({ reason: 'cancelled' })
})
