// @vitest-environment happy-dom
import { errorCodes } from '@countersign/protocol'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestProvider } from '../../testing/createTestProvider.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { watchStates } from '../../testing/watchStates.ts'
import { linkWallet, listLinkedWallets } from '../account/linkedWallets.ts'
import type { ClientOptions } from '../client/Client.ts'
import { getUser } from '../session/getUser.ts'
import { signOut } from '../session/signOut.ts'
import { createClient } from '../setup/createClient.ts'
import { initialize } from '../setup/initialize.ts'
import { createEip1193Signer } from './connectors/createEip1193Signer.ts'
import { signInWithWallet } from './signInWithWallet.ts'

type Page = Window & { happyDOM: { setURL(url: string): void } }
const page = () => window as unknown as Page

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.remove())
beforeEach(() => {
  window.localStorage.clear()
  page().happyDOM.setURL(`${server.origin}/`)
})

async function open(options: ClientOptions = {}) {
  const client = createClient({ appId: server.appId, serverUrl: server.serverUrl, throwOnError: true, ...options })
  await initialize(client)
  const wallet = createTestProvider()
  return { client, wallet, signer: createEip1193Signer(wallet), seen: watchStates(client.session) }
}

const storedText = () => window.localStorage.getItem(`Countersign/${server.appId}/session`) ?? ''

test('S25, R19: on the server’s own page the session is in a cookie that script cannot see', async () => {
  const { client, wallet, signer } = await open()
  const user = await signInWithWallet(client, { signer })
  expect(user?.ethAddress).toBe(wallet.addresses[0]?.toLowerCase())
  expect(wallet.signed[0]?.startsWith(`${window.location.host} wants you`)).toBe(true)
  expect(storedText()).toContain(user?.username)
  expect(storedText() + document.cookie).not.toContain('r:')
  expect(storedText()).not.toContain('token')

  const again = await open()
  expect(getUser(again.client)?.objectId).toBe(user?.objectId)
  await linkWallet(again.client, { signer: again.signer })
  expect(await listLinkedWallets(again.client)).toHaveLength(2)
  await signOut(again.client)
  expect((await open()).seen).toEqual(['unauthenticated'])
})

test('S3: the cookie that binds the message to this browser is taken and sent along', async () => {
  const sent: [path: string, credentials: string | undefined][] = []
  const { client, signer } = await open({
    async fetch(input, init) {
      sent.push([new URL(String(input)).pathname, init?.credentials])
      return fetch(input, init)
    },
  })
  await signInWithWallet(client, { signer })
  expect(sent).toEqual([
    ['/server/auth/challenge', 'include'],
    ['/server/auth/signInWithWallet', 'include'],
  ])
})

/** The true server behind somebody who passes the message of another site on. */
function relaying(change: (message: string) => string): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (!String(input).endsWith('/auth/challenge')) return response
    const challenge = (await response.json()) as { message: string }
    return new Response(JSON.stringify({ ...challenge, message: change(challenge.message) }))
  }
}

test.each([
  ['another domain', (text: string) => text.replace(/^localhost:\d+/, 'bank.example')],
  ['this host at another port', (text: string) => text.replace(/^localhost:\d+/, 'localhost:1')],
  ['a name that only begins like this one', (text: string) => text.replace(/^(localhost:\d+)/, '$1.evil.example')],
  ['another URI', (text: string) => text.replace(/URI: \S+/, 'URI: https://bank.example')],
])('S5: a message for %s never reaches the wallet', async (_, change) => {
  const { client, wallet, signer } = await open({ fetch: relaying(change) })
  const error = await signInWithWallet(client, { signer }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: errorCodes.OperationForbidden })
  expect(wallet.signed).toEqual([])
  expect(client.session.get()).toMatchObject({ status: 'error' })
})

test('S5: a page that the operator did not name cannot have anybody sign in', async () => {
  page().happyDOM.setURL('http://elsewhere.example/')
  const { client, wallet, signer } = await open()
  await expect(signInWithWallet(client, { signer })).rejects.toThrow()
  expect(wallet.signed).toEqual([])
})
