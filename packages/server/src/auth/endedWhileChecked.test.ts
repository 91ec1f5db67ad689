import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import type { Chain } from '../testing/chain/Chain.ts'
import { createWallet } from '../testing/chain/createWallet.ts'
import { deploySmartAccount } from '../testing/chain/smartAccounts/deploySmartAccount.ts'
import { startChain } from '../testing/chain/startChain.ts'
import { type Answer, createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { asker } from '../testing/signIn.ts'

let chain: Chain
let server: TestServer
beforeAll(async () => {
  chain = await startChain({ chainId: 31_337 })
  server = await createTestServer({
    chains: [{ id: chain.chainId, rpcUrls: [chain.url] }],
    wallet: { nodeTimeout: 20_000 },
  })
})
afterAll(async () => {
  await server.stop()
  await chain.stop()
})

let count = 0

/**
 * Links a contract account by `present` while the node holds its response; `meanwhile` runs before the node responds.
 */
async function linkSlowly(
  present: (token: string, proof: { message: string; signature: string }) => Promise<Answer>,
  meanwhile: (user: { objectId: string; token: string }, username: string) => Promise<unknown>,
) {
  const username = `slow${++count}`
  const user = await server.signUp(username)
  const owner = createWallet()
  const address = await deploySmartAccount(chain, { owner: owner.address, salt: username })
  const asked = { purpose: 'link', address, chainId: chain.chainId }
  const challenge = await server.call('POST', '/auth/challenge', asked, { token: user.token, headers: asker })
  const message = challenge.body.message as string
  const proof = { message, signature: await owner.signMessage({ message }) }

  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const reached = new Promise<void>((resolve) => {
    chain.faults.answer = async (method) => {
      if (method !== 'eth_call') return undefined
      resolve()
      await released
      return undefined
    }
  })
  const linking = present(user.token, proof)
  await reached
  await meanwhile(user, username)
  release()
  const answer = await linking
  chain.faults.answer = undefined
  const wallets = await server.context.db.query(sql`select 1 from countersign.wallets where "user" = ${user.objectId}`)
  return { answer, wallets: wallets.length }
}

const byEndpoint = (token: string, { message, signature }: { message: string; signature: string }) =>
  server.call('POST', '/auth/wallets', { message, signature }, { token, headers: asker })

async function newToken(username: string): Promise<string> {
  const { body } = await server.call('POST', '/login', { username, password: `${username} password` })
  return body.sessionToken as string
}

test('SEC-20: a session that is signed out elsewhere while the node is waited for links nothing', async () => {
  const { answer, wallets } = await linkSlowly(byEndpoint, async (_user, username) => {
    const { body } = await server.call('POST', '/revokeOtherSessions', {}, { token: await newToken(username) })
    expect(body.revoked).toBe(1)
  })
  expect([answer.status, answer.body.code, wallets]).toEqual([400, 209, 0])
})

test('SEC-20: nor one ended by a new password, nor one that expired', async () => {
  const changed = await linkSlowly(byEndpoint, async (_user, username) => {
    const input = { currentPassword: `${username} password`, newPassword: 'quite another password' }
    const { status } = await server.call('POST', '/changePassword', input, { token: await newToken(username) })
    expect(status).toBe(200)
  })
  expect([changed.answer.body.code, changed.wallets]).toEqual([209, 0])
  const left = await linkSlowly(byEndpoint, ({ token }) => server.call('POST', '/logout', {}, { token }))
  expect([left.answer.body.code, left.wallets]).toEqual([209, 0])
})

test('SEC-20: nor one whose proof is too old when the node responds', async () => {
  const { answer, wallets } = await linkSlowly(byEndpoint, async () => server.clock.forward(901_000))
  expect([answer.status, answer.body.code, wallets]).toEqual([403, 119, 0])
})

test('SEC-20: while a session that lives on links it', async () => {
  const { answer, wallets } = await linkSlowly(byEndpoint, async (_user, username) => newToken(username))
  expect([answer.status, wallets]).toEqual([201, 1])
})

test('SEC-20: the older form is held to the same', async () => {
  const byAuthData = async (token: string, proof: { message: string; signature: string }) => {
    const { body } = await server.call('GET', '/users/me', undefined, { token })
    const id = /0x[0-9a-fA-F]{40}/.exec(proof.message)?.[0]
    const moralisEth = { id, data: proof.message, signature: proof.signature }
    return server.call('PUT', `/users/${body.objectId}`, { authData: { moralisEth } }, { token, headers: asker })
  }
  const { answer, wallets } = await linkSlowly(byAuthData, async (_user, username) =>
    server.call('POST', '/revokeOtherSessions', {}, { token: await newToken(username) }),
  )
  expect([answer.body.code, wallets]).toEqual([209, 0])
})
