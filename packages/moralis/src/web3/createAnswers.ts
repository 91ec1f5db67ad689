import { readInteger } from '@countersign/react/adapter'
import { openChain, sendRaw } from '@countersign/react/adapterChain'
import { type Client, type Eip1193Provider, ValidationError } from '@countersign/react/core'
import { getAddress as getChecksummed, type Hex, numberToHex, toHex } from 'viem'
import type { Loose } from '../Loose.ts'
import { BigNumber } from './BigNumber.ts'
import { createEns } from './createEns.ts'
import { createTransactionResponse, toEthersTransaction } from './createTransactionResponse.ts'
import { toEthersLog, toEthersReceipt } from './toEthersReceipt.ts'

const names: Record<number, string> = { 1: 'homestead', 5: 'goerli', 137: 'matic', 11155111: 'sepolia' }

type Answers = Record<string, (...args: Loose[]) => Promise<Loose>>

/** Methods of the older context's `web3`, by JSON-RPC to the wallet. */
export function createAnswers(client: Client, provider: Eip1193Provider): Answers {
  const ask: (method: string, params?: readonly unknown[]) => Promise<Loose> = openChain(client, { provider }).listen(
    new AbortController().signal,
  )
  const big = async (answer: Promise<Loose>) => BigNumber.from(await answer)
  const ens = createEns(client, provider)

  async function listAccounts(): Promise<string[]> {
    return (await ask('eth_accounts')).map((address: string) => getChecksummed(address))
  }

  const answers = {
    ...ens,
    listAccounts,
    send: ask,
    async getNetwork() {
      const chainId = Number(await ask('eth_chainId'))
      return { chainId, name: names[chainId] ?? 'unknown' }
    },
    getBlockNumber: async () => Number(await ask('eth_blockNumber')),
    getBalance: (address: string, block?: Loose) => big(ask('eth_getBalance', [address, toBlock(block)])),
    getCode: (address: string, block?: Loose) => ask('eth_getCode', [address, toBlock(block)]),
    getStorageAt: (address: string, position: Loose, block?: Loose) =>
      ask('eth_getStorageAt', [address, toNumber(position), toBlock(block)]),
    getTransactionCount: async (address: string, block?: Loose) =>
      Number(await ask('eth_getTransactionCount', [address, toBlock(block)])),
    getGasPrice: () => big(ask('eth_gasPrice')),
    async getFeeData() {
      const [price, latest] = await Promise.all([ask('eth_gasPrice'), ask('eth_getBlockByNumber', ['latest', false])])
      const base = latest?.baseFeePerGas && BigNumber.from(latest.baseFeePerGas)
      const tip = BigNumber.from(1_500_000_000)
      return {
        gasPrice: BigNumber.from(price),
        lastBaseFeePerGas: base ?? null,
        maxPriorityFeePerGas: base ? tip : null,
        maxFeePerGas: base ? base.mul(2).add(tip) : null,
      }
    },
    call: async (transaction: Loose, block?: Loose) => ask('eth_call', [await toCall(transaction), toBlock(block)]),
    estimateGas: async (transaction: Loose) => big(ask('eth_estimateGas', [await toCall(transaction)])),
    async getBlock(block: Loose) {
      const isHash = typeof block === 'string' && block.length === 66
      const raw = await ask(isHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber', [
        isHash ? block : toBlock(block),
        false,
      ])
      return raw && toEthersBlock(raw)
    },
    async getLogs({ fromBlock, toBlock: last, ...filter }: Loose) {
      const range = filter.blockHash ? {} : { fromBlock: toBlock(fromBlock), toBlock: toBlock(last) }
      return (await ask('eth_getLogs', [{ ...filter, ...range }])).map(toEthersLog)
    },
    async getTransaction(hash: string) {
      const raw = await ask('eth_getTransactionByHash', [hash])
      if (!raw) return null
      const { wait } = await createTransactionResponse(client, hash, { provider })
      return { ...toEthersTransaction(raw), wait }
    },
    async getTransactionReceipt(hash: string) {
      const [raw, latest] = await Promise.all([ask('eth_getTransactionReceipt', [hash]), ask('eth_blockNumber')])
      return raw && toEthersReceipt(raw, Number(latest))
    },
    waitForTransaction: async (hash: string, confirmations?: number) =>
      (await createTransactionResponse(client, hash, { provider })).wait(confirmations),
  }

  async function getAddress(which: string | number): Promise<string> {
    const accounts = await listAccounts()
    const found = typeof which === 'number' ? accounts[which] : getChecksummed(which)
    if (found) return found
    throw new ValidationError(`unknown account #${which}`, 'The wallet shares no such account.')
  }

  const { getNetwork, getBalance, getTransactionCount, getGasPrice, call, estimateGas } = answers
  const withSender = async (which: string | number, transaction: Loose) => ({
    from: await getAddress(which),
    ...transaction,
  })
  /** Signer of one account. */
  const signer = {
    getAddress,
    getGasPrice,
    getChainId: async () => (await getNetwork()).chainId,
    getBalance: async (which: string | number, block?: Loose) => getBalance(await getAddress(which), block),
    getTransactionCount: async (which: string | number, block?: Loose) =>
      getTransactionCount(await getAddress(which), block),
    call: async (which: string | number, transaction: Loose, block?: Loose) =>
      call(await withSender(which, transaction), block),
    estimateGas: async (which: string | number, transaction: Loose) =>
      estimateGas(await withSender(which, transaction)),
    signMessage: async (which: string | number, message: string | Uint8Array) =>
      ask('personal_sign', [toHex(message), (await getAddress(which)).toLowerCase()]),
    _signTypedData: async (which: string | number, domain: Loose, types: Loose, message: Loose) =>
      ask('eth_signTypedData_v4', [(await getAddress(which)).toLowerCase(), writeTypedData(domain, types, message)]),
    async sendTransaction(which: string | number, transaction: Loose) {
      const { from, gasLimit, data, to, value, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce } = await resolveAll(
        await withSender(which, transaction),
      )
      const fees = { gas: gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce, value }
      const given = Object.fromEntries(Object.entries({ data, to, ...fees }).filter(([, one]) => one != null))
      const { hash } = await sendRaw(client, { ...given, provider, account: from }, undefined)
      return createTransactionResponse(client, hash, { provider })
    },
  }
  const named = Object.entries(signer).map(([name, act]) => [`signer ${name}`, act])
  return { ...answers, ...Object.fromEntries(named) }
}

/** Parts of a transaction may be promises. */
async function resolveAll(fields: Loose): Promise<Loose> {
  const entries = Object.entries(fields).map(async ([name, value]) => [name, await value])
  return Object.fromEntries(await Promise.all(entries))
}

async function toCall(transaction: Loose): Promise<object> {
  const { gasLimit, from, to, data, ...rest } = await resolveAll(transaction)
  const numbers = { gas: gasLimit, value: rest.value, gasPrice: rest.gasPrice }
  const written = Object.entries(numbers).flatMap(([name, one]) => (one == null ? [] : [[name, toNumber(one)]]))
  return { ...(from && { from }), ...(to && { to }), ...(data && { data }), ...Object.fromEntries(written) }
}

function toNumber(value: Loose): Hex {
  return numberToHex(readInteger(value))
}

function toBlock(block: Loose = 'latest'): string {
  return typeof block === 'string' && !block.startsWith('0x') ? block : toNumber(block)
}

function toEthersBlock(raw: Loose): Loose {
  const big = Object.fromEntries(['gasLimit', 'gasUsed'].map((name) => [name, BigNumber.from(raw[name] ?? 0)]))
  const fee = raw.baseFeePerGas ? { baseFeePerGas: BigNumber.from(raw.baseFeePerGas) } : {}
  return { ...raw, number: Number(raw.number), timestamp: Number(raw.timestamp), ...big, ...fee }
}

function writeTypedData(domain: Loose, types: Loose, message: Loose): string {
  const kinds: Record<string, string> = {
    name: 'string',
    version: 'string',
    chainId: 'uint256',
    verifyingContract: 'address',
    salt: 'bytes32',
  }
  const EIP712Domain = Object.keys(kinds).flatMap((name) => (domain[name] == null ? [] : [{ name, type: kinds[name] }]))
  const used = new Set(
    Object.values(types).flatMap((fields: Loose) => fields.map(({ type }: Loose) => type.split('[')[0])),
  )
  const primaryType = Object.keys(types).find((name) => !used.has(name))
  const write = (_: string, value: Loose) => {
    if (typeof value === 'bigint') return value.toString()
    return value?.type === 'BigNumber' ? BigInt(value.hex).toString() : value
  }
  return JSON.stringify({ domain, types: { EIP712Domain, ...types }, primaryType, message }, write)
}
