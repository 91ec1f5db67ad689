// @vitest-environment node
import type { CountersignError } from '@countersign/protocol'
import { type Hex, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createFundedPages, sent } from '../../testing/createFundedPages.ts'
import { createPage } from '../../testing/createPage.ts'
import { failure } from '../../testing/failure.ts'
import { startChain, type TestChain } from '../../testing/startChain.ts'
import { announceTestWallet } from '../../testWallet/announceTestWallet.ts'
import { createTestWallet } from '../../testWallet/createTestWallet.ts'
import { type RevertError, WrongChainError } from '../errors/walletErrors.ts'
import { createClient } from '../setup/createClient.ts'
import { createNetworkConnector } from '../wallet/connectors/createNetworkConnector.ts'
import { connectWallet } from '../wallet/connectWallet.ts'
import { switchChain } from '../wallet/switchChain.ts'
import { readContract } from './readContract.ts'
import { sendTransaction } from './sendTransaction.ts'
import { sendTransfer } from './sendTransfer.ts'
import { writeContract } from './writeContract.ts'

type Contract = Awaited<ReturnType<TestChain['deploy']>>

let chain: TestChain

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

const { open, openNode } = createFundedPages(() => chain, vi.stubGlobal)

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
    expect(done?.receipt).toMatchObject({ status: 'success', from: account, transactionHash: done?.hash })
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

  test('a second click pays once; a different request is rejected during it', async () => {
    const { client, wallet, account, other } = await open()
    wallet.hold()
    const pay = { to: other, amount: 5n }
    const [first, second] = [sendTransfer(client, pay), sendTransfer(client, pay)]
    await wallet.approve()
    expect(await first).toEqual(await second)
    expect(await chain.ask('eth_getTransactionCount', [account, 'latest'])).toBe('0x1')
    const third = sendTransfer(client, pay)
    await vi.waitFor(() => expect(wallet.prompts()).toHaveLength(2), { timeout: 60_000 })
    await expect(sendTransfer(client, { ...pay, amount: 6n })).rejects.toThrow('wallet request is already open')
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
    // A contract that returns 42 for everything: PUSH1 42, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN; and its deployment.
    const data = '0x67602a5f5260205ff35f5260086018f3'
    const done = await sendTransaction(client, { data, wait: true })
    const address = done?.receipt?.contractAddress ?? '0x'
    const abi = parseAbi(['function any() view returns (uint256)'])
    expect(await readContract(client, { address, abi, functionName: 'any' })).toBe(42n)
    await expect(sendTransaction(client, {})).rejects.toThrow('to is required')
    await expect(sendTransaction(client, { to: address, data: '0x123' })).rejects.toThrow('data can only be')
  })

  test('rejects a wallet’s response without a hash', async () => {
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

  test('reports a transaction that fails on the chain, with the contract’s reason', () =>
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
      message: 'The transaction was sent, but its result cannot be read: busy',
      details: expect.stringMatching(/^0x[0-9a-f]{64} may still succeed/),
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

  test('rejects an invalid token id', async () => {
    const { client, other } = await open()
    const give = { type: 'erc721', address: collectible.address, to: other } as const
    await expect(sendTransfer(client, { ...give, tokenId: 'first' })).rejects.toThrow('Invalid token Id')
    await expect(sendTransfer(client, { ...give, tokenId: -1 })).rejects.toThrow('Invalid token Id')
  })
})
