import { type Address, encodeFunctionData, numberToHex, parseAbi, parseEther, serializeErc6492Signature } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyPairsOnly } from '../../db/migrations/0060-provisional-wallets.ts'
import { sql } from '../../db/sql.ts'
import { as, notItsOwn, on } from '../../testing/accounts/contractSigners.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createDeployerClient } from '../../testing/chain/createDeployerClient.ts'
import { createWallet } from '../../testing/chain/createWallet.ts'
import { deployContract } from '../../testing/chain/deployContract.ts'
import { getArtifact } from '../../testing/chain/getArtifact.ts'
import { delegate7702 } from '../../testing/chain/smartAccounts/delegate7702.ts'
import { deploySmartAccount } from '../../testing/chain/smartAccounts/deploySmartAccount.ts'
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

describe('SEC-25: addresses that name no chain are those of key pairs', () => {
  let other: Chain
  let both: TestServer
  beforeAll(async () => {
    other = await startChain({ chainId: 1337 })
    both = await createTestServer({
      chains: [
        { id: chain.chainId, rpcUrls: [chain.url] },
        { id: other.chainId, rpcUrls: [other.url] },
      ],
    })
  })
  afterAll(async () => {
    await both.stop()
    await other.stop()
  })

  type Addresses = { ethAddress?: string; accounts?: string[] }
  const readUser = async (token: string): Promise<Addresses> =>
    (await both.call('GET', '/users/me', undefined, { token })).body as Addresses
  const link = async (token: string, signer: Signer, chainId: number) => {
    const challenge = await askChallenge(both, signer.address, { chainId, token, purpose: 'link' })
    const message = challenge.body.message as string
    const signature = await signer.signMessage({ message })
    return both.call('POST', '/auth/wallets', { message, signature }, { token, headers: asker })
  }
  const findByAddress = async (address: string) =>
    (
      await both.call('GET', `/users?where=${JSON.stringify({ ethAddress: address.toLowerCase() })}`, undefined, {
        master: true,
      })
    ).body.results

  test('two users with the same contract address on two chains do not share one', async () => {
    const [alice, bob] = [createWallet(), createWallet()]
    const address = await deploySmartAccount(chain, { owner: alice.address, salt: 'sec-25' })
    await deploySmartAccount(other, { owner: bob.address, salt: 'sec-25' })
    const first = await signInWith(both, as(address, alice), { chainId: chain.chainId })
    const second = await signInWith(both, as(address, bob), { chainId: other.chainId })
    expect([first.status, second.status]).toEqual([201, 201])
    for (const { body } of [first, second]) {
      expect([body.ethAddress, body.accounts]).toEqual([undefined, undefined])
      const user = await readUser(body.sessionToken as string)
      expect([user.ethAddress, user.accounts]).toEqual([undefined, undefined])
    }
    expect(await findByAddress(address)).toEqual([])
    // The older class of addresses names no chain either.
    const older = await both.call('GET', '/classes/_EthAddress', undefined, { master: true })
    expect(older.body.results).toEqual([])
  })

  test('a key pair is there beside a contract account, whichever is the primary one', async () => {
    const key = createWallet()
    const address = await deploySmartAccount(chain, { owner: key.address, salt: 'sec-25, beside' })
    const { body } = await signInWith(both, as(address, key), { chainId: chain.chainId })
    const token = body.sessionToken as string
    expect((await link(token, key, 1)).status).toBe(201)
    const own = key.address.toLowerCase()
    expect(await readUser(token)).toMatchObject({ ethAddress: own, accounts: [own] })
    const { results } = (await both.call('GET', '/auth/wallets', undefined, { token })).body
    expect(results).toMatchObject([
      { address, primary: true },
      { address: key.address, primary: false },
    ])
    const [, plain] = results as { objectId: string }[]
    await both.call('PUT', `/auth/wallets/${plain?.objectId}`, { primary: true }, { token })
    expect(await readUser(token)).toMatchObject({ ethAddress: own, accounts: [own] })
    await both.call('DELETE', `/auth/wallets/${plain?.objectId}`, undefined, { token })
    const left = await readUser(token)
    expect([left.ethAddress, left.accounts]).toEqual([undefined, undefined])
  })

  test('a delegated key pair proven by its own key stays; its delegate is rejected', async () => {
    const [key, device] = [createWallet(), createWallet()]
    await delegate7702(chain, key, await deployContract(chain, getArtifact('KeyHolder'), [device.address]))
    const own = await signInWith(both, key, { chainId: chain.chainId })
    expect(own.body).toMatchObject({ ethAddress: key.address.toLowerCase(), accounts: [key.address.toLowerCase()] })
    const delegate = await signInWith(both, as(key.address, device), { chainId: chain.chainId })
    expect([delegate.status, delegate.body.ethAddress, delegate.body.accounts]).toEqual([201, undefined, undefined])
    expect(await findByAddress(key.address)).toMatchObject([{ objectId: own.body.objectId }])
    // The key itself can still be linked by the older form, though the delegate of the same address is there.
    const token = delegate.body.sessionToken as string
    const answer = await both.call('GET', `/classes/_EthAddress/${key.address.toLowerCase()}`, undefined, { token })
    expect(answer.body.code).toBe(101)
  })

  test('records from before are put right by a migration', async () => {
    const [owner, key] = [createWallet(), createWallet()]
    const address = await deploySmartAccount(chain, { owner: owner.address, salt: 'sec-25, before' })
    const { body } = await signInWith(both, as(address, owner), { chainId: chain.chainId })
    const token = body.sessionToken as string
    await link(token, key, 1)
    const { db } = both.context
    await db.query(
      sql`update "_User" set accounts = ${JSON.stringify([address.toLowerCase(), key.address.toLowerCase()])}, "ethAddress" = ${address.toLowerCase()} where "objectId" = ${body.objectId}`,
    )
    await db.query({ text: keyPairsOnly })
    const [row] = await db.query<Addresses>(
      sql`select accounts, "ethAddress" from "_User" where "objectId" = ${body.objectId}`,
    )
    const own = key.address.toLowerCase()
    expect(row).toEqual({ accounts: [own], ethAddress: own })
  })
})

describe('SEC-21: at an address with code nothing runs before the account is asked', () => {
  const buyerAbi = parseAbi([
    'function prepare(address deed, address to)',
    'function prepareAndCreate(address deed, address to, address registry)',
  ])

  /** An account of the holder of a deed that is for sale, and a contract that could pay for it. */
  async function offerDeed(holder: Address) {
    const deed = await deployContract(chain, getArtifact('Deed'), [holder])
    const account = await deployContract(chain, getArtifact('BoundAccount'), [deed])
    const buyer = await deployContract(chain, getArtifact('Buyer'))
    await createDeployerClient(chain).sendTransaction({ to: buyer, value: parseEther('1') })
    return { deed, account, buyer }
  }

  test('a purchase that happens in the check alone opens no account, links, merges and confirms nothing', async () => {
    const [owner, thief] = [createWallet(), createWallet()]
    const { deed, account, buyer } = await offerDeed(owner.address)
    const own = await signInWith(server, as(account, owner), on)
    expect(own.status).toBe(201)

    const data = encodeFunctionData({ abi: buyerAbi, functionName: 'prepare', args: [deed, thief.address] })
    const attack = as(account, thief, (signature) => serializeErc6492Signature({ address: buyer, data, signature }))
    expect(await signInWith(server, attack, on)).toMatchObject(notItsOwn)

    const other = await signInWith(server, createWallet(), on)
    const token = other.body.sessionToken as string
    for (const [purpose, path] of [
      ['link', '/auth/wallets'],
      ['merge', '/auth/merges'],
      ['reauthenticate', '/auth/reauthenticate'],
    ] as const) {
      const message = (await askChallenge(server, account, { ...on, token, purpose })).body.message as string
      const signature = await attack.signMessage({ message })
      const answer = await server.call('POST', path, { message, signature }, { token, headers: asker })
      expect(answer).toMatchObject(notItsOwn)
    }
    expect(await chain.request('eth_getBalance', [buyer, 'latest'])).toBe(numberToHex(parseEther('1')))
    // The real buyer gets in, with a plain or a needlessly wrapped signature, but not to the seller's account.
    await createDeployerClient(chain).sendTransaction({ to: buyer, data })
    const bought = await signInWith(server, as(account, thief), on)
    expect([bought.status, bought.body.objectId === own.body.objectId]).toEqual([201, false])
    const wrapped = as(account, thief, (signature) =>
      serializeErc6492Signature({ address: buyer, data: '0x', signature }),
    )
    expect((await signInWith(server, wrapped, on)).status).toBe(200)
    expect(await signInWith(server, as(account, owner), on)).toMatchObject(notItsOwn)
  })

  test('a delegated key pair (EIP-7702) is asked as it is, too', async () => {
    const [key, holder, thief] = [createWallet(), createWallet(), createWallet()]
    const { deed, account, buyer } = await offerDeed(holder.address)
    await delegate7702(chain, key, account)
    const data = encodeFunctionData({ abi: buyerAbi, functionName: 'prepare', args: [deed, thief.address] })
    const attack = as(key.address, thief, (signature) => serializeErc6492Signature({ address: buyer, data, signature }))
    expect(await signInWith(server, attack, on)).toMatchObject(notItsOwn)
    expect((await signInWith(server, as(key.address, holder), on)).status).toBe(201)
  })

  test('a deployment that makes no code at the address proves nothing', async () => {
    const thief = createWallet()
    const { buyer, deed } = await offerDeed(thief.address)
    const data = encodeFunctionData({ abi: buyerAbi, functionName: 'prepare', args: [deed, thief.address] })
    for (const address of [createWallet().address, thief.address]) {
      const signer = as(address, createWallet(), (signature) =>
        serializeErc6492Signature({ address: buyer, data, signature }),
      )
      expect(await signInWith(server, signer, on)).toMatchObject(notItsOwn)
    }
  })

  test('the code that is run is the one that was compiled', async () => {
    const { undeployedCheck } = await import('./verifyContractSignature.ts')
    expect(undeployedCheck).toBe(getArtifact('UndeployedCheck').bytecode)
  })
})
