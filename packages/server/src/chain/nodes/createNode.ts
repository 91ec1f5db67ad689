import { tracingChannel } from 'node:diagnostics_channel'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ChainSettings } from '../../config/chainSettings.ts'
import { createJsonCounter, type JsonLimits } from '../../encoding/parseJson.ts'
import type { NodeState, RpcCall, Settled } from './Chain.ts'
import { createRedactor } from './createRedactor.ts'
import { describeNodeError, NodeFailure, readRpcError } from './NodeError.ts'

/** More than a full block with receipts takes; a node that sends more is cut off. */
const largest = 32 * 1024 * 1024

/**
 * Limits of a response in values, which cost more to parse than bytes: 10,000 logs, the most that nodes send at once,
 * and some more. As deep as the trace of the deepest possible call (1,024 levels, two brackets each).
 */
const mostInAnswer: JsonLimits = { values: 300_000, names: 120_000, depth: 2_500 }

export type Node = {
  isReady(): boolean
  /** Returns true if it is time to check the node again. */
  isDue(): boolean
  /** Returns true if the node has reported that it lacks the method. */
  lacks(method: string): boolean
  noteLack(method: string): void
  /** Throws NodeFailure; errors returned by the node are in the outcome. */
  send(calls: readonly RpcCall[], timeout: number, isOwn: boolean): Promise<Settled[]>
  /** Checks the node's chain, unless known. Never throws. */
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
  const redact = createRedactor(url)
  const bucket = createBucket(settings.requestsPerSecond)
  const lacking = new Map<string, number>()
  let status: 'new' | 'ready' | 'resting' = 'new'
  let restUntil = 0
  let rest = shortestRest
  let checking: Promise<void> | undefined
  let takesBatches = true
  let requests = 0
  let failures = 0
  let latency: number | undefined
  let lastError: string | undefined

  const sendOnce = async (calls: readonly RpcCall[], timeout: number, isOwn: boolean): Promise<Settled[]> => {
    if (!(await bucket.take(calls.length, timeout, isOwn))) throw new NodeFailure('rate limit reached', true)
    requests++
    const asked = performance.now()
    const { status: code, retryAfter, body } = await post(url, calls, timeout)
    latency = Math.round(performance.now() - asked)
    if (code === 429) {
      bucket.cut(Math.min(retryAfter ?? 1_000, 30_000))
      throw new NodeFailure('it refuses so many requests (status 429)', true)
    }
    if (Array.isArray(body) && calls.length > 1) return readAnswers(body, calls, settle)
    if (calls.length === 1 && isAnswer(body)) return [settle(body, calls[0] as RpcCall)]
    // Several calls, and one response or a refusal: the node does not support batches.
    if (calls.length > 1 && (code === 400 || code === 404 || code === 405 || code === 413 || isAnswer(body))) {
      takesBatches = false
      return sendEach(calls, timeout, isOwn)
    }
    if (isAnswer(body) && code < 500) return [settle(body, calls[0] as RpcCall)]
    throw new NodeFailure(code === 200 ? 'its response is not JSON-RPC' : `it responds with status ${code}`)
  }

  const sendEach = async (calls: readonly RpcCall[], timeout: number, isOwn: boolean) => {
    const outcomes: Settled[] = []
    for (let from = 0; from < calls.length; from += 10)
      outcomes.push(
        ...(await Promise.all(calls.slice(from, from + 10).map((call) => sendOnce([call], timeout, isOwn)))).flat(),
      )
    return outcomes
  }

  const settle = (answer: Answer, { method }: RpcCall): Settled => {
    if (!answer.error) return { result: answer.result }
    const error = readRpcError(redactError(answer.error, redact), method)
    if (error.kind === 'busy') bucket.cut(1_000)
    return { error }
  }

  const fall = (failure: unknown) => {
    const reason = failure instanceof Error ? failure.message : String(failure)
    failures++
    lastError = reason
    if (failure instanceof NodeFailure && failure.busy) return
    if (status !== 'resting') log.warn({ chain: id, node: host, reason }, 'RPC node failing, backing off')
    status = 'resting'
    restUntil = performance.now() + rest
    rest = Math.min(rest * 2, longestRest)
  }

  const check = async () => {
    try {
      const [outcome] = await sendOnce([{ method: 'eth_chainId', params: [] }], settings.timeout, true)
      if (!outcome || 'error' in outcome) throw new NodeFailure('it does not return its chain ID')
      if (Number(outcome.result) !== id) throw new NodeFailure(`it belongs to chain ${Number(outcome.result)}`)
      if (status === 'resting') log.info({ chain: id, node: host }, 'RPC node is working again')
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
    async send(calls, timeout, isOwn) {
      try {
        return await (takesBatches || calls.length === 1
          ? sendOnce(calls, timeout, isOwn)
          : sendEach(calls, timeout, isOwn))
      } catch (error) {
        // One caller's oversized request must not take the node away from everybody else.
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
      status: status === 'new' ? 'unused' : status,
      requests,
      failures,
      requestsPerSecond: Math.round(bucket.rate()),
      latency,
      lastError,
    }),
  }
}

type Answer = { id?: unknown; result?: unknown; error?: unknown }

const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && ('result' in value || 'error' in value)

function redactError(error: unknown, redact: (text: string) => string): unknown {
  const { message } = error as { message?: unknown }
  return typeof message === 'string' ? { ...(error as object), message: redact(message) } : error
}

/** Outcomes of a batch in the order of its calls: a node may respond in another. */
function readAnswers(
  answers: unknown[],
  calls: readonly RpcCall[],
  settle: (answer: Answer, call: RpcCall) => Settled,
): Settled[] {
  const byId = new Map(answers.filter(isAnswer).map((answer) => [Number(answer.id), answer]))
  return calls.map((call, index) => {
    const answer = byId.get(index)
    return answer ? settle(answer, call) : { error: describeNodeError('nonsense', { method: call.method }) }
  })
}

type Posted = { status: number; retryAfter: number | undefined; body: unknown }

/** Sends calls as JSON-RPC, one as it is and several as a batch; the id of a call is its place. */
export async function post(url: string, calls: readonly RpcCall[], timeout: number): Promise<Posted> {
  // Channel for traces; this check is their only cost if they are off.
  if (!traced.start.hasSubscribers) return postCalls(url, calls, timeout)
  const about = { host: new URL(url).host, methods: calls.map(({ method }) => method) }
  return traced.tracePromise(() => postCalls(url, calls, timeout), about)
}

const traced = tracingChannel('countersign.node')

async function postCalls(url: string, calls: readonly RpcCall[], timeout: number): Promise<Posted> {
  const bodies = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
  const { text, ...rest } = await postText(url, bodies.length === 1 ? bodies[0] : bodies, timeout, largest)
  return { ...rest, body: readJson(text) }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type PostedText = { status: number; retryAfter: number | undefined; text: string }

/** Sends JSON to a node and reads its response, up to so many bytes. Throws NodeFailure. */
export async function postText(url: string, body: unknown, timeout: number, largest: number): Promise<PostedText> {
  // Credentials in an address are none that fetch takes.
  const address = new URL(url)
  const { username, password } = address
  address.username = ''
  address.password = ''
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(username && { authorization: `Basic ${credentials}` }) },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    })
    const seconds = Number(response.headers.get('retry-after'))
    const text = await readText(response, largest)
    return { status: response.status, retryAfter: seconds > 0 ? seconds * 1_000 : undefined, text }
  } catch (error) {
    // An error of fetch may contain the URL, and the URL a key.
    const { name, cause } = error as { name?: string; cause?: { code?: string } }
    if (name === 'TimeoutError') throw new NodeFailure(`no response within ${timeout} ms`, false, true)
    if (name === 'TooLarge') throw new NodeFailure('its response is too large', false, true)
    throw new NodeFailure(`no connection (${cause?.code ?? name})`)
  }
}

async function readText(response: Response, largest: number): Promise<string> {
  const chunks: Uint8Array[] = []
  const count = createJsonCounter(mostInAnswer)
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Counted as it arrives: a response of 400,000 empty objects stopped everyone for a quarter of a second.
    if (size > largest || count(chunk) !== undefined) throw Object.assign(new Error('too large'), { name: 'TooLarge' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

export type Bucket = {
  /**
   * Waits until so many may be sent; false if that would take longer than `most` milliseconds. The server's own calls
   * are booked ahead; those of callers wait for a free slot, so that the server waits for one request of theirs at
   * most.
   */
  take(count: number, most: number, isOwn?: boolean): Promise<boolean>
  /** The node said that it was too much. Nothing is sent for `ms`, and less from then on. */
  cut(ms: number): void
  rate(): number
}

/**
 * A token bucket that finds out what a node allows: cut to 0.6 at most once a second (each 429 of one burst is the same
 * news), up by 1 % of the wanted rate after five quiet seconds.
 */
export function createBucket(wanted: number, now: () => number = () => performance.now()): Bucket {
  let rate = wanted
  let tokens = wanted
  let filled = now()
  let lastCut = Number.NEGATIVE_INFINITY
  let closedUntil = 0

  const fill = () => {
    const at = now()
    if (rate < wanted && at - lastCut > 5_000) rate = Math.min(wanted, rate + (wanted * 0.01 * (at - filled)) / 1_000)
    tokens = Math.min(rate, tokens + (rate * (at - filled)) / 1_000)
    filled = at
  }

  return {
    async take(count, most, isOwn = true) {
      fill()
      let wait = Math.max(closedUntil - now(), tokens > 0 ? 0 : (-tokens / rate) * 1_000)
      if (wait > most) return false
      for (const end = now() + most; !isOwn && wait > 0; ) {
        await delay(wait + 1)
        fill()
        wait = Math.max(closedUntil - now(), tokens > 0 ? 0 : (-tokens / rate) * 1_000)
        if (now() + wait > end) return false
      }
      // Taken immediately, so that later calls queue behind; a batch larger than the bucket still passes.
      tokens -= count
      if (wait > 0) await delay(wait)
      return true
    },
    cut(ms) {
      const at = now()
      closedUntil = Math.max(closedUntil, at + ms)
      if (at - lastCut < 1_000) return
      fill()
      lastCut = at
      rate = Math.max(1, rate * 0.6)
      tokens = Math.min(tokens, 0)
    },
    rate: () => rate,
  }
}
