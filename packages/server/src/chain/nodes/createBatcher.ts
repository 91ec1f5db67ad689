import type { RpcCall, Settled } from './Chain.ts'
import type { Dispatch } from './createDispatcher.ts'

export type Batcher = { ask(call: RpcCall, timeout?: number): Promise<Settled> }

/** Answers that may be long or slow go alone, so that nobody waits behind them. */
const goesAlone = /^(eth_getLogs|debug_|trace_|eth_getBlockReceipts|ots_)/

const mostUnderWay = 16

type Waiting = { call: RpcCall; resolve: (outcome: Settled) => void }

/** Puts calls of one moment into one request, with a bound on how many requests are under way. */
export function createBatcher(dispatch: Dispatch, { size, timeout }: { size: number; timeout: number }): Batcher {
  let queue: Waiting[] = []
  let scheduled = false
  let underWay = 0
  const line: (() => void)[] = []

  const enter = async () => {
    if (underWay < mostUnderWay) {
      underWay++
      return
    }
    await new Promise<void>((resolve) => line.push(resolve))
  }

  const leave = () => {
    const next = line.shift()
    if (next) next()
    else underWay--
  }

  const send = async (waiting: Waiting[], limit: number) => {
    await enter()
    try {
      const outcomes = await dispatch(
        waiting.map(({ call }) => call),
        limit,
      )
      for (const [place, { resolve }] of waiting.entries())
        resolve(outcomes[place] ?? { error: new Error('no outcome') })
    } catch (error) {
      for (const { resolve } of waiting) resolve({ error })
    } finally {
      leave()
    }
  }

  const flush = () => {
    scheduled = false
    const all = queue
    queue = []
    for (let from = 0; from < all.length; from += size) void send(all.slice(from, from + size), timeout)
  }

  return {
    ask: (call, limit) =>
      new Promise((resolve) => {
        if (limit !== undefined || goesAlone.test(call.method)) return void send([{ call, resolve }], limit ?? timeout)
        queue.push({ call, resolve })
        if (scheduled) return
        scheduled = true
        setImmediate(flush)
      }),
  }
}
