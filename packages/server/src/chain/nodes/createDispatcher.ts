import { setTimeout as delay } from 'node:timers/promises'
import type { RpcCall, Settled } from './Chain.ts'
import type { Node } from './createNode.ts'
import { describeNodeError, NodeError, NodeFailure } from './NodeError.ts'

/** `isOwn`: the server itself asks, before any visitor. */
export type Dispatch = (calls: readonly RpcCall[], timeout: number, isOwn: boolean) => Promise<Settled[]>

/** Errors that another node may not have. */
const worthAnother = new Set(['missingMethod', 'missingState', 'unknownBlock', 'busy', 'nonsense', 'other'])

/**
 * Asks the nodes in order: the next if one fails, is busy, or lacks the data. A failed node is used again only after a
 * check in the background: nobody waits for one that hangs.
 */
export function createDispatcher(nodes: readonly Node[]): Dispatch {
  const nextNode = async (tried: Set<Node>): Promise<Node | undefined> => {
    for (const node of nodes) if (!node.isReady() && node.isDue()) void node.check()
    const ready = nodes.find((node) => node.isReady() && !tried.has(node))
    if (ready) return ready
    const due = nodes.filter((node) => !node.isReady() && !tried.has(node) && node.isDue())
    if (due.length === 0) return undefined
    // No node works; take the first that recovers.
    await firstOf(due.map((node) => node.check().then(() => node.isReady())))
    return due.find((node) => node.isReady())
  }

  const round = async (
    calls: readonly RpcCall[],
    outcomes: (Settled | undefined)[],
    timeout: number,
    isOwn: boolean,
  ) => {
    const tried = new Set<Node>()
    let busy = false
    let tooLong = false
    for (let node = await nextNode(tried); node; node = await nextNode(tried)) {
      tried.add(node)
      const asked = node
      const open = calls.flatMap((call, place) =>
        isSettled(outcomes[place]) || asked.lacks(call.method) ? [] : [{ call, place }],
      )
      if (open.length === 0) continue
      try {
        const answers = await asked.send(
          open.map(({ call }) => call),
          timeout,
          isOwn,
        )
        for (const [index, { call, place }] of open.entries()) {
          outcomes[place] = answers[index]
          if (kindOf(answers[index]) === 'missingMethod') asked.noteLack(call.method)
          if (kindOf(answers[index]) === 'busy') busy = true
        }
      } catch (error) {
        if (error instanceof NodeFailure && error.busy) busy = true
        if (error instanceof NodeFailure && error.tooLong) tooLong = true
      }
      if (outcomes.every(isSettled)) break
    }
    return { busy, tooLong }
  }

  return async (calls, timeout, isOwn) => {
    const outcomes: (Settled | undefined)[] = calls.map(() => undefined)
    const deadline = performance.now() + timeout * 2
    let [busy, tooLong] = [false, false]
    for (let wait = 200; ; wait *= 2) {
      ;({ busy, tooLong } = await round(calls, outcomes, timeout, isOwn))
      const unanswered = outcomes.some((outcome) => !outcome || kindOf(outcome) === 'busy')
      if (!busy || !unanswered || performance.now() + wait > deadline) break
      // With jitter, or all that were refused come back at the same moment.
      await delay(wait * (0.75 + Math.random() / 2))
    }
    return outcomes.map((outcome, place): Settled => {
      if (outcome) return outcome
      const method = calls[place]?.method ?? ''
      // A node that had no time for all logs may have it for fewer.
      if (tooLong && method === 'eth_getLogs') return { error: describeNodeError('tooMuch', { method }) }
      if (busy || (tooLong && /^(debug|trace)_/.test(method))) return { error: describeNodeError('busy', { method }) }
      const lacking = nodes.length > 0 && nodes.every((node) => node.lacks(method))
      return { error: describeNodeError(lacking ? 'missingMethod' : 'down', { method }) }
    })
  }
}

const kindOf = (outcome: Settled | undefined) =>
  outcome && 'error' in outcome && outcome.error instanceof NodeError ? outcome.error.kind : undefined

const isSettled = (outcome: Settled | undefined) => {
  const kind = kindOf(outcome)
  return outcome !== undefined && !(kind && worthAnother.has(kind))
}

/** Resolves as soon as one is true, or all are done. */
const firstOf = (checks: Promise<boolean>[]) =>
  new Promise<void>((resolve) => {
    for (const check of checks) check.then((good) => good && resolve())
    Promise.all(checks).then(() => resolve())
  })

export type Batcher = {
  /** `payer` is the key of the caller; the server itself if absent. */
  ask(call: RpcCall, timeout?: number, payer?: string): Promise<Settled>
}

/** Requests with long or slow responses are sent alone, so that nobody waits behind them. */
const goesAlone = /^(eth_getLogs|debug_|trace_|eth_getBlockReceipts|ots_)/

const mostUnderWay = 16

/** Requests of all visitors: the rest is left to the server itself, which follows the chain. */
const mostOfVisitors = 12

/** Requests of one visitor. */
const mostOfOne = 4

type Waiting = { call: RpcCall; resolve: (outcome: Settled) => void }

/** Key of the server itself. No address is empty. */
const own = ''

/**
 * Puts calls of one moment into one request, with a bound on how many requests are under way. The server goes first, and
 * visitors take turns: a visitor with a thousand calls waits behind itself and holds nobody up.
 */
export function createBatcher(dispatch: Dispatch, { size, timeout }: { size: number; timeout: number }): Batcher {
  let queue = new Map<string, Waiting[]>()
  let scheduled = false
  const underWay = new Map<string, number>()
  /** In the order in which their turn comes. */
  const lines = new Map<string, (() => void)[]>()

  const total = () => [...underWay.values()].reduce((sum, count) => sum + count, 0)

  const mayStart = (key: string) => {
    const all = total()
    if (key === own) return all < mostUnderWay
    return all - (underWay.get(own) ?? 0) < mostOfVisitors && all < mostUnderWay && (underWay.get(key) ?? 0) < mostOfOne
  }

  const start = (key: string) => underWay.set(key, (underWay.get(key) ?? 0) + 1)

  const enter = async (key: string) => {
    if (!lines.has(key) && mayStart(key)) return void start(key)
    await new Promise<void>((resolve) => lines.set(key, [...(lines.get(key) ?? []), resolve]))
  }

  const startNext = () => {
    for (;;) {
      const key =
        lines.has(own) && mayStart(own) ? own : [...lines.keys()].find((each) => each !== own && mayStart(each))
      const line = key === undefined ? undefined : lines.get(key)
      if (key === undefined || !line) return
      const next = line.shift()
      // Behind all others who wait.
      lines.delete(key)
      if (line.length > 0) lines.set(key, line)
      start(key)
      next?.()
    }
  }

  const leave = (key: string) => {
    const left = (underWay.get(key) ?? 1) - 1
    if (left > 0) underWay.set(key, left)
    else underWay.delete(key)
    startNext()
  }

  const send = async (waiting: Waiting[], limit: number, key: string) => {
    await enter(key)
    try {
      const outcomes = await dispatch(
        waiting.map(({ call }) => call),
        limit,
        key === own,
      )
      for (const [place, { resolve }] of waiting.entries())
        resolve(outcomes[place] ?? { error: new Error('no outcome') })
    } catch (error) {
      for (const { resolve } of waiting) resolve({ error })
    } finally {
      leave(key)
    }
  }

  const flush = () => {
    scheduled = false
    const all = queue
    queue = new Map()
    for (const [key, waiting] of all) {
      for (let from = 0; from < waiting.length; from += size) void send(waiting.slice(from, from + size), timeout, key)
    }
  }

  return {
    ask: (call, limit, payer = own) =>
      new Promise((resolve) => {
        if (limit !== undefined || goesAlone.test(call.method))
          return void send([{ call, resolve }], limit ?? timeout, payer)
        const line = queue.get(payer)
        if (line) line.push({ call, resolve })
        else queue.set(payer, [{ call, resolve }])
        if (scheduled) return
        scheduled = true
        setImmediate(flush)
      }),
  }
}
