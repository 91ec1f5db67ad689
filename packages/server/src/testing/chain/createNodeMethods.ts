import type { Chain } from './Chain.ts'
import { RpcError } from './RpcError.ts'

type Ask = (method: string, params?: unknown[]) => Promise<unknown>
type Block = { transactions: string[] } | null

/** The chain's methods with additions of real nodes: a finalized block and the receipts of a block. */
export function createNodeMethods(ask: Ask, settings: Pick<Chain, 'finality'>): Ask {
  const resolve = async (tag: unknown) => {
    if (tag !== 'finalized' && tag !== 'safe') return tag
    const head = Number(await ask('eth_blockNumber'))
    return toHex(Math.max(0, head - settings.finality))
  }

  return async (method, params = []) => {
    if (method === 'eth_getBlockReceipts') {
      const [block] = params
      const byHash = typeof block === 'string' && block.length === 66
      const found = (await ask(byHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber', [
        await resolve(block),
        false,
      ])) as Block
      if (!found) return null
      return Promise.all(found.transactions.map((hash) => ask('eth_getTransactionReceipt', [hash])))
    }
    if (method === 'eth_getBlockByNumber') {
      const [tag, full] = params
      return ask(method, [await resolve(tag), full])
    }
    return ask(method, params)
  }
}

export const toHex = (number: number): string => `0x${number.toString(16)}`

/** An error as geth words it. */
export const refuse = (code: number, message: string): RpcError => new RpcError({ code, message })
