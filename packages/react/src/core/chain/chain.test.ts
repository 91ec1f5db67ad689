// @vitest-environment node
import { parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createFundedPages, sent } from '../../testing/createFundedPages.ts'
import { failure } from '../../testing/failure.ts'
import { startChain, type TestChain } from '../../testing/startChain.ts'
import { RevertError } from '../errors/walletErrors.ts'
import { createClient } from '../setup/createClient.ts'
import { readContract } from './readContract.ts'
import { sendTransaction } from './sendTransaction.ts'
import { sendTransfer } from './sendTransfer.ts'
import { writeContract } from './writeContract.ts'

type Contract = Awaited<ReturnType<TestChain['deploy']>>

let chain: TestChain

let shelf: Contract
let coin: Contract

beforeAll(async () => {
  chain = await startChain()
  ;[shelf, coin] = [await chain.deploy('Shelf'), await chain.deploy('Coin')]
})

afterAll(() => chain?.stop())
afterEach(() => vi.unstubAllGlobals())

const { open, openNode } = createFundedPages(() => chain, vi.stubGlobal)

describe('reading', () => {
  test('D7: reads a contract by the connected wallet, without a prompt', async () => {
    const { client, wallet, account } = await open()
    const balanceOf = { ...coin, functionName: 'balanceOf' }
    expect(await readContract(client, { ...balanceOf, args: [chain.rich] })).toBeTypeOf('bigint')
    expect(await readContract(client, { ...balanceOf, args: [account] })).toBe(0n)
    expect(await readContract(client, { ...coin, functionName: 'name' })).toBe('Coin')
    const parts = [1n, 2, '3', '0x4', { toHexString: () => '0x5' }]
    expect(await readContract(client, { ...shelf, functionName: 'sum', args: { parts } })).toBe(15n)
    expect(await readContract(client, { ...shelf, functionName: 'look', args: { place: 9 } })).toEqual([
      { title: '', pages: 0n },
      account,
    ])
    expect(sent(wallet)).toEqual([])
  })

  test('by a provider of one’s own, with no wallet connected', async () => {
    const client = createClient({ throwOnError: true })
    const provider = openNode()
    const abi = parseAbi(['function decimals() view returns (uint8)'])
    const decimals: number | undefined = await readContract(client, {
      address: coin.address,
      abi,
      functionName: 'decimals',
      provider,
      chainId: chain.chainId,
    })
    expect(decimals).toBe(6)
    const past = { address: coin.address, abi, functionName: 'decimals', provider, block: 0n } as const
    await expect(readContract(client, past)).rejects.toThrow(
      `There is no contract with decimals at ${coin.address} on this chain.`,
    )
  })

  test('R15, R17: with neither there is an error that says what to do', async () => {
    const client = createClient({ throwOnError: true })
    const call = { ...coin, functionName: 'name' }
    const missing = 'Missing web3 instance, make sure to call enableWeb3 or authenticate'
    await expect(readContract(client, call)).rejects.toThrow(missing)
    await expect(writeContract(client, { ...shelf, functionName: 'pay' })).rejects.toThrow(missing)
    await expect(sendTransaction(client, { to: coin.address })).rejects.toThrow(missing)
    await expect(sendTransfer(client, { to: coin.address, amount: 1 })).rejects.toThrow(missing)
    await expect(readContract(client, { ...call, provider: {} as never })).rejects.toThrow('unsupported provider')
  })

  test('a failed read rejects, with any setting of the client', async () => {
    const client = createClient({ throwOnError: false })
    await expect(readContract(client, { ...coin, functionName: 'name' })).rejects.toThrow('Missing')
  })
})

describe('functions and arguments', () => {
  test('overloads are called by name(type,type)', async () => {
    const { client } = await open()
    await writeContract(client, { ...shelf, functionName: 'set(uint256, bool)', args: [21, true], wait: true })
    expect(await readContract(client, { ...shelf, functionName: 'value' })).toBe(42n)
    await writeContract(client, { ...shelf, functionName: 'set(uint256)', args: { to: 5 }, wait: true })
    expect(await readContract(client, { ...shelf, functionName: 'value' })).toBe(5n)
  })

  test.each([
    [{ functionName: 'set', args: [1] }, /^Multiple function definitions found/, 'set(uint256), set(uint256,bool)'],
    [{ functionName: 'set(bool)', args: [1] }, /^Function with the provided topic does not exist/, 'set(uint256,bool)'],
    [{ functionName: 'nothing' }, 'Function does not exist in abi', 'nothing'],
    [{ functionName: '' }, 'functionName is required', undefined],
    [{ functionName: 'pay', abi: {} }, 'abi is required', 'array'],
    [{ functionName: 'set(uint256,bool)' }, 'to is required, twice is required', 'set(uint256,bool)'],
    [{ functionName: 'set(uint256,bool)', args: { to: 0, twice: undefined } }, 'twice is required', 'set'],
    [{ functionName: 'set(uint256)', args: [''] }, 'to is required', 'set'],
    [{ functionName: 'set(uint256)', args: [1, 2] }, 'Too many arguments: 2 instead of 1', 'set(uint256)'],
    [{ functionName: 'set(uint256)', args: ['x'] }, 'to can only be a whole number', 'invalid BigNumber string'],
    [{ functionName: 'set(uint256)', args: [-1] }, 'The arguments of set do not match', '-1'],
    [{ functionName: 'sum', args: [5] }, 'parts can only be an array', undefined],
    [{ functionName: 'sum', args: [[1, 1.5]] }, 'parts[1] can only be a whole number', 'underflow'],
    [{ functionName: 'put', args: [1, { title: 'a' }] }, 'book.pages is required', undefined],
    [
      { functionName: 'put', args: [1, { title: 'a', pages: '18446744073709551616' }] },
      'The arguments of put do not match',
      '',
    ],
    [{ functionName: 'pay', address: '0x12' }, 'address can only be an address', '0x12'],
    [{ functionName: 'pay', address: undefined }, 'address is required', undefined],
    [{ functionName: 'value' }, 'value is read-only, so there is nothing to send', 'readContract'],
    [{ functionName: 'set(uint256)', args: [1], value: 1 }, 'set takes no payment', 'value'],
    [{ functionName: 'pay', value: 0.5 }, 'value can only be a whole number', 'parseEther'],
    [{ functionName: 'pay', value: -1 }, /^value can only be from 0/, undefined],
  ])('%j is refused before anyone is asked', async (wrong, message, details) => {
    const { request } = openNode()
    const asked = vi.fn(request)
    const client = createClient({ throwOnError: true })
    const input = { ...shelf, ...wrong, provider: { request: asked } }
    const error = await failure<RevertError>(writeContract(client, input as never))
    const wanted = typeof message === 'string' ? message : expect.stringMatching(message)
    expect(error).toMatchObject({ name: 'ValidationError', message: wanted })
    if (details) expect(error.details).toContain(details)
    expect(asked).not.toHaveBeenCalled()
  })

  test('structures by names or in their order', async () => {
    const { client, account } = await open()
    const put = { ...shelf, functionName: 'put', wait: true }
    await writeContract(client, { ...put, args: [1, { title: 'Ä', pages: '7' }] })
    await writeContract(client, { ...put, args: { place: 2, book: ['', 8] } })
    const look = { ...shelf, functionName: 'look' }
    expect(await readContract(client, { ...look, args: [1] })).toEqual([{ title: 'Ä', pages: 7n }, account])
    expect(await readContract(client, { ...look, args: [2] })).toEqual([{ title: '', pages: 8n }, account])
  })
})

describe('refusals of a contract', () => {
  test.each([
    [0, 'closed on Sundays', undefined],
    [1, /^Refused\(who: 0x[0-9a-fA-F]{40}, limit: 5\)$/, 'Refused'],
    [2, 'TooLate()', 'TooLate'],
    [4, 'it gave no reason', undefined],
    [5, 'a number went below zero or above its type (overflow)', undefined],
  ])('R16: kind %i in plain words, before the wallet is asked', async (kind, reason, errorName) => {
    const { client, wallet } = await open()
    const error = await failure<RevertError>(writeContract(client, { ...shelf, functionName: 'refuse', args: [kind] }))
    expect(error).toBeInstanceOf(RevertError)
    expect(error.revertReason).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason))
    expect(error.message).toBe(`The contract reverted: ${error.revertReason}`)
    expect(error).toMatchObject({ errorName, details: 'Nothing was sent.', cause: { code: 3, data: error.data } })
    expect(sent(wallet)).toEqual([])
    const read = await failure<RevertError>(readContract(client, { ...shelf, functionName: 'refuse', args: [kind] }))
    expect(read.revertReason).toBe(error.revertReason)
  })

  test('an error that the ABI does not name, and those that all tokens share', async () => {
    const { client, account, other } = await open()
    const abi = shelf.abi.filter(({ type }) => type === 'function')
    const call = { ...shelf, abi, functionName: 'refuse', args: [2] }
    await expect(readContract(client, call)).rejects.toThrow(/its ABI does not name \(0x[0-9a-f]{8}\)/)
    const error = await failure<RevertError>(
      sendTransfer(client, { type: 'erc20', address: coin.address, to: other, amount: 5 }),
    )
    expect(error.revertReason).toBe(`ERC20InsufficientBalance(sender: ${account}, balance: 0, needed: 5)`)
    expect(error.args).toEqual([account, 0n, 5n])
  })

  test.each([
    ['as MetaMask wraps it', (data: string) => ({ code: -32603, message: 'x', data: { code: 3, message: 'y', data } })],
    ['under originalError', (data: string) => ({ code: -32603, message: 'x', data: { originalError: { data } } })],
    ['as Parity has it', (data: string) => ({ code: -32015, message: 'VM error', data: `Reverted ${data}` })],
  ])('R16: the reason is found %s', async (_, wrap) => {
    const data = `0x08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6e6f'.padEnd(64, '0')}`
    const request = () => Promise.reject(wrap(data))
    const client = createClient({ throwOnError: true })
    const error = await failure<RevertError>(
      readContract(client, { ...shelf, functionName: 'value', provider: { request } }),
    )
    expect(error).toMatchObject({ revertReason: 'no', data, cause: { name: 'ProviderError' } })
  })

  test('a node that gives a sentence and no data, and an error that is no refusal', async () => {
    const client = createClient({ throwOnError: true })
    const call = { ...shelf, functionName: 'value' }
    const refusing = (cause: object) => ({ ...call, provider: { request: () => Promise.reject(cause) } })
    const refused = refusing({ code: -32000, message: 'execution reverted: too early' })
    expect(await failure<RevertError>(readContract(client, refused))).toMatchObject({ revertReason: 'too early' })
    const busy = refusing({ code: -32005, message: 'limit exceeded', data: { see: 'docs' } })
    const error = await failure<RevertError>(readContract(client, busy))
    expect(error).not.toBeInstanceOf(RevertError)
    expect(error).toMatchObject({ message: 'limit exceeded', cause: { code: -32005, data: { see: 'docs' } } })
  })

  test('a reason that poses as the page’s own words stays one short line', async () => {
    const text = Buffer.from(`fine\n\u2028\u202e${'A'.repeat(400)}`)
    const size = text.length.toString(16).padStart(64, '0')
    const data = `0x08c379a0${'20'.padStart(64, '0')}${size}${text.toString('hex').padEnd(448 * 2, '0')}`
    const client = createClient({ throwOnError: true })
    const provider = { request: () => Promise.reject({ code: 3, message: 'execution reverted', data }) }
    const { revertReason: reason } = await failure<RevertError>(
      readContract(client, { ...shelf, functionName: 'value', provider }),
    )
    expect(reason).toMatch(/^fine A{195}…$/)
  })
})
