import type { CountersignError, WireFields } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { readDocument } from '../documents/findDocuments.ts'
import type { Query } from '../documents/Query.ts'
import { isTransient, toCountersignError } from '../errors/errors.ts'
import { shareStructure } from '../readings/shareStructure.ts'
import { request } from '../session/request.ts'
import type { AsyncState } from '../state/AsyncState.ts'
import type { LiveEvent } from '../state/LiveWire.ts'
import { createLiveRows, isRow, type LivePlan, type Need, readPlan } from './createLiveRows.ts'
import { openLive } from './openLive.ts'
import type { Row } from './readOrder.ts'

const mostIds = 100

export type Following = {
  readonly refetch: () => Promise<void>
  /** Something that the query shows was changed by this client. */
  readonly invalidate: () => void
  readonly stop: () => void
}

type Show = (state: AsyncState<readonly unknown[]>) => void

/** Without a live connection after so long, the query is read all the same. */
const waitTime = 3_000
/** Queries that have to be read again for each event are not read more often. */
const pause = 300

/** Reads a query and keeps its rows current, for one reader. */
export function followQuery(client: Client, query: Query<string, unknown>, show: Show): Following {
  const plan = readPlan(query)
  const result = createResult(client, plan, show)
  let isOpen = false
  let isRefused = false
  let isOver = false

  function listen(): () => void {
    return openLive(client).subscribe(plan.text, {
      onOpen(isWhole) {
        isOpen = true
        isRefused = false
        if (!isWhole || result.isStale()) void result.find()
      },
      onClose() {
        isOpen = false
      },
      onResync: () => void result.find(),
      onEvent: result.receive,
      onError(error) {
        isOpen = false
        isRefused = true
        result.refuse(error)
      },
    })
  }

  /** Reads the query once if no connection is possible. Failures are retried by `noteOutcome`. */
  function readAnyway(): void {
    if (!isOver && !isRefused && result.isUnread()) void result.find()
  }

  let stopListening = listen()
  const waiting = setTimeout(readAnyway, waitTime)
  const live = client.internal.liveState
  const look = () => {
    const { status } = live.get()
    if (!result.isKnown() && (status === 'waiting' || status === 'offline')) readAnyway()
  }
  const stopWatching = live.subscribe(look)
  look()

  return {
    async refetch() {
      if (isRefused) {
        isRefused = false
        stopListening()
        stopListening = listen()
        show({ status: 'pending', isFetching: true })
      } else await result.find()
    },
    invalidate() {
      if (plan.isPartial || !isOpen) void result.find()
    },
    stop() {
      isOver = true
      result.stop()
      clearTimeout(waiting)
      stopWatching()
      stopListening()
    },
  }
}

type Result = {
  /** Reads all rows; discards a pending read. */
  readonly find: () => Promise<void>
  readonly receive: (event: LiveEvent) => void
  /** Shows nothing any more but the reason why. */
  readonly refuse: (error: CountersignError) => void
  readonly isKnown: () => boolean
  readonly isStale: () => boolean
  /** Neither read, nor being read, nor failed. */
  readonly isUnread: () => boolean
  readonly stop: () => void
}

/** The rows of a query: read as a whole, then changed by events. */
function createResult(client: Client, plan: LivePlan, show: Show): Result {
  const rows = createLiveRows(plan)
  const toDocuments = createDocuments(plan)
  const fetching = createFetching({
    read: (signal, ids) => readRows(client, plan, signal, ids),
    settle: (objectId, row) => meet(rows.settle(objectId, row)),
    fail: () => void find(),
  })
  /** Events that arrive during a read may or may not be in its response. */
  let events: LiveEvent[] = []
  let finding: AbortController | undefined
  let isKnown = false
  let isStale = true
  let hasFailed = false
  let foundAt = 0
  let publishing: ReturnType<typeof setTimeout> | undefined
  let planned: ReturnType<typeof setTimeout> | undefined

  function publish(): void {
    clearTimeout(publishing)
    publishing = undefined
    if (isKnown) show({ status: 'success', data: toDocuments(rows.list()), isFetching: finding !== undefined })
  }

  async function find(): Promise<void> {
    forget()
    const controller = new AbortController()
    finding = controller
    hasFailed = false
    events = []
    publish()
    try {
      const found = await readRows(client, plan, controller.signal)
      if (finding !== controller) return
      rows.adopt(found)
      isKnown = true
      isStale = false
      finish()
      for (const event of events.splice(0)) take(event)
      publish()
    } catch (error) {
      if (finding !== controller) return
      finish()
      fail(toCountersignError(error))
    }
  }

  function finish(): void {
    finding = undefined
    foundAt = Date.now()
  }

  /** Discards a pending read. */
  function forget(): void {
    finding?.abort()
    finding = undefined
    fetching.clear()
    clearTimeout(planned)
    planned = undefined
  }

  function fail(error: CountersignError): void {
    isStale = true
    hasFailed = true
    // The rows stay while the server is out of reach; they are read again when it is back.
    if (!isTransient(error)) isKnown = false
    show({ status: 'error', error, isFetching: false })
  }

  function take(event: LiveEvent): void {
    const objectId = String(event.object.objectId)
    fetching.drop(objectId)
    const need = rows.apply(event)
    if (need === 'row') fetching.want(objectId)
    meet(need)
  }

  function meet(need: Need): void {
    publishing ??= setTimeout(publish)
    // A pending read is not discarded: with a stream of events there would never be a result.
    if (need === 'rows' && !finding)
      planned ??= setTimeout(() => void find(), Math.max(0, foundAt + pause - Date.now()))
  }

  return {
    find,
    receive(event) {
      if (finding) events.push(event)
      if (isKnown) take(event)
      if (isStale) meet('rows')
    },
    refuse(error) {
      forget()
      isKnown = false
      isStale = true
      show({ status: 'error', error, isFetching: false })
    },
    isKnown: () => isKnown,
    isStale: () => isStale,
    isUnread: () => isStale && !finding && !hasFailed,
    stop() {
      forget()
      clearTimeout(publishing)
    },
  }
}

/** Turns rows into frozen snapshots; unchanged ones stay the same object. */
function createDocuments({ className, hidden }: LivePlan): (rows: readonly Row[]) => readonly unknown[] {
  let known = new Map<string, { readonly row: Row; readonly document: unknown }>()
  let shown: readonly unknown[] = Object.freeze([])
  return (rows) => {
    const entries = rows.map((row) => {
      const former = known.get(row.objectId)
      if (former?.row === row) return [row.objectId, former] as const
      const fields = Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.has(name)))
      const document = shareStructure(former?.document, readDocument<unknown>(className, fields))
      return [row.objectId, { row, document }] as const
    })
    known = new Map(entries)
    shown = shareStructure(shown, Object.freeze(entries.map(([, { document }]) => document)))
    return shown
  }
}

/** Reads the current rows; with ids only those. */
async function readRows(
  client: Client,
  { find }: LivePlan,
  signal: AbortSignal,
  ids?: readonly string[],
): Promise<readonly Row[]> {
  const { results } = await request(client, 'findObjects', ids ? narrow(find, ids) : find, { signal })
  return results.filter(isRow)
}

function narrow({ where, ...find }: LivePlan['find'], ids: readonly string[]): LivePlan['find'] {
  const named: WireFields = { objectId: { $in: [...ids] } }
  const { order: _, ...rest } = find
  return { ...rest, limit: ids.length, where: where ? { $and: [where, named] } : named }
}

type FetchingParts = {
  readonly read: (signal: AbortSignal, ids: readonly string[]) => Promise<readonly Row[]>
  /** The row as the server has it; none, if it did not find it. */
  readonly settle: (objectId: string, row: Row | undefined) => void
  readonly fail: () => void
}

type Fetching = {
  readonly want: (objectId: string) => void
  /** An event has overtaken whatever is fetched of this row. */
  readonly drop: (objectId: string) => void
  readonly clear: () => void
}

/** Fetches rows by their ids: those requested during a pending read are fetched together. */
function createFetching({ read, settle, fail }: FetchingParts): Fetching {
  const wanted = new Set<string>()
  let run: { readonly controller: AbortController; readonly ids: Set<string> } | undefined

  async function fetch(): Promise<void> {
    if (run || wanted.size === 0) return
    const asked = [...wanted].slice(0, mostIds)
    for (const id of asked) wanted.delete(id)
    const own = { controller: new AbortController(), ids: new Set(asked) }
    run = own
    try {
      const found = await read(own.controller.signal, asked)
      if (run !== own) return
      run = undefined
      const byId = new Map(found.map((row) => [row.objectId, row]))
      for (const id of own.ids) settle(id, byId.get(id))
      void fetch()
    } catch {
      if (run === own) fail()
    }
  }

  return {
    want(objectId) {
      wanted.add(objectId)
      void fetch()
    },
    drop(objectId) {
      wanted.delete(objectId)
      run?.ids.delete(objectId)
    },
    clear() {
      run?.controller.abort()
      run = undefined
      wanted.clear()
    },
  }
}
