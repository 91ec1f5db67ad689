import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Address,
  concat,
  encodeAbiParameters,
  type Hex,
  numberToHex,
  parseAbiParameters,
  serializeErc6492Signature,
  size,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from '../../db/sql.ts'
import { as, type Key, notItsOwn, on } from '../../testing/accounts/contractSigners.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
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

describe('a node that returns invalid data blocks the sign-in, and never fails the server', () => {
  const word = (value: bigint) => numberToHex(value, { size: 32 })
  const good: Record<string, unknown> = {
    eth_chainId: '0x5',
    eth_blockNumber: '0x10',
    eth_getCode: '0x6001',
    eth_getStorageAt: `0x${'0'.repeat(64)}`,
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

  test('control: a correct node is accepted', async () => {
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
  ])('every response is %s', async (_name, text) => {
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
  ])('a contract that returns %s does not accept the signature', async (_name, result) => {
    const answer = await ask((method, id) => envelope(id, method === 'eth_call' ? result : good[method]))
    expect(answer).toMatchObject(notItsOwn)
  })
})
