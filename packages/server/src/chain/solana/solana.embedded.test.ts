import { createHash, generateKeyPairSync } from 'node:crypto'
import dns from 'node:dns'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { type AddressInfo, isIP } from 'node:net'
import { base58ToBin, binToBase58 } from '@bitauth/libauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { writeBase58 } from '../../encoding/base58.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { type SolanaNode, startSolanaNode } from '../../testing/startSolanaNode.ts'
import { decodeMetaplex, deriveAddress, isOnCurve, metaplexProgram } from './solanaTokens.ts'

const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const hash = (text: string) => createHash('sha256').update(text).digest()
const addressOf = (text: string) => binToBase58(hash(text))
const owner = addressOf('owner')
const [coin, picture, single, modern, bare] = ['coin', 'picture', 'single', 'modern', 'bare'].map(addressOf) as [
  string,
  string,
  string,
  string,
  string,
]

let node: SolanaNode
let spare: SolanaNode
let server: TestServer

beforeAll(async () => {
  ;[node, spare] = await Promise.all([startSolanaNode(), startSolanaNode()])
  server = await createTestServer({
    solana: { mainnet: { rpcUrls: [node.url, spare.url], timeout: 3_000, cacheTtl: 0 } },
  })
  for (const each of [node, spare]) fill(each)
})

beforeEach(() => {
  node.fault = undefined
  spare.fault = undefined
  node.calls = {}
})

afterAll(async () => {
  await server.stop()
  await Promise.all([node.stop(), spare.stop()])
})

/** Metadata as the program writes it: Borsh, with names in fields of fixed size. */
function metadata(mint: string, name: string, symbol: string, standard?: number): Buffer {
  const key = (address: string) => Buffer.from(base58ToBin(address) as Uint8Array)
  const number = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const text = (value: string, size: number) => {
    const bytes = Buffer.alloc(size)
    bytes.write(value)
    return Buffer.concat([number(size), bytes])
  }
  const creator = Buffer.concat([key(addressOf('creator')), Buffer.from([1, 100])])
  return Buffer.concat([
    Buffer.from([4]),
    key(addressOf('authority')),
    key(mint),
    text(name, 32),
    text(symbol, 10),
    text(`https://example.com/${name}.json`, 200),
    Buffer.from([0xf4, 0x01]),
    Buffer.concat([Buffer.from([1]), number(1), creator]),
    Buffer.from([1, 0]),
    Buffer.from([1, 254]),
    Buffer.from(standard === undefined ? [0] : [1, standard]),
    Buffer.concat([Buffer.from([1, 1]), key(addressOf('collection'))]),
    Buffer.alloc(100),
  ])
}

function fill(to: SolanaNode): void {
  const holding = (mint: string, amount: string, decimals: number) => ({
    pubkey: addressOf(`${mint} account`),
    mint,
    amount,
    decimals,
  })
  const keep = (mint: string, data: Buffer, by = metaplexProgram) =>
    to.accounts.set(deriveAddress(mint, 'metadata'), { owner: by, data })
  to.balances.set(owner, '1500000001')
  to.balances.set(addressOf('whale'), '123456789012345678')
  to.tokens.set(`${owner} ${tokenProgram}`, [
    holding(coin, '1234500', 6),
    holding(picture, '1', 0),
    holding(single, '1', 0),
    holding(bare, '7', 0),
    holding(addressOf('empty'), '0', 6),
  ])
  to.tokens.set(`${owner} ${token2022}`, [holding(modern, '1', 0)])
  keep(coin, metadata(coin, 'Coin', 'COIN', 2))
  keep(picture, metadata(picture, 'Picture', 'PIC', 0))
  // One piece of a currency is no NFT.
  keep(single, metadata(single, 'Single', 'SGL', 2))
  // Not by Metaplex: anyone can make an account that looks so.
  keep(bare, metadata(bare, 'Forged', 'FRG'), addressOf('forger'))
  to.accounts.set(deriveAddress(picture, 'edition'), { owner: metaplexProgram, data: Buffer.from([6, 0, 0]) })
  const state = { name: 'Modern', symbol: 'MDN', uri: 'https://example.com/m.json', updateAuthority: owner }
  const info = { decimals: 0, supply: '1', extensions: [{ extension: 'tokenMetadata', state }] }
  const parsed = { program: 'spl-token-2022', parsed: { type: 'mint', info }, space: 400 }
  to.accounts.set(modern, { owner: token2022, data: Buffer.alloc(400), parsed })
}

const get = async (path: string) => (await server.call('GET', `/solana/mainnet${path}`)).body
const older = async (name: string, body: object = {}, options = {}) =>
  server.call('POST', `/functions/sol-${name}`, { address: owner, network: 'mainnet', ...body }, options)

describe('addresses', () => {
  test('the place of metadata is that of the real program', () => {
    expect(deriveAddress(usdc, 'metadata')).toBe('5x38Kp4hvdomTCnCrAny4UtMUt5rQBdB6px2K1Ui45Wq')
  })

  test('every true key is on the curve, and of other bytes about a half', () => {
    for (let count = 0; count < 40; count++) {
      const { publicKey } = generateKeyPairSync('ed25519')
      expect(isOnCurve(publicKey.export({ format: 'der', type: 'spki' }).subarray(12))).toBe(true)
    }
    const on = Array.from({ length: 200 }, (_, each) => isOnCurve(hash(`bytes ${each}`))).filter(Boolean).length
    expect(on).toBeGreaterThan(60)
    expect(on).toBeLessThan(140)
  })

  test('base58 is written as others write it', () => {
    const samples = [Buffer.alloc(0), Buffer.alloc(32), Buffer.from([0, 0, 1, 255]), hash('a'), hash('b')]
    for (const bytes of samples) expect(writeBase58(bytes)).toBe(binToBase58(bytes))
  })

  test('rejects truncated metadata, of another kind or of another mint', () => {
    const whole = metadata(coin, 'Coin', 'COIN', 2)
    expect(decodeMetaplex(whole, coin)).toMatchObject({
      name: 'Coin',
      symbol: 'COIN',
      sellerFeeBasisPoints: 500,
      creators: [{ address: addressOf('creator'), verified: true, share: 100 }],
      collection: { address: addressOf('collection'), verified: true },
      isFungible: true,
    })
    expect(decodeMetaplex(whole, picture)).toBeUndefined()
    expect(decodeMetaplex(Buffer.from([6, ...whole.subarray(1)]), coin)).toBeUndefined()
    for (const size of [0, 1, 40, 70, 110, 320]) expect(decodeMetaplex(whole.subarray(0, size), coin)).toBeUndefined()
  })
})

describe('reads', () => {
  test('R27: balance, exact even where a number would not be, with the slot that it holds for', async () => {
    expect(await get(`/addresses/${owner}/balance`)).toEqual({
      solana: '1.500000001',
      lamports: '1500000001',
      slot: 250_000_000,
      source: 'node',
    })
    expect((await get(`/addresses/${addressOf('whale')}/balance`)).lamports).toBe('123456789012345678')
    expect((await get(`/addresses/${addressOf('nobody')}/balance`)).solana).toBe('0')
  })

  test('R27: tokens and NFTs distinguished, by both programs, with names from the chain alone', async () => {
    const portfolio = await get(`/addresses/${owner}/portfolio`)
    expect(portfolio).toEqual({
      nativeBalance: { solana: '1.500000001', lamports: '1500000001' },
      tokens: [
        {
          associatedTokenAddress: addressOf(`${coin} account`),
          mint: coin,
          name: 'Coin',
          symbol: 'COIN',
          amount: '1.2345',
          amountRaw: '1234500',
          decimals: 6,
        },
        expect.objectContaining({ mint: single, name: 'Single', amount: '1' }),
        expect.objectContaining({ mint: bare, name: null, symbol: null, amount: '7' }),
      ],
      nfts: [
        {
          associatedTokenAddress: addressOf(`${picture} account`),
          mint: picture,
          name: 'Picture',
          symbol: 'PIC',
        },
        expect.objectContaining({ mint: modern, name: 'Modern', symbol: 'MDN' }),
      ],
      slot: 250_000_000,
      source: 'node',
    })
    const { nativeBalance, tokens, nfts } = portfolio
    expect((await older('balance')).body).toEqual({ result: nativeBalance })
    expect((await older('getSPL')).body).toEqual({ result: tokens })
    expect((await older('getNFTs')).body).toEqual({ result: nfts })
    expect((await older('getPortfolio')).body).toEqual({ result: { nativeBalance, tokens, nfts } })
    expect(await get(`/addresses/${owner}/tokens`)).toMatchObject({ tokens })
    expect(await get(`/addresses/${owner}/nfts`)).toMatchObject({ nfts })
  })

  test('R27: metadata of a mint; names are asked for once', async () => {
    const expected = {
      mint: picture,
      standard: 'metaplex',
      name: 'Picture',
      symbol: 'PIC',
      metaplex: {
        metadataUri: 'https://example.com/Picture.json',
        masterEdition: true,
        isMutable: false,
        primarySaleHappened: true,
        sellerFeeBasisPoints: 500,
        updateAuthority: addressOf('authority'),
      },
    }
    expect(await get(`/nfts/${picture}`)).toEqual(expected)
    expect((await older('getNFTMetadata', { address: picture })).body).toEqual({ result: expected })
    await get(`/addresses/${owner}/tokens`)
    node.calls = {}
    await get(`/addresses/${owner}/tokens`)
    expect(node.calls).toEqual({ getTokenAccountsByOwner: 2 })
    const none = await server.call('GET', `/solana/mainnet/nfts/${addressOf('no such mint')}`)
    expect([none.status, none.body.code]).toEqual([404, 101])
  })

  test('the unmodified package of the older service reads it', async () => {
    // The package calls hosts of its maker's whenever it starts. No name but this machine's leads anywhere here.
    const { lookup } = dns
    vi.spyOn(dns, 'lookup').mockImplementation(((name: string, ...rest: unknown[]) => {
      if (name === 'localhost' || isIP(name)) return Reflect.apply(lookup, dns, [name, ...rest])
      const done = rest.at(-1) as (error: Error) => void
      queueMicrotask(() => done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' })))
    }) as typeof dns.lookup)
    const Moralis = createRequire(import.meta.url)('moralis-v1/node')
    await Moralis.start({ serverUrl: server.serverUrl, appId: server.appId })
    const { account, nft, token } = Moralis.SolanaAPI
    expect(await account.balance({ address: owner })).toEqual({ solana: '1.500000001', lamports: '1500000001' })
    expect(await account.getSPL({ address: owner })).toHaveLength(3)
    expect(await account.getNFTs({ address: owner })).toHaveLength(2)
    expect(Object.keys(await account.getPortfolio({ address: owner }))).toEqual(['nativeBalance', 'nfts', 'tokens'])
    expect(await nft.getNFTMetadata({ address: picture })).toMatchObject({ name: 'Picture', standard: 'metaplex' })
    await expect(token.getTokenPrice({ address: coin })).rejects.toThrow('not available here')
    vi.restoreAllMocks()
  })
})

describe('failures', () => {
  test('invalid data counts as a node failure: the next is asked, and without one the error says so', async () => {
    let lie: unknown
    const liar = createServer((_, response) => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: lie })))
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
    const rpcUrls = [`http://127.0.0.1:${(liar.address() as AddressInfo).port}`, spare.url]
    const misled = await createTestServer({ solana: { devnet: { rpcUrls, cacheTtl: 0 } } }, server.database)
    const context = { slot: 5 }
    const account = (data: unknown) => ({ pubkey: owner, account: { data } })
    const info = (tokenAmount: unknown) => account({ parsed: { info: { mint: coin, tokenAmount } } })
    const paths = ['balance', 'tokens'].map((what) => `/addresses/${owner}/${what}`)
    for (const answer of [
      ...[null, true, 'text', [], {}, { context }, { context, value: null }, { context, value: 'text' }],
      ...[{ value: 5 }, { context: { slot: 'text' }, value: 5 }, { context, value: -1 }, { context, value: 1.5 }],
      ...[
        { context, value: {} },
        { context, value: [7] },
        { context, value: [{}] },
        { context, value: [account(7)] },
      ],
      ...[info({}), info({ amount: 7, decimals: 0 }), info({ amount: '1', decimals: 'text' })].map((value) => ({
        ...{ context, value: [value] },
      })),
      { context, value: [info({ amount: '9'.repeat(5_000), decimals: -1 })] },
    ]) {
      lie = answer
      for (const path of [...paths, `/nfts/${picture}`]) {
        spare.fault = { status: 500 }
        const alone = await misled.call('GET', `/solana/devnet${path}`)
        // Accounts without tokens, or of an unknown kind, are skipped.
        const isKnown = alone.status === 200 || alone.body.code === 100 || alone.body.code === 101
        expect([answer, path, isKnown, alone.text]).toEqual([answer, path, true, expect.any(String)])
        if (alone.body.code === 100) expect(alone.body.error).toMatch(/No Solana node/)
      }
      spare.fault = undefined
      const { status, body } = await misled.call('GET', `/solana/devnet/addresses/${owner}/balance`)
      expect([answer, status, body.slot]).toEqual([answer, 200, spare.slot])
    }
    await misled.stop()
    liar.closeAllConnections()
    liar.close()
  })

  test('the next node is asked where one is down, slow, busy or behind', async () => {
    const faults = [{ status: 500 }, { status: 429 }, { hang: true }, { error: { code: -32005, message: 'behind' } }]
    for (const fault of faults) {
      node.fault = fault
      expect((await get(`/addresses/${owner}/balance`)).lamports).toBe('1500000001')
    }
  })

  test('no node, no network, no address: each is said, and none is a 500', async () => {
    const refused = async (path: string) => {
      const { status, body } = await server.call('GET', `/solana/${path}`)
      return `${status}/${body.code} ${body.error}`
    }
    expect(await refused(`devnet/addresses/${owner}/balance`)).toBe('400/108 No Solana node (devnet) is configured.')
    expect(await refused(`testnet/addresses/${owner}/balance`)).toContain('400/162 network must be')
    expect(await refused('mainnet/addresses/0x12/balance')).toContain('400/162 address must be')
    expect(await refused(`mainnet/addresses/${'1'.repeat(44)}/balance`)).toContain('400/162 address must be')
    expect(await refused(`mainnet/tokens/${coin}/price`)).toContain('400/108 Prices on Solana are not available')
    expect((await older('balance', { address: undefined })).body.error).toBe('required param address not provided')
    expect((await older('balance', { network: 'constructor' })).body.code).toBe(162)
    for (const each of [node, spare]) each.fault = { status: 503 }
    expect(await refused(`mainnet/addresses/${owner}/balance`)).toContain(
      '400/100 No Solana node (mainnet) is responding',
    )
    for (const each of [node, spare]) each.fault = { error: { code: -32601, message: 'Method not found' } }
    expect(await refused(`mainnet/addresses/${owner}/balance`)).toContain('400/108 No configured Solana node')
    expect(JSON.stringify(server.logs)).not.toContain('Internal')
  })

  test('a signed-in user need not say the address of their own wallet', async () => {
    const { objectId, token } = await server.signUp('sol-user')
    const text = 'update "_User" set "solAddress" = $2 where "objectId" = $1'
    await server.context.db.query({ text, values: [objectId, owner] })
    const { body } = await older('balance', { address: undefined }, { token })
    expect(body).toEqual({ result: { solana: '1.500000001', lamports: '1500000001' } })
  })
})
