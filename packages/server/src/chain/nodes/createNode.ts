import type { Logger } from 'pino'
import type { ChainSettings } from '../../config/chainSettings.ts'
import type { NodeState, RpcCall, Settled } from './Chain.ts'
import { createBucket } from './createBucket.ts'
import { createVeil } from './createVeil.ts'
import { NodeFailure } from './NodeFailure.ts'
import { post } from './post.ts'
import { describeNodeError, readRpcError } from './readRpcError.ts'

export type Node = {
  isReady(): boolean
  /** Whether it is time to see if the node is back. */
  isDue(): boolean
  /** Whether the node said that it does not have the method. */
  lacks(method: string): boolean
  noteLack(method: string): void
  /** Throws NodeFailure; errors that the node answers with are in the outcome. */
  send(calls: readonly RpcCall[], timeout: number): Promise<Settled[]>
  /** Asks which chain the node speaks for, unless it is known. Never throws. */
  check(): Promise<void>
  state(): NodeState
}

const shortestRest = 500
const longestRest = 10_000
const lackFor = 10 * 60_000
/** That a node had no time for one of these says nothing of the node. They go alone. */
const mayTakeLong = /^(eth_getLogs|debug_|trace_)/

type Parts = { id: number; url: string; settings: ChainSettings; log: Logger }

/** One node: its rate, its rest after failures, and whether it speaks for the right chain. */
export function createNode({ id, url, settings, log }: Parts): Node {
  const { host } = new URL(url)
  const veil = createVeil(url)
  const bucket = createBucket(settings.requestsPerSecond)
  const lacking = new Map<string, number>()
  let status: 'new' | 'ready' | 'resting' = 'new'
  let restUntil = 0
  let rest = shortestRest
  let checking: Promise<void> | undefined
  let takesBatches = true
  let requests = 0
  let failures = 0
  let lastError: string | undefined

  const sendOnce = async (calls: readonly RpcCall[], timeout: number): Promise<Settled[]> => {
    if (!(await bucket.take(calls.length, timeout))) throw new NodeFailure('its rate is used up', true)
    requests++
    const { status: code, retryAfter, body } = await post(url, calls, timeout)
    if (code === 429) {
      bucket.cut(Math.min(retryAfter ?? 1_000, 30_000))
      throw new NodeFailure('it says that it is too much', true)
    }
    if (Array.isArray(body) && calls.length > 1) return readAnswers(body, calls)
    if (calls.length === 1 && isAnswer(body)) return [settle(body, calls[0] as RpcCall)]
    // Several calls, and one answer or a refusal: the node does not take batches.
    if (calls.length > 1 && (code === 400 || code === 404 || code === 405 || code === 413 || isAnswer(body))) {
      takesBatches = false
      return sendEach(calls, timeout)
    }
    if (isAnswer(body) && code < 500) return [settle(body, calls[0] as RpcCall)]
    throw new NodeFailure(code === 200 ? 'it does not answer in JSON-RPC' : `it answers with status ${code}`)
  }

  const sendEach = async (calls: readonly RpcCall[], timeout: number) => {
    const outcomes: Settled[] = []
    for (let from = 0; from < calls.length; from += 10)
      outcomes.push(
        ...(await Promise.all(calls.slice(from, from + 10).map((call) => sendOnce([call], timeout)))).flat(),
      )
    return outcomes
  }

  const settle = (answer: Answer, { method }: RpcCall): Settled => {
    if (!answer.error) return { result: answer.result }
    const error = readRpcError(veiled(answer.error), method)
    if (error.kind === 'busy') bucket.cut(1_000)
    return { error }
  }

  const veiled = (fault: unknown) => {
    const { message } = fault as { message?: unknown }
    return typeof message === 'string' ? { ...(fault as object), message: veil(message) } : fault
  }

  const readAnswers = (answers: unknown[], calls: readonly RpcCall[]): Settled[] => {
    const byId = new Map(answers.filter(isAnswer).map((answer) => [Number(answer.id), answer]))
    return calls.map((call, index) => {
      const answer = byId.get(index)
      return answer ? settle(answer, call) : { error: describeNodeError('nonsense', { method: call.method }) }
    })
  }

  const fall = (failure: unknown) => {
    const reason = failure instanceof Error ? failure.message : String(failure)
    failures++
    lastError = reason
    if (failure instanceof NodeFailure && failure.busy) return
    if (status !== 'resting') log.warn({ chain: id, node: host, reason }, 'a node fails and is given a rest')
    status = 'resting'
    restUntil = performance.now() + rest
    rest = Math.min(rest * 2, longestRest)
  }

  const check = async () => {
    try {
      const [outcome] = await sendOnce([{ method: 'eth_chainId', params: [] }], settings.timeout)
      if (!outcome || 'error' in outcome) throw new NodeFailure('it does not say which chain it speaks for')
      if (Number(outcome.result) !== id) throw new NodeFailure(`it speaks for chain ${Number(outcome.result)}`)
      if (status === 'resting') log.info({ chain: id, node: host }, 'a node is back')
      status = 'ready'
      rest = shortestRest
    } catch (error) {
      fall(error)
    }
  }

  return {
    isReady: () => status === 'ready',
    isDue: () => status === 'new' || performance.now() >= restUntil,
    lacks: (method) => performance.now() - (lacking.get(method) ?? Number.NEGATIVE_INFINITY) < lackFor,
    noteLack: (method) => void lacking.set(method, performance.now()),
    async send(calls, timeout) {
      try {
        return await (takesBatches || calls.length === 1 ? sendOnce(calls, timeout) : sendEach(calls, timeout))
      } catch (error) {
        // Who asks for too much must not take the node from everybody else.
        if (error instanceof NodeFailure && error.tooLong && mayTakeLong.test(calls[0]?.method ?? '')) throw error
        fall(error)
        throw error instanceof NodeFailure ? error : new NodeFailure(error instanceof Error ? error.message : 'failed')
      }
    },
    check() {
      checking ??= check().finally(() => {
        checking = undefined
      })
      return checking
    },
    state: () => ({
      host,
      status: status === 'resting' ? 'resting' : 'ready',
      requests,
      failures,
      requestsPerSecond: Math.round(bucket.rate()),
      lastError,
    }),
  }
}

type Answer = { id?: unknown; result?: unknown; error?: unknown }

const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && ('result' in value || 'error' in value)
