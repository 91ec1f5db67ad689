// @vitest-environment node
import type { CountersignError } from '@countersign/protocol'
import { type Hex, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createPage } from '../../testing/createPage.ts'
import { startChain, type TestChain } from '../../testing/startChain.ts'
import { announceTestWallet } from '../../testWallet/announceTestWallet.ts'
import { createTestWallet } from '../../testWallet/createTestWallet.ts'
import { connectWallet } from '../actions/wallet/connectWallet.ts'
import { readContract } from '../actions/wallet/readContract.ts'
import { sendTransaction } from '../actions/wallet/sendTransaction.ts'
import { sendTransfer } from '../actions/wallet/sendTransfer.ts'
import { switchChain } from '../actions/wallet/switchChain.ts'
import { writeContract } from '../actions/wallet/writeContract.ts'
import { createClient } from '../createClient.ts'
import { RevertError, WrongChainError } from '../errors/errors.ts'
import type { Eip1193Provider } from '../wallet/Connector.ts'
import { createNetworkConnector } from '../wallet/connectors/createNetworkConnector.ts'
import { askNode } from '../wallet/connectors/walletLinks.ts'

type Contract = Awaited<ReturnType<TestChain['deploy']>>

let chain: TestChain
/** A provider that is no wallet: the node itself. */
const openNode = (): Eip1193Provider => ({ request: (call) => askNode(chain.url, call) })
let shelf: Contract
let coin: Contract
let collectible: Contract
let items: Contract

beforeAll(async () => {
  chain = await startChain()
  ;[shelf, coin, collectible, items] = [
    await chain.deploy('Shelf'),
    await chain.deploy('Coin'),
    await chain.deploy('Collectible'),
    await chain.deploy('Items'),
  ]
})

afterAll(() => chain?.stop())
afterEach(() => vi.unstubAllGlobals())

/** A page with a wallet that has ten ether, connected; there is no server (D7). */
async function open() {
  const page = createPage(vi.stubGlobal)
  const wallet = announceTestWallet(
    await createTestWallet({ rpcUrl: chain.url, chainId: chain.chainId, chains: [1, chain.chainId] }),
    page,
  )
  const account = wallet.addresses[0] ?? '0x'
  await chain.give(account, 10n ** 19n)
  const client = createClient({ throwOnError: true })
  await connectWallet(client)
  wallet.clear()
  return { wallet, client, account, other: wallet.addresses[1] ?? '0x' }
}

async function failure<Kind extends Error>(promise: Promise<unknown>): Promise<Kind> {
  return promise.then(
    () => expect.fail('it should have failed'),
    (error: Kind) => error,
  )
}

const sent = (wallet: { prompts(): readonly { method: string }[] }) => wallet.prompts().map(({ method }) => method)

describe('reading', () => {
  test('D7: from a contract by the connected wallet, and nobody is asked', async () => {
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

  test('a read that fails rejects, whatever the client is set to', async () => {
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
    [{ functionName: 'set(uint256)', args: [-1] }, 'The arguments of set do not fit', '-1'],
    [{ functionName: 'sum', args: [5] }, 'parts can only be an array', undefined],
    [{ functionName: 'sum', args: [[1, 1.5]] }, 'parts[1] can only be a whole number', 'underflow'],
    [{ functionName: 'put', args: [1, { title: 'a' }] }, 'book.pages is required', undefined],
    [
      { functionName: 'put', args: [1, { title: 'a', pages: '18446744073709551616' }] },
      'The arguments of put do not fit',
      '',
    ],
    [{ functionName: 'pay', address: '0x12' }, 'address can only be an address', '0x12'],
    [{ functionName: 'pay', address: undefined }, 'address is required', undefined],
    [{ functionName: 'value' }, 'value only reads, so there is nothing to send', 'readContract'],
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

describe('sending', () => {
  test('a call with a payment: simulated, sent, its hash reported immediately, its receipt waited for', async () => {
    const { client, wallet, account } = await open()
    const hashes: string[] = []
    const done = await writeContract(client, {
      ...shelf,
      functionName: 'pay',
      value: 7n,
      chainId: chain.chainId,
      wait: true,
      onHash: (hash) => hashes.push(hash),
    })
    expect(done?.receipt).toMatchObject({ status: 'success', from: account.toLowerCase(), transactionHash: done?.hash })
    expect(hashes).toEqual([done?.hash])
    expect(sent(wallet)).toEqual(['eth_sendTransaction'])
    expect(await readContract(client, { ...shelf, functionName: 'value' })).toBe(7n)
    const unwaited = await writeContract(client, { ...shelf, functionName: 'pay' })
    expect(unwaited).toEqual({ hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  })

  test('R16: the person says no, with the wallet’s code; nothing is sent', async () => {
    const { client, wallet, account } = await open()
    wallet.rejectNext()
    const error = await failure<RevertError>(writeContract(client, { ...shelf, functionName: 'pay' }))
    expect(error).toMatchObject({ message: 'User rejected the request.', cause: { code: 4001 } })
    expect(await chain.ask('eth_getTransactionCount', [account, 'latest'])).toBe('0x0')
  })

  test('a second click pays once; another wish meanwhile is refused', async () => {
    const { client, wallet, account, other } = await open()
    wallet.hold()
    const pay = { to: other, amount: 5n }
    const [first, second] = [sendTransfer(client, pay), sendTransfer(client, pay)]
    await wallet.approve()
    expect(await first).toEqual(await second)
    expect(await chain.ask('eth_getTransactionCount', [account, 'latest'])).toBe('0x1')
    const third = sendTransfer(client, pay)
    await vi.waitFor(() => expect(wallet.prompts()).toHaveLength(2), { timeout: 60_000 })
    await expect(sendTransfer(client, { ...pay, amount: 6n })).rejects.toThrow('being asked for something else')
    await wallet.approve()
    await third
  })

  test('on the wrong chain nothing is sent, and the error names the chain to change to', async () => {
    const { client, wallet, other } = await open()
    await wallet.switchChain(1)
    const call = { to: other, amount: 1, chainId: chain.chainId }
    const error = await failure<WrongChainError>(sendTransfer(client, call))
    expect(error).toBeInstanceOf(WrongChainError)
    expect(error).toMatchObject({ chainId: chain.chainId, walletChainId: 1 })
    expect(error.details).toContain(`switchChain(client, { chainId: ${chain.chainId} })`)
    expect(sent(wallet)).toEqual([])
    await expect(readContract(client, { ...coin, functionName: 'name', chainId: 5 })).rejects.toThrow('on chain 1')
    await switchChain(client, { chainId: error.chainId })
    expect(await sendTransfer(client, { ...call, wait: true })).toMatchObject({ receipt: { status: 'success' } })
  })

  test('a connection that can only read, and an address without a contract', async () => {
    const { client, other } = await open()
    const nothing = { ...shelf, address: other, functionName: 'pay' }
    await expect(writeContract(client, nothing)).rejects.toThrow(`There is no contract at ${other} on this chain.`)
    const reader = createNetworkConnector({ chains: [{ id: chain.chainId, rpcUrls: [chain.url] }] })
    await connectWallet(client, { connector: reader })
    await expect(sendTransfer(client, { to: other, amount: 1 })).rejects.toThrow('Sender address not found')
    expect(await readContract(client, { ...coin, functionName: 'symbol' })).toBe('COIN')
  })

  test('a contract is deployed by data without a receiver', async () => {
    const { client } = await open()
    // A contract that answers 42 to everything: PUSH1 42, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN; and what deploys it.
    const data = '0x67602a5f5260205ff35f5260086018f3'
    const done = await sendTransaction(client, { data, wait: true })
    const address = done?.receipt?.contractAddress ?? '0x'
    const abi = parseAbi(['function any() view returns (uint256)'])
    expect(await readContract(client, { address, abi, functionName: 'any' })).toBe(42n)
    await expect(sendTransaction(client, {})).rejects.toThrow('to is required')
    await expect(sendTransaction(client, { to: address, data: '0x123' })).rejects.toThrow('data can only be')
  })

  test('a wallet that answers with no hash is not believed', async () => {
    const { other } = await open()
    const request = async ({ method }: { method: string }) => (method === 'eth_accounts' ? [other] : 'done')
    const client = createClient({ throwOnError: true })
    await expect(sendTransfer(client, { to: other, amount: 1, provider: { request } })).rejects.toThrow(
      'no transaction hash',
    )
  })
})

describe('waiting', () => {
  /** Blocks come only when the test asks for them. */
  async function byHand<Data>(act: (mine: () => Promise<unknown>) => Promise<Data>): Promise<Data> {
    await chain.ask('evm_setAutomine', [false])
    try {
      return await act(() => chain.ask('evm_mine'))
    } finally {
      await chain.ask('evm_mine')
      await chain.ask('evm_setAutomine', [true])
    }
  }

  /** A payment that waits in the pool, and its sender, who can send another in its place. */
  async function pending(input: { readonly timeout?: number; readonly wait?: number } = {}, signal?: AbortSignal) {
    const key = generatePrivateKey()
    const account = privateKeyToAccount(key)
    await chain.ask('evm_setAutomine', [true])
    await chain.give(account.address, 10n ** 19n)
    await chain.ask('evm_setAutomine', [false])
    const page = createPage(vi.stubGlobal)
    const options = { rpcUrl: chain.url, chainId: chain.chainId, privateKeys: [key], accounts: 1 }
    announceTestWallet(await createTestWallet(options), page)
    const client = createClient({ throwOnError: true })
    await connectWallet(client)
    const hashes: string[] = []
    const onHash = (hash: string) => hashes.push(hash)
    const done = sendTransfer(client, { to: chain.rich, amount: 5n, wait: true, onHash, ...input }, { signal })
    done.catch(() => undefined)
    await vi.waitFor(() => expect(hashes).toHaveLength(1), { timeout: 60_000 })
    // It is waited for: the wallet is free, and the number of the transaction is known.
    expect(client.internal.prompt).toBeUndefined()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const replace = async (to: string, value: bigint) => {
      const prices = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 10n, gas: 21_000n }
      const fields = { type: 'eip1559', chainId: chain.chainId, nonce: 0, to: to as Hex, value, ...prices } as const
      return chain.ask('eth_sendRawTransaction', [await account.signTransaction(fields)])
    }
    return { done, hashes, replace, account: account.address }
  }

  test('until it is there', () =>
    byHand(async (mine) => {
      const { done, hashes } = await pending()
      await mine()
      expect(await done).toMatchObject({ hash: hashes[0], receipt: { status: 'success' } })
    }))

  test('until enough blocks hold it', () =>
    byHand(async (mine) => {
      const { done } = await pending({ wait: 3 })
      let isDone = false
      void done.then(() => {
        isDone = true
      })
      await mine()
      await mine()
      await new Promise((resolve) => setTimeout(resolve, 800))
      expect(isDone).toBe(false)
      await mine()
      expect(await done).toMatchObject({ receipt: { status: 'success' } })
    }))

  test('sped up in the wallet: the new hash is reported and waited for', () =>
    byHand(async (mine) => {
      const { done, hashes, replace } = await pending()
      const faster = await replace(chain.rich, 5n)
      await mine()
      expect(await done).toMatchObject({ hash: faster, receipt: { transactionHash: faster } })
      expect(hashes).toEqual([expect.not.stringMatching(String(faster)), faster])
    }))

  test('cancelled in the wallet, or replaced by something else', () =>
    byHand(async (mine) => {
      const cancelled = await pending()
      await cancelled.replace(cancelled.account, 0n)
      await mine()
      await expect(cancelled.done).rejects.toThrow('The transaction was cancelled in the wallet.')
      const replaced = await pending()
      await replaced.replace(chain.rich, 6n)
      await mine()
      await expect(replaced.done).rejects.toThrow('The transaction was replaced by another one in the wallet.')
    }))

  test('no longer than wished, and not after it was called off', () =>
    byHand(async () => {
      const late = await pending({ timeout: 500 })
      const error = await failure<CountersignError>(late.done)
      expect(error).toMatchObject({ message: 'The transaction is not on the chain yet.', code: 124 })
      expect(error.details).toContain(late.hashes[0])
      const controller = new AbortController()
      const { done } = await pending({}, controller.signal)
      controller.abort()
      await expect(done).rejects.toThrow('The request was canceled.')
    }))

  test('one that fails on the chain after all, with the contract’s reason', () =>
    byHand(async (mine) => {
      await chain.ask('evm_setAutomine', [true])
      const { client } = await open()
      const now = await readContract(client, { ...shelf, functionName: 'value' })
      await chain.ask('evm_setAutomine', [false])
      const rich = { provider: openNode(), account: chain.rich }
      await writeContract(client, { ...shelf, functionName: 'set(uint256)', args: [12345], ...rich })
      const hashes: string[] = []
      const done = writeContract(client, {
        ...shelf,
        functionName: 'onlyAt',
        args: [now],
        gas: 100_000,
        wait: true,
        onHash: (hash) => hashes.push(hash),
      })
      done.catch(() => undefined)
      await vi.waitFor(() => expect(hashes).toHaveLength(1), { timeout: 60_000 })
      await mine()
      const error = await failure<RevertError>(done)
      expect(error).toMatchObject({ revertReason: 'too late', hash: hashes[0] })
      expect(error.details).toContain(`${hashes[0]} is on the chain`)
    }))

  test('a node that fails for a moment is asked again; one that stays away is not', async () => {
    const { account } = await open()
    const node = openNode()
    let failures = 0
    const failing = (limit: number) => ({
      request: async (call: { method: string; params?: readonly unknown[] }) => {
        if (call.method === 'eth_getTransactionReceipt' && failures++ < limit) throw { code: -32603, message: 'busy' }
        return node.request(call)
      },
    })
    const client = createClient({ throwOnError: true })
    const pay = { to: account, amount: 1, account: chain.rich, wait: true }
    expect(await sendTransfer(client, { ...pay, provider: failing(2) })).toMatchObject({
      receipt: { status: 'success' },
    })
    failures = 0
    await expect(sendTransfer(client, { ...pay, provider: failing(100) })).rejects.toMatchObject({
      message: 'The transaction was sent; what became of it cannot be read: busy',
      details: expect.stringMatching(/^0x[0-9a-f]{64} may still go through/),
      cause: { code: -32603 },
    })
    expect(failures).toBe(5)
  })
})

describe('transfers', () => {
  test('of the chain’s own coin', async () => {
    const { client, other } = await open()
    const done = await sendTransfer(client, { to: other, amount: '1000', wait: true })
    expect(done?.receipt?.status).toBe('success')
    expect(BigInt((await chain.ask('eth_getBalance', [other, 'latest'])) as string)).toBe(1000n)
  })

  test('of coins and tokens of contracts', async () => {
    const { client, account, other } = await open()
    const provider = openNode()
    const rich = { provider, account: chain.rich, wait: true } as const
    await sendTransfer(client, { type: 'erc20', address: coin.address, to: account, amount: 50n, ...rich })
    await sendTransfer(client, { type: 'erc20', address: coin.address, to: other, amount: 20n, wait: true })
    const balanceOf = { ...coin, functionName: 'balanceOf' }
    expect(await readContract(client, { ...balanceOf, args: [other] })).toBe(20n)
    expect(await readContract(client, { ...balanceOf, args: [account] })).toBe(30n)

    const tokenId = BigInt(account)
    await writeContract(client, { ...collectible, functionName: 'mint', args: [account, tokenId], wait: true })
    const give = { type: 'erc721', address: collectible.address, tokenId } as const
    const bad = await failure<RevertError>(sendTransfer(client, { ...give, to: shelf.address }))
    expect(bad.revertReason).toBe('receiver cannot hold it')
    await sendTransfer(client, { ...give, to: other, wait: true })
    expect(await readContract(client, { ...collectible, functionName: 'ownerOf', args: [tokenId] })).toBe(other)
    expect((await failure<RevertError>(sendTransfer(client, { ...give, to: other }))).revertReason).toMatch(
      /not token owner/,
    )

    await writeContract(client, { ...items, functionName: 'mint', args: [account, 3, 10], wait: true })
    const some = { type: 'erc1155', address: items.address, to: other, tokenId: '3', amount: 4 } as const
    await sendTransfer(client, { ...some, wait: true })
    expect(await readContract(client, { ...items, functionName: 'balanceOf', args: [other, 3] })).toBe(4n)
  })

  test.each([
    [{ type: 'erc777' }, 'Unsupported type'],
    [{ type: 'toString' }, 'Unsupported type'],
    [{}, 'to is required, amount is required'],
    [{ type: 'erc20', to: 'x' }, 'address is required, amount is required'],
    [{ type: 'erc721', amount: 1 }, 'to is required, address is required, tokenId is required'],
    [{ type: 'erc1155', to: 'x', address: 'x', tokenId: 1 }, 'amount is required'],
    [{ to: 'vitalik.eth', amount: 1 }, 'to can only be an address'],
    [{ to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96046', amount: 1 }, 'to can only be an address'],
    [{ to: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045', amount: '1.5' }, 'amount can only be a whole number'],
  ])('%j is refused', async (input, message) => {
    const client = createClient({ throwOnError: true })
    await expect(sendTransfer(client, input as never)).rejects.toMatchObject({ name: 'ValidationError', message })
  })

  test('a token id that is none', async () => {
    const { client, other } = await open()
    const give = { type: 'erc721', address: collectible.address, to: other } as const
    await expect(sendTransfer(client, { ...give, tokenId: 'first' })).rejects.toThrow('Invalid token Id')
    await expect(sendTransfer(client, { ...give, tokenId: -1 })).rejects.toThrow('Invalid token Id')
  })
})
