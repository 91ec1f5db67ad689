import { type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createDeployerClient } from '../../testing/chain/createDeployerClient.ts'
import { createWallet } from '../../testing/chain/createWallet.ts'
import { deploySmartAccount } from '../../testing/chain/smartAccounts/deploySmartAccount.ts'
import { predictSmartAccount } from '../../testing/chain/smartAccounts/predictSmartAccount.ts'
import { wrap6492 } from '../../testing/chain/smartAccounts/wrap6492.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { askChallenge, asker, type Signer, signInWith } from '../../testing/signIn.ts'

let chain: Chain
let server: TestServer
beforeAll(async () => {
  chain = await startChain({ chainId: 31_337 })
  server = await createTestServer({ chains: [{ id: chain.chainId, rpcUrls: [chain.url] }] })
})
afterAll(async () => {
  await server.stop()
  await chain.stop()
})

type Key = ReturnType<typeof createWallet>
const on = { chainId: 31_337 }

/** An account as its owner signs for it: before it is deployed, and after. The address follows from the salt alone. */
function accountOf(owner: Key, salt: string) {
  const seed = { owner: owner.address, salt }
  const address = predictSmartAccount(seed)
  const sign = (wrap: (signature: Hex) => Hex): Signer => ({
    address,
    signMessage: async (message) => wrap(await owner.signMessage(message)),
  })
  return {
    address,
    undeployed: sign((signature) => wrap6492(seed, signature)),
    deployed: sign((signature) => signature),
    deploy: () => deploySmartAccount(chain, seed),
  }
}

async function signIn(signer: Signer, installation = 'browser-one') {
  const { status, body } = await signInWith(server, signer, {
    ...on,
    headers: { 'X-Parse-Installation-Id': installation },
  })
  return { status, body, objectId: body.objectId as string, token: body.sessionToken as string }
}

async function prove(signer: Signer, purpose: string, path: string, token: string) {
  const message = (await askChallenge(server, signer.address, { ...on, token, purpose })).body.message as string
  const signature = await signer.signMessage({ message })
  return server.call('POST', path, { message, signature }, { token, headers: asker })
}

const walletsOf = async (token: string) =>
  (await server.call('GET', '/auth/wallets', undefined, { token })).body.results as Record<string, unknown>[]
const isSignedIn = async (token: string) => (await server.call('GET', '/users/me', undefined, { token })).status === 200
const notDeployed = { status: 403, body: { code: 119, reason: 'accountNotDeployed' } }

describe('SEC-22: an account that is proven before it is deployed', () => {
  test('belongs to another owner later: who proves it deployed gets an account of their own', async () => {
    const [thief, owner] = [accountOf(createWallet(), 'claimed'), accountOf(createWallet(), 'claimed')]
    expect(thief.address).toBe(owner.address)
    const early = await signIn(thief.undeployed)
    expect([early.status, await walletsOf(early.token)]).toMatchObject([
      201,
      [{ address: owner.address, kind: 'contract', chainId: '31337', provisional: true }],
    ])

    await owner.deploy()
    const true_ = await signIn(owner.deployed)
    expect([true_.status, true_.objectId === early.objectId]).toEqual([201, false])
    expect(await walletsOf(true_.token)).toEqual([expect.not.objectContaining({ provisional: true })])
    // Nothing is left of the other one but an account that nobody gets into.
    expect(await isSignedIn(early.token)).toBe(false)
    expect((await signIn(thief.undeployed)).status).toBe(401)
    expect((await signIn(thief.deployed)).status).toBe(401)
    expect(await isSignedIn(true_.token)).toBe(true)
    expect((await signIn(owner.deployed)).objectId).toBe(true_.objectId)
    expect((await signIn(owner.undeployed)).objectId).toBe(true_.objectId)
  })

  test('two owners of the same address, by two deployments, are two users before it is deployed', async () => {
    const [one, other] = [accountOf(createWallet(), 'disputed'), accountOf(createWallet(), 'disputed')]
    const first = await signIn(one.undeployed)
    const second = await signIn(other.undeployed)
    expect([first.status, second.status, first.objectId === second.objectId]).toEqual([201, 201, false])
    expect((await signIn(one.undeployed, 'browser-two')).objectId).toBe(first.objectId)
  })

  test('adds no sign-in method, by none of the forms, and none is added in a batch', async () => {
    const account = accountOf(createWallet(), 'alone')
    const { token, objectId } = await signIn(account.undeployed)
    const options = { token, headers: asker }
    const call = (method: string, path: string, body: object = {}) => server.call(method, path, body, options)
    const user = `/users/${objectId}`
    expect(await prove(createWallet(), 'link', '/auth/wallets', token)).toMatchObject(notDeployed)
    const other = createWallet()
    await signIn(other)
    expect(await prove(other, 'merge', '/auth/merges', token)).toMatchObject(notDeployed)
    const time = await server.call('POST', '/functions/getServerTime', {}, options)
    const data = `Moralis Authentication\n\nId: ${server.appId}:${(time.body.result as { dateTime: string }).dateTime}`
    const moralisEth = {
      id: other.address.toLowerCase(),
      data,
      signature: await createWallet().signMessage({ message: data }),
    }
    const attempts: [string, string, object][] = [
      ['POST', '/auth/passkeys/registration', {}],
      ['POST', '/changePassword', { newPassword: 'a good long password' }],
      ['POST', '/auth/recoveryCodes', {}],
      ['PUT', user, { password: 'a good long password' }],
      ['PUT', user, { email: 'thief@example.com' }],
      ['PUT', user, { authData: { moralisEth } }],
      ['PUT', user, { authData: { anonymous: { id: '6ba7b810-9dad-11d1-80b4-00c04fd43077' } } }],
    ]
    for (const [method, path, body] of attempts)
      expect([path, await call(method, path, body)]).toMatchObject([path, notDeployed])
    const requests = attempts
      .filter(([method]) => method === 'PUT')
      .map(([method, path, body]) => ({ method, path: `/server${path}`, body }))
    const batch = (await call('POST', '/batch', { requests })).body as unknown as { error?: { code: number } }[]
    expect(batch.map(({ error }) => error?.code)).toEqual(requests.map(() => 119))
    // A name is none, and it may confirm itself and leave.
    expect((await call('PUT', user, { username: 'early-bird' })).status).toBe(200)
    const again = await prove(account.undeployed, 'reauthenticate', '/auth/reauthenticate', token)
    expect(again.status).toBe(200)
    expect((await server.call('DELETE', user, undefined, { token: again.body.sessionToken as string })).status).toBe(
      200,
    )
  })

  test('a sign-in by the older form takes no password or address along', async () => {
    const account = accountOf(createWallet(), 'older')
    const message = (await askChallenge(server, account.address, on)).body.message as string
    const moralisEth = {
      id: account.address,
      data: message,
      signature: await account.undeployed.signMessage({ message }),
    }
    const body = { authData: { moralisEth }, email: 'early@example.com' }
    const answer = await server.call('POST', '/users', body, { headers: asker })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    const found = await server.context.db.query(sql`select 1 from "_User" where email = 'early@example.com'`)
    expect(found).toEqual([])
  })

  test('is linked to no account and merged into none', async () => {
    const account = accountOf(createWallet(), 'not linked')
    const { token } = await signIn(createWallet())
    expect(await prove(account.undeployed, 'link', '/auth/wallets', token)).toMatchObject(notDeployed)
    const early = await signIn(account.undeployed)
    expect(await prove(account.undeployed, 'merge', '/auth/merges', token)).toMatchObject(notDeployed)
    expect(await walletsOf(early.token)).toMatchObject([{ provisional: true }])
    await account.deploy()
    // It has an account of the same owner by then: that one is merged.
    expect((await prove(account.deployed, 'link', '/auth/wallets', token)).status).toBe(409)
    expect((await prove(account.deployed, 'merge', '/auth/merges', token)).status).toBe(201)
  })

  test.each(['plain', 'still wrapped'])('keeps its data for the owner who deployed it: signature %s', async (form) => {
    const [account, thief] = [accountOf(createWallet(), form), accountOf(createWallet(), form)]
    const early = await signIn(account.undeployed)
    const note = await server.call('POST', '/classes/Note', { text: 'mine' }, { token: early.token })
    const stranger = await signIn(thief.undeployed)
    await account.deploy()
    const signer = form === 'plain' ? account.deployed : account.undeployed
    const later = await signIn(signer, 'browser-two')
    expect([later.status, later.objectId]).toEqual([200, early.objectId])
    const [wallet] = await walletsOf(later.token)
    expect(wallet).toMatchObject({ address: account.address, primary: true })
    expect(wallet).not.toHaveProperty('provisional')
    expect(await isSignedIn(early.token)).toBe(false)
    expect(await isSignedIn(stranger.token)).toBe(false)
    const path = `/classes/Note/${note.body.objectId}`
    expect((await server.call('GET', path, undefined, { token: later.token })).body.text).toBe('mine')
    expect((await prove(createWallet(), 'link', '/auth/wallets', later.token)).status).toBe(201)
    const kept = await server.context.db.query(
      sql`select from countersign.wallets where "user" = ${later.objectId} and (provisional or signer is not null)`,
    )
    expect(kept).toEqual([])
  })

  test('is settled in a continuing session, by a confirmation once it is deployed', async () => {
    const account = accountOf(createWallet(), 'step up')
    // Others who claim the address first, and keep using it, do not block this.
    const others = [1, 2, 3, 4].map(() => accountOf(createWallet(), 'step up'))
    const { token, objectId } = await signIn(account.undeployed)
    const elsewhere = await signIn(account.undeployed, 'browser-two')
    const strangers = []
    for (const other of others) strangers.push(await signIn(other.undeployed))
    await account.deploy()
    const answer = await prove(account.deployed, 'reauthenticate', '/auth/reauthenticate', token)
    expect(answer.status).toBe(200)
    const next = answer.body.sessionToken as string
    expect((await server.call('GET', '/users/me', undefined, { token: next })).body.objectId).toBe(objectId)
    expect(await walletsOf(next)).toEqual([expect.not.objectContaining({ provisional: true })])
    for (const gone of [elsewhere, ...strangers]) expect(await isSignedIn(gone.token)).toBe(false)
    expect((await prove(createWallet(), 'link', '/auth/wallets', next)).status).toBe(201)
  })

  test('of two sign-ins at once after the deployment, both are the one account', async () => {
    const account = accountOf(createWallet(), 'at once')
    const early = await signIn(account.undeployed)
    await account.deploy()
    const both = await Promise.all(['one', 'two', 'three'].map((name) => signIn(account.deployed, name)))
    expect(both.map(({ status, objectId }) => [status, objectId])).toEqual(both.map(() => [200, early.objectId]))
    for (const { token } of both) expect(await isSignedIn(token)).toBe(true)
  })

  test('a node that is behind the deployment makes no second account', async () => {
    const account = accountOf(createWallet(), 'behind')
    await account.deploy()
    const known = await signIn(account.deployed)
    const calls = { ...chain.faults }
    chain.faults.lag = 1
    try {
      const answer = await signIn(account.undeployed)
      expect(answer.status).toBe(401)
    } finally {
      chain.faults.lag = calls.lag ?? 0
    }
    expect((await signIn(account.deployed)).objectId).toBe(known.objectId)
  })
})

describe('SEC-22: gates', () => {
  test('code at the address opens nothing until the account is proven deployed', async () => {
    const account = accountOf(createWallet(), 'gate')
    await createDeployerClient(chain).sendTransaction({ to: account.address, value: parseEther('2') })
    const { walletsOfChain } = await import('../../chain/wallets/provenWallets.ts')
    const counted = async () =>
      (
        await server.context.db.query<{ address: string; hasCode: boolean; codeHash: string | null }>(
          walletsOfChain(chain.chainId),
        )
      ).filter(({ address }) => address === account.address.toLowerCase())
    await signIn(account.undeployed)
    // Without the code that was proven there is none that the present one could equal, so it counts for nothing.
    expect(await counted()).toMatchObject([{ hasCode: true, codeHash: null }])
    await account.deploy()
    await signIn(account.deployed)
    expect(await counted()).toMatchObject([{ codeHash: expect.stringMatching(/^[0-9a-f]{64}$/) }])
  })
})
