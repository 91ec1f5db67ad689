import { setTimeout as delay } from 'node:timers/promises'
import type { RpcCall, Settled } from './Chain.ts'
import type { Node } from './createNode.ts'
import { NodeError } from './NodeError.ts'
import { NodeFailure } from './NodeFailure.ts'
import { describeNodeError } from './readRpcError.ts'

export type Dispatch = (calls: readonly RpcCall[], timeout: number) => Promise<Settled[]>

/** What another node may know better. */
const worthAnother = new Set(['missingMethod', 'missingState', 'unknownBlock', 'busy', 'nonsense', 'other'])

/**
 * Asks the nodes in their order: the next where one fails, is busy, or lacks what was asked for. A node that failed is
 * asked again only once a look at it, on the side, has gone well: nobody waits for one that hangs.
 */
export function createDispatcher(nodes: readonly Node[]): Dispatch {
  const nextNode = async (tried: Set<Node>): Promise<Node | undefined> => {
    for (const node of nodes) if (!node.isReady() && node.isDue()) void node.check()
    const ready = nodes.find((node) => node.isReady() && !tried.has(node))
    if (ready) return ready
    const due = nodes.filter((node) => !node.isReady() && !tried.has(node) && node.isDue())
    if (due.length === 0) return undefined
    // None is left that works; the first that is back is good enough.
    await firstOf(due.map((node) => node.check().then(() => node.isReady())))
    return due.find((node) => node.isReady())
  }

  const round = async (calls: readonly RpcCall[], outcomes: (Settled | undefined)[], timeout: number) => {
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

  return async (calls, timeout) => {
    const outcomes: (Settled | undefined)[] = calls.map(() => undefined)
    const deadline = performance.now() + timeout * 2
    let [busy, tooLong] = [false, false]
    for (let wait = 200; ; wait *= 2) {
      ;({ busy, tooLong } = await round(calls, outcomes, timeout))
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
