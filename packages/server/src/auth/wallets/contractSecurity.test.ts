import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  parseEther,
  serializeErc6492Signature,
  size,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { keyPairsOnly } from '../../db/migrations/0060-provisional-wallets.ts'
import { sql } from '../../db/sql.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createDeployerClient } from '../../testing/chain/createDeployerClient.ts'
import { createWallet } from '../../testing/chain/createWallet.ts'
import { deployContract } from '../../testing/chain/deployContract.ts'
import { getArtifact } from '../../testing/chain/getArtifact.ts'
import { delegate7702 } from '../../testing/chain/smartAccounts/delegate7702.ts'
import { deploySmartAccount } from '../../testing/chain/smartAccounts/deploySmartAccount.ts'
import { smartAccountFactory } from '../../testing/chain/smartAccounts/deploySmartAccountFactory.ts'
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
const as = (address: string, owner: Pick<Key, 'signMessage'>, wrap = (signature: Hex): Hex => signature): Signer => ({
  address,
  signMessage: async (message) => wrap(await owner.signMessage(message)),
})
const notItsOwn = { status: 401, body: { error: 'The signature does not match the account.' } }
const users = async () => (await server.context.db.query(sql`select 1 from "_User"`)).length

/** A web server on this machine that is nobody's node. */
async function listen(handle: RequestListener = (_request, response) => response.end('{"data":"0x"}')) {
  const requests: string[] = []
  const open = new Set<string>()
  const listener = createServer((request, response) => {
    const name = `${request.method} ${request.url} ${requests.length}`
    requests.push(name)
    open.add(name)
    response.on('close', () => open.delete(name))
    handle(request, response)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const stop = async () => {
    listener.close()
    listener.closeAllConnections()
    await once(listener, 'close')
  }
  return { url: `http://127.0.0.1:${port}`, port, requests, open, stop }
}

/** A server whose chain 5 has these nodes. */
const withNodes = (rpcUrls: string[], wallet: object = {}, quorum = 1) =>
  createTestServer({ chains: [{ id: 5, rpcUrls, quorum }], wallet }, server.database)

describe('SEC-1: no connection but to the nodes that the operator named', () => {
  /** A signature with a delegation beside it (ERC-8010). */
  async function wrap8010(account: Key, delegation: Address, signature: Hex): Promise<Hex> {
    const { r, s, yParity, nonce } = await account.signAuthorization({
      contractAddress: delegation,
      chainId: chain.chainId,
      nonce: 0,
    })
    const suffix = encodeAbiParameters(
      parseAbiParameters([
        'Authorization authorization, address to, bytes data',
        'struct Authorization { uint256 chainId; address delegation; uint256 nonce; uint8 yParity; uint256 r; uint256 s; }',
      ]),
      [
        {
          chainId: BigInt(chain.chainId),
          delegation,
          nonce: BigInt(nonce),
          yParity: yParity ?? 0,
          r: BigInt(r),
          s: BigInt(s),
        },
        account.address,
        '0x',
      ],
    )
    return concat([signature, suffix, numberToHex(size(suffix), { size: 32 }), `0x${'8010'.repeat(16)}`])
  }

  test('an account whose code asks for a lookup elsewhere (EIP-3668) makes the server fetch nothing', async () => {
    const elsewhere = await listen()
    try {
      const implementation = await deployContract(chain, getArtifact('OffchainAccount'), [BigInt(elsewhere.port)])
      const [account, stranger] = [createWallet(), createWallet()]
      await delegate7702(chain, account, implementation)
      const signers: Signer[] = [
        // Wrapped as ERC-8010, once for the code that the account has and once for another.
        {
          address: account.address,
          signMessage: async (message) => wrap8010(account, implementation, await stranger.signMessage(message)),
        },
        {
          address: account.address,
          signMessage: async (message) => wrap8010(account, smartAccountFactory, await stranger.signMessage(message)),
        },
        as(account.address, stranger),
        as(implementation, stranger),
        as(account.address, stranger, (signature) =>
          serializeErc6492Signature({ address: implementation, data: '0x12345678', signature }),
        ),
        // As the factory of an account that is not there, too.
        as(createWallet().address, stranger, (signature) =>
          serializeErc6492Signature({ address: implementation, data: '0x12345678', signature }),
        ),
      ]
      const before = await users()
      const answers = []
      for (const signer of signers) answers.push(await signInWith(server, signer, on))
      expect(elsewhere.requests).toEqual([])
      for (const answer of answers) expect(answer).toMatchObject(notItsOwn)
      expect(await users()).toBe(before)
    } finally {
      await elsewhere.stop()
    }
  })

  test('an unknown wrapper is refused before a node is asked, around or inside one that is known', async () => {
    const owner = createWallet()
    const address = await deploySmartAccount(chain, { owner: owner.address, salt: 'wrapped' })
    const unknown = (signature: Hex): Hex => concat([signature, `0x${'8010'.repeat(16)}`])
    chain.faults.calls = {}
    for (const wrap of [
      unknown,
      (signature: Hex) => wrap6492({ owner: owner.address, salt: 'wrapped' }, unknown(signature)),
      (signature: Hex) =>
        wrap6492({ owner: owner.address, salt: 'wrapped' }, wrap6492({ owner: owner.address, salt: 'x' }, signature)),
      () => `0x${'6492'.repeat(16)}` as const,
      () => `0x${'ff'.repeat(96)}${'6492'.repeat(16)}` as const,
      (signature: Hex) => concat([signature, `0x${'00'.repeat(10_000)}`]),
    ])
      expect(await signInWith(server, as(address, owner, wrap), on)).toMatchObject(notItsOwn)
    expect(chain.faults.calls).toEqual({})
    expect((await signInWith(server, as(address, owner), on)).status).toBe(201)
  })

  test('a node that redirects leads nowhere', async () => {
    const elsewhere = await listen()
    const node = await listen((_request, response) =>
      response.writeHead(307, { location: `${elsewhere.url}/private` }).end(),
    )
    const strict = await withNodes([node.url])
    try {
      const answer = await signInWith(strict, as(createWallet().address, createWallet()), { chainId: 5 })
      expect([answer.status, answer.body.code]).toEqual([400, 100])
      expect(node.requests.length).toBeGreaterThan(0)
      expect(elsewhere.requests).toEqual([])
    } finally {
      await strict.stop()
      await Promise.all([node.stop(), elsewhere.stop()])
    }
  })

  test('one deadline over all nodes together', async () => {
    const node = await listen(() => undefined)
    const urls = Array.from({ length: 20 }, (_, index) => `${node.url}/${index}`)
    const strict = await withNodes(urls, { nodeTimeout: 60_000, checkTimeout: 400 }, 2)
    try {
      const answer = await signInWith(strict, as(createWallet().address, createWallet()), { chainId: 5 })
      expect(answer.body.error).toMatch(/could not be checked on chain 5/)
      expect([answer.status, answer.body.code]).toEqual([400, 100])
      await vi.waitFor(() => expect(node.open.size).toBe(0), { timeout: 60_000 })
    } finally {
      await strict.stop()
      await node.stop()
    }
  })

  test('one budget of calls over all nodes together', async () => {
    const node = await listen((_request, response) => response.writeHead(500).end())
    const urls = Array.from({ length: 200 }, (_, index) => `${node.url}/${index}`)
    const strict = await withNodes(urls)
    try {
      const answer = await signInWith(strict, as(createWallet().address, createWallet()), { chainId: 5 })
      expect([answer.status, answer.body.code]).toEqual([400, 100])
      expect(node.requests.length).toBeLessThanOrEqual(10)
    } finally {
      await strict.stop()
      await node.stop()
    }
  })

  test.each(['/auth/signInWithWallet', '/users'])('%s: no node is asked on once the caller has left', async (path) => {
    const node = await listen(() => undefined)
    const strict = await withNodes([`${node.url}/1`, `${node.url}/2`], { nodeTimeout: 60_000, checkTimeout: 60_000 })
    try {
      const { address } = createWallet()
      const message = (await askChallenge(strict, address, { chainId: 5 })).body.message as string
      const signature = await createWallet().signMessage({ message })
      const leave = new AbortController()
      const body =
        path === '/users'
          ? { authData: { moralisEth: { id: address, data: message, signature } } }
          : { message, signature }
      const answer = fetch(`${strict.serverUrl}${path}`, {
        method: 'POST',
        headers: { 'X-Parse-Application-Id': strict.appId, 'Content-Type': 'application/json', ...asker },
        body: JSON.stringify(body),
        signal: leave.signal,
      })
      await vi.waitFor(() => expect(node.open.size).toBeGreaterThan(0), { timeout: 60_000 })
      leave.abort()
      await expect(answer).rejects.toThrow()
      await vi.waitFor(() => expect(node.open.size).toBe(0), { timeout: 60_000 })
      expect(node.requests.every((name) => name.startsWith('POST /1 '))).toBe(true)
    } finally {
      await strict.stop()
      await node.stop()
    }
  })
})

describe('a node that answers nonsense lets nobody in, and never fails the server', () => {
  const word = (value: bigint) => numberToHex(value, { size: 32 })
  const good: Record<string, unknown> = {
    eth_chainId: '0x5',
    eth_blockNumber: '0x10',
    eth_getCode: '0x6001',
    eth_call: `0x1626ba7e${'0'.repeat(56)}`,
  }
  const envelope = (id: unknown, result: unknown) => JSON.stringify({ jsonrpc: '2.0', id, result })

  let node: Awaited<ReturnType<typeof listen>>
  let strict: TestServer
  let answerAs: (method: string, id: unknown) => string
  beforeAll(async () => {
    node = await listen(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += String(chunk)
      const { method, id } = JSON.parse(text) as { method: string; id: unknown }
      response.writeHead(200, { 'content-type': 'application/json' }).end(answerAs(method, id))
    })
    strict = await withNodes([node.url])
  })
  afterAll(async () => {
    await strict.stop()
    await node.stop()
  })

  async function ask(answer: typeof answerAs) {
    answerAs = answer
    return signInWith(strict, as(createWallet().address, createWallet()), { chainId: 5 })
  }

  test('as a check of the test itself: a node that answers well is believed', async () => {
    expect((await ask((method, id) => envelope(id, good[method]))).status).toBe(201)
  })

  const values: [string, unknown][] = [
    ['null', null],
    ['a number', 5],
    ['a list', ['0x5']],
    ['an object', { toString: '0x5' }],
    ['no hex', '0xzz'],
    ['half a byte', `0x${'1'.repeat(21)}`],
    ['text', 'five'],
    ['two megabytes of hex', `0x${'1626ba7e'.repeat(262_144)}`],
    ['empty text', ''],
    ['true', true],
  ]
  test.each(Object.keys(good).flatMap((method) => values.map(([name, value]) => [method, name, value] as const)))(
    '%s: %s',
    async (method, _name, value) => {
      const answer = await ask((asked, id) => envelope(id, asked === method ? value : good[asked]))
      expect([answer.status, answer.body.code]).toEqual([400, 100])
      expect(answer.body.error).toMatch(/could not be checked on chain 5/)
    },
  )

  test.each([
    ['HTML', '<html><body>Bad gateway'],
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['an error that is none', '{"jsonrpc":"2.0","id":0,"error":{}}'],
    ['an error of odd types', '{"jsonrpc":"2.0","id":0,"error":{"code":"x","message":{"a":1},"data":[]}}'],
    ['an error and a result', `{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"no"},"result":"0x5"}`],
    ['another id', `{"jsonrpc":"2.0","id":99,"result":"0x5"}`],
    ['deep nesting', `${'['.repeat(100_000)}`],
  ])('every answer is %s', async (_name, text) => {
    const answer = await ask(() => text)
    expect([answer.status, answer.body.code]).toEqual([400, 100])
    expect(answer.body.error).toMatch(/could not be checked on chain 5/)
  })

  test.each([
    ['a failure', { code: -32000, message: 'header not found' }, 100],
    ['a revert', { code: 3, message: 'execution reverted', data: '0x' }, 101],
    ['a revert in older words', { code: -32015, message: 'VM execution error.', data: 'Reverted 0x' }, 101],
    ['too much gas', { code: -32000, message: 'out of gas' }, 101],
  ])('%s in place of the call is distinguished', async (_name, error, code) => {
    const answer = await ask((method, id) =>
      method === 'eth_call' ? JSON.stringify({ jsonrpc: '2.0', id, error }) : envelope(id, good[method]),
    )
    expect(answer.body.code).toBe(code)
    expect(answer.status).toBe(code === 100 ? 400 : 401)
  })

  test.each([
    ['another word', word(1n)],
    ['the right bytes in the wrong place', word(0x1626ba7en)],
    ['the right bytes and more behind', `0x1626ba7e${'0'.repeat(55)}1`],
    ['too short', '0x1626ba7e'],
    ['nothing', '0x'],
  ])('a contract that answers %s does not accept the signature', async (_name, result) => {
    const answer = await ask((method, id) => envelope(id, method === 'eth_call' ? result : good[method]))
    expect(answer).toMatchObject(notItsOwn)
  })
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

  test('a delegated key pair that was proven by its own key stays; by its delegate it is none', async () => {
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
    await db.query(sql`
      update "_User" set accounts = ${JSON.stringify([address.toLowerCase(), key.address.toLowerCase()])},
        "ethAddress" = ${address.toLowerCase()}
      where "objectId" = ${body.objectId}`)
    await db.query({ text: keyPairsOnly })
    const [row] = await db.query<Addresses>(
      sql`select accounts, "ethAddress" from "_User" where "objectId" = ${body.objectId}`,
    )
    const own = key.address.toLowerCase()
    expect(row).toEqual({ accounts: [own], ethAddress: own })
  })
})

describe('SEC-21: where code is, nothing is carried out before the account is asked', () => {
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
    // Who really bought it has it, by a plain signature or by one that is wrapped for no need.
    await createDeployerClient(chain).sendTransaction({ to: buyer, data })
    expect((await signInWith(server, as(account, thief), on)).body.objectId).toBe(own.body.objectId)
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
