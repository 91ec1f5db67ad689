import { openChain, waitForReceipt } from '@countersign/react/adapterChain'
import type { ChainOptions, Client } from '@countersign/react/core'
import type { Loose } from '../Loose.ts'
import { BigNumber } from './BigNumber.ts'
import { toAddress, toEthersReceipt } from './toEthersReceipt.ts'

/** Transaction response of ethers 5: its parts, and `wait` for the receipt. */
export async function createTransactionResponse(
  client: Client,
  hash: string,
  { abi, ...choice }: ChainOptions & { readonly abi?: unknown } = {},
): Promise<Loose> {
  const ask = openChain(client, choice).listen(new AbortController().signal)
  // A node may not know it yet; it is sent all the same.
  const raw = await ask('eth_getTransactionByHash', [hash]).catch(() => undefined)
  const sent = raw ? toEthersTransaction(raw) : { hash, confirmations: 0 }
  return {
    ...sent,
    async wait(confirmations = 1) {
      if (confirmations === 0 && !(await ask('eth_getTransactionReceipt', [hash]))) return null
      const { from = '', nonce, to }: Loose = Object(raw)
      const first = { hash, from, ...(nonce && { nonce }), ...(to && { to }) } as Parameters<typeof waitForReceipt>[1]
      const settled = await waitForReceipt(ask, first, { confirmations, abi })
      const [receipt, latest] = await Promise.all([
        ask('eth_getTransactionReceipt', [settled.hash]),
        ask('eth_blockNumber'),
      ])
      return toEthersReceipt(receipt, Number(latest), abi)
    },
  }
}

export function toEthersTransaction(raw: Loose): Loose {
  const fees = ['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'].filter((name) => raw[name] !== undefined)
  return {
    hash: raw.hash,
    type: Number(raw.type ?? 0),
    from: toAddress(raw.from),
    to: toAddress(raw.to),
    nonce: Number(raw.nonce),
    data: raw.input ?? raw.data ?? '0x',
    value: BigNumber.from(raw.value ?? 0),
    gasLimit: BigNumber.from(raw.gas ?? 0),
    ...Object.fromEntries(fees.map((name) => [name, BigNumber.from(raw[name])])),
    chainId: Number(raw.chainId ?? 0),
    blockHash: raw.blockHash ?? null,
    blockNumber: raw.blockNumber == null ? null : Number(raw.blockNumber),
    confirmations: raw.blockNumber == null ? 0 : 1,
  }
}
