import fc from 'fast-check'
import { createRandom, type Random } from '../createRandom.ts'
import { longestHold, threadTime } from '../longestHold.ts'
import { createKeeper, fillCase, type KeptCase } from './corpus.ts'
import { createConnections, type RawAnswer } from './createConnections.ts'
import { createRequests, endpoints, type FuzzRequest } from './createRequests.ts'
import type { FuzzFinding } from './Finding.ts'
import { mutated, writeJson } from './hostileValues.ts'
import { judgeAnswer } from './judge.ts'
import { createFrames, createSockets } from './liveFrames.ts'
import { compareStates, readProtectedState } from './protectedState.ts'
import { createQueryTrees } from './queryTrees.ts'
import type { Vocabulary } from './Vocabulary.ts'
import type { FuzzActor, World } from './World.ts'

export type FuzzOptions = {
  world: World
  cases: number
  seed: number
  /** Only these endpoints; `live` for live queries. */
  only?: readonly string[] | undefined
  corpus?: readonly KeptCase[]
  /** Compares the protected rows; not where the master key may change them. */
  guardsWrites: boolean
  progress?: (done: number) => void
  onFinding?: (finding: FuzzFinding) => void
}

export type EndpointCounts = { cases: number; accepted: number; ms: number }
export type FuzzReport = {
  findings: FuzzFinding[]
  counts: Record<string, EndpointCounts>
  /** Requests that reached a response for the first time. */
  kept: KeptCase[]
  /** Longest turn (ms) of the event loop that a request was seen to cause. */
  longestTurn: number
  heap: { before: number; after: number }
  /** Requests without a response or a database, sent again alone: under load the machine may have caused it. */
  repeated: number
  slowest: { ms: number; input: string }
}

type Case = { actor: FuzzActor; request: FuzzRequest } | { actor: FuzzActor; frame: string }

/** Delay (ms) of the event loop from which a server counts as overloaded, as shipped. */
const longestAllowed = 250
const chunkSize = 960
const connections = 40
/** Chunks between two looks at sessions, protected rows and memory. */
const tendedEvery = 3
const mostFindings = 30
/** Bytes that the heap may grow after the first tenth of a run. */
const mostGrowth = 150 * 1024 * 1024

/** Endpoints with more to find than others. */
const weights: Record<string, number> = {
  ...{ findObjects: 16, createObject: 10, updateObject: 12, getObject: 5, deleteObject: 2, batch: 10, aggregate: 10 },
  ...{
    findUsers: 4,
    getUser: 3,
    updateUser: 4,
    listSessions: 3,
    signInWithWallet: 5,
    linkWallet: 2,
    reauthenticate: 2,
  },
  // Rotation changes everything that is encrypted, while all other writes wait.
  ...{ rotateKeys: 0.5, retireKeys: 0.5 },
  ...{ signUp: 2, logIn: 2, createSchema: 3, updateSchema: 4, applySchema: 2, live: 12, uploadFile: 2 },
}

const crash = { rule: 'crash', endpoint: '', input: '' } as const

const textOf = (error: unknown) => String((error as Error)?.stack ?? error)

/** Sends random requests and frames to a world, and judges every response. */
export async function runFuzz({
  world,
  cases,
  seed,
  only,
  corpus = [],
  guardsWrites,
  progress,
  onFinding,
}: FuzzOptions): Promise<FuzzReport> {
  const found = new Map<string, FuzzFinding>()
  const report = (finding: FuzzFinding) => {
    const key = `${finding.rule} ${finding.endpoint} ${finding.message.replaceAll(/[\d"'{}]+|0x\w+/g, '').slice(0, 60)}`
    if (found.has(key) || found.size >= mostFindings) return
    found.set(key, finding)
    onFinding?.(finding)
  }
  const onRejection = (error: unknown) => report({ ...crash, message: `Unhandled rejection: ${textOf(error)}` })
  process.on('unhandledRejection', onRejection)
  const sockets = createSockets(world, report)
  const pipes = createConnections(Number(new URL(world.server.url).port), connections)
  const keeper = createKeeper(world, corpus)
  const counts: Record<string, EndpointCounts> = {}
  const draw = createDraw(world, createRandom(seed), seed, only, corpus)
  const turns = watchTurns()
  let state = guardsWrites ? await readProtectedState(world) : undefined
  let [before, after, longestTurn, done, chunks] = [0, 0, 0, 0, 0]
  let slowest = { ms: 0, input: '' }
  let repeated = 0
  const delayed: { actor: FuzzActor; request: FuzzRequest }[] = []

  async function send(one: Case): Promise<void> {
    const name = 'frame' in one ? 'live' : one.request.endpoint
    counts[name] ??= { cases: 0, accepted: 0, ms: 0 }
    const count = counts[name]
    count.cases++
    if ('frame' in one) return sockets.send(one.actor, one.frame)
    const { actor, request } = one
    const answer = await pipes.send(writeRequest(world, actor, request))
    count.ms += answer.ms
    if (isOutage(answer)) return void delayed.push({ actor, request })
    take({ actor, request }, answer, count)
  }

  function take(one: { actor: FuzzActor; request: FuzzRequest }, answer: RawAnswer, count: EndpointCounts): void {
    const { actor, request } = one
    if (answer.ms > slowest.ms) slowest = { ms: answer.ms, input: describeCase(one) }
    if (answer.status >= 200 && answer.status < 300) count.accepted++
    if (answer.status < 300) learn(world, one, answer)
    keeper.note(request, actor, answer.status, answer.text)
    for (const finding of judgeAnswer(world, actor, request, answer)) {
      const cause = answer.status >= 500 ? findCause(world, answer) : ''
      report({ ...finding, message: `${finding.message} ${cause}`.trim(), input: describeCase(one) })
    }
  }

  async function repeatLate(): Promise<void> {
    for (const { actor, request } of delayed.splice(0)) {
      repeated++
      const answer = await pipes.send(writeRequest(world, actor, request))
      take({ actor, request }, answer, counts[request.endpoint] as EndpointCounts)
    }
  }

  try {
    while (done < cases && found.size < mostFindings) {
      const chunk = draw(Math.min(chunkSize, cases - done))
      if (chunk.length === 0) break
      turns.start()
      await Promise.all(chunk.map(send))
      await repeatLate()
      if (turns.stop() > longestAllowed) {
        const [held, culprit] = await findHolder(chunk, send)
        longestTurn = Math.max(longestTurn, held)
        if (held > longestAllowed && culprit)
          report({
            rule: 'eventLoop',
            message: `The event loop stops for ${Math.round(held)} ms.`,
            endpoint: 'frame' in culprit ? 'live' : culprit.request.endpoint,
            input: describeCase(culprit),
          })
      }
      done += chunk.length
      chunks++
      world.server.logs.length = 0
      if (chunks % tendedEvery === 0 || done >= cases) {
        await touchMoving(world)
        state = state && (await compareWrites(world, state, chunk, report))
        if (done < cases) await world.tend()
        if (before === 0 && done >= cases / 10) before = measureHeap()
        progress?.(done)
      }
    }
    after = measureHeap()
    if (before > 0 && after - before > mostGrowth)
      report({
        rule: 'memory',
        message: `The heap grew by ${Math.round((after - before) / 1024 / 1024)} MB.`,
        endpoint: '',
        input: '',
      })
  } finally {
    process.off('unhandledRejection', onRejection)
    sockets.close()
    pipes.close()
  }
  return {
    findings: [...found.values()],
    counts,
    kept: keeper.kept,
    longestTurn,
    heap: { before, after },
    repeated,
    slowest,
  }
}

/** A server that is not to blame for it responds as usual when the request comes alone. */
const isOutage = ({ status, text }: RawAnswer) => status === -1 || text.includes('"databaseUnavailable"')

/** Draws cases: kept ones first, then random ones by the weight of their endpoint. */
function createDraw(
  world: World,
  random: Random,
  seed: number,
  only: readonly string[] | undefined,
  corpus: readonly KeptCase[],
) {
  const vocabulary: Vocabulary = { pool: world.pool, trees: createQueryTrees(world.pool) }
  const hasMaster = world.actors.some(({ kind }) => kind === 'master')
  const names = [...Object.keys(endpoints), 'live'].filter((name) => !only || only.includes(name))
  const bag = names.flatMap((name) => {
    const access = endpoints[name]?.access
    // Without the right, every request to it is rejected before its input is read.
    const isClosed = !hasMaster && (access === 'master' || access === 'operator')
    const weight = isClosed ? 1 : 2 * (weights[name] ?? 1)
    return Array.from({ length: weight }, () => name)
  })
  const replayed = corpus.filter(({ endpoint }) => !only || only.includes(endpoint))
  const pending = [...replayed]
  const altered = replayed.length > 0 ? createStream(alterations(world, replayed), seed) : undefined
  const frames = createStream(createFrames(world, vocabulary.trees), seed)
  const streams = new Map<string, () => FuzzRequest>()
  const streamOf = (name: string) => {
    const known = streams.get(name) ?? createStream(createRequests(name, vocabulary), seed + streams.size)
    streams.set(name, known)
    return known
  }
  const actorOf = (kind?: FuzzActor['kind']) => {
    const fitting = kind ? world.actors.filter((actor) => actor.kind === kind) : []
    return random.pick(fitting.length > 0 ? fitting : world.actors)
  }
  return (count: number): Case[] =>
    Array.from({ length: bag.length > 0 ? count : 0 }, (): Case => {
      const kept = pending.pop()
      if (kept) return { actor: actorOf(kept.kind), request: fillCase(world, kept) }
      if (altered && random.happens(0.1)) return { actor: actorOf(), request: altered() }
      const name = random.pick(bag)
      if (name === 'live') return { actor: actorOf(), frame: frames() }
      return { actor: actorOf(), request: streamOf(name)() }
    })
}

/** Values of an arbitrary, one by one. Drawn in small groups, so that they use recent ids. */
function createStream<T>(arbitrary: fc.Arbitrary<T>, seed: number): () => T {
  let group: T[] = []
  let groups = 0
  return () => {
    if (group.length === 0) group = fc.sample(arbitrary, { numRuns: 8, seed: seed * 7_919 + groups++ })
    return group.pop() as T
  }
}

/** Kept requests with changes in their bodies. */
function alterations(world: World, corpus: readonly KeptCase[]): fc.Arbitrary<FuzzRequest> {
  return fc.constantFrom(...corpus).chain((kept) => {
    const request = fillCase(world, kept)
    const value = parse(request.body)
    if (value === undefined) return fc.constant(request)
    return mutated(fc.constant(value)).map((body) => ({ ...request, body: writeJson(body) }))
  })
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function writeRequest(
  { server }: World,
  { headers: own, cookie }: FuzzActor,
  { method, path, body, headers, form }: FuzzRequest,
): Buffer {
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const isCookie = form === 'cookie' && cookie !== undefined
  const all: Record<string, string> = {
    host: '127.0.0.1',
    'x-parse-application-id': server.appId,
    ...(isCookie ? { 'x-countersign-session': 'cookie', cookie } : own),
    ...headers,
    ...(bytes && { 'content-length': String(bytes.length) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  const head = Buffer.from(`${method} /server${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return bytes ? Buffer.concat([head, bytes]) : head
}

/** Adds ids, cursors and tokens of a response to the pool. */
function learn(
  { pool }: World,
  { actor: { kind }, request }: Extract<Case, { request: FuzzRequest }>,
  { text }: RawAnswer,
): void {
  if (text.length > 20_000) return
  const id = /"objectId":"(\w{1,32})"/.exec(text)?.[1]
  if (id) pool.add('objectId', id)
  const className = request.method === 'POST' ? /^\/classes\/(\w+)$/.exec(request.path)?.[1] : undefined
  if (id && className) pool.add('place', { className, objectId: id })
  for (const name of ['cursor', 'ticket', 'handle']) {
    const value = new RegExp(`"${name}":"([^"\\\\]{1,2000})"`).exec(text)?.[1]
    if (value) pool.add(name, value)
  }
  const token = kind === 'master' ? undefined : /"sessionToken":"([^"]+)"/.exec(text)?.[1]
  if (token) pool.add('token', token)
}

/** The log line of a failed request. */
function findCause({ server }: World, { headers }: RawAnswer): string {
  const id = headers['x-request-id']
  const line = server.logs.findLast((each) => each.includes('failed') && (id === undefined || each.includes(id)))
  return line ? line.slice(0, 1_500) : ''
}

const describeCase = (one: Case) =>
  'frame' in one
    ? `${one.actor.name}: ${one.frame.slice(0, 3_000)}`
    : `${one.actor.name} ${one.request.form}: ${one.request.method} ${one.request.path.slice(0, 3_000)} ${JSON.stringify(one.request.headers)} ${one.request.body?.slice(0, 3_000) ?? ''}`

/** Measures the longest turn (ms of this thread) of the event loop. Other programs do not matter. */
function watchTurns() {
  let [last, longest]: [number, number] = [0, 0]
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    const now = threadTime()
    longest = Math.max(longest, now - last)
    last = now
  }
  return {
    start() {
      longest = 0
      last = threadTime()
      timer = setInterval(look, 20)
    },
    stop(): number {
      clearInterval(timer)
      return longest
    },
  }
}

/** Sends the cases of a chunk one by one. Returns the longest turn and its case. */
async function findHolder(chunk: Case[], send: (one: Case) => Promise<void>): Promise<[number, Case | undefined]> {
  let [held, culprit]: [number, Case | undefined] = [0, undefined]
  for (const one of chunk) {
    if ((await longestHold({ attempts: 1 }, () => send(one))) < longestAllowed / 2) continue
    const best = await longestHold({}, () => send(one))
    if (best > held) [held, culprit] = [best, one]
  }
  return [held, culprit]
}

/** The owner changes the private rows that live queries must not show. */
async function touchMoving({ server, moving, victim }: World): Promise<void> {
  for (const id of moving)
    for (const options of [{ token: victim.token }, { master: true }])
      await server.call('PUT', `/classes/Note/${id}`, { n: { __op: 'Increment', amount: 1 } }, options)
}

async function compareWrites(
  world: World,
  state: Awaited<ReturnType<typeof readProtectedState>>,
  chunk: Case[],
  report: (finding: FuzzFinding) => void,
): Promise<typeof state> {
  const now = await readProtectedState(world)
  const mentioned = [...world.protectedIds.values()].flat()
  for (const difference of compareStates(state, now)) {
    const near = chunk.map(describeCase).filter((text) => mentioned.some((id) => text.includes(id)))
    report({
      rule: 'foreignWrite',
      message: `Changed without the right: ${difference}`,
      endpoint: '',
      input: near.slice(-20).join('\n'),
    })
  }
  return now
}

function measureHeap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
