import { type CountersignError, errorCodes } from '@countersign/protocol'
import type { Client } from '../Client.ts'
import type { ReadingState } from '../createReading.ts'
import type { Query } from '../documents/QueryOptions.ts'
import { toCountersignError } from '../errors/toCountersignError.ts'
import { createDocuments } from './createDocuments.ts'
import { createFetching } from './createFetching.ts'
import { createLiveRows, type Need } from './createLiveRows.ts'
import type { LiveEvent } from './LiveWire.ts'
import { liveStates } from './liveStates.ts'
import { openLive } from './openLive.ts'
import { readPlan } from './readPlan.ts'
import { readRows } from './readRows.ts'

export type Following = {
  readonly refetch: () => Promise<void>
  /** Something that the query shows was changed by this client. */
  readonly invalidate: () => void
  readonly stop: () => void
}

type Show = (state: ReadingState<readonly unknown[]>) => void

/** Without a live connection after so long, the query is read all the same. */
const patience = 3_000
/** Queries that have to be read anew for each event are not read more often. */
const pause = 300

/** Reads a query and keeps what it shows current, for one reader. */
export function followQuery(client: Client, query: Query<string, unknown>, show: Show): Following {
  const plan = readPlan(query)
  const rows = createLiveRows(plan)
  const toDocuments = createDocuments(plan)
  const fetching = createFetching({
    read: (signal, ids) => readRows(client, plan, signal, ids),
    settle: (objectId, row) => meet(rows.settle(objectId, row)),
    fail: () => void find(),
  })
  /** Events that arrive while the server is being asked may be in its answer or not. */
  let events: LiveEvent[] = []
  let finding: AbortController | undefined
  let isKnown = false
  let isStale = true
  let isOpen = false
  let isRefused = false
  let isOver = false
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

  /** What was asked of the server is no longer waited for. */
  function forget(): void {
    finding?.abort()
    finding = undefined
    fetching.clear()
    clearTimeout(planned)
    planned = undefined
  }

  function fail(error: CountersignError): void {
    isStale = true
    // What is known stays on show while the server is out of reach; it is read anew when the connection is back.
    if (isKnown && error.code === errorCodes.ConnectionFailed) publish()
    else {
      isKnown = false
      show({ status: 'error', error, isFetching: false })
    }
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
    // An answer under way is not thrown away: with one event after the other there would never be one.
    if (need === 'rows' && !finding)
      planned ??= setTimeout(() => void find(), Math.max(0, foundAt + pause - Date.now()))
  }

  function listen(): () => void {
    return openLive(client).subscribe(plan.text, {
      onOpen(isWhole) {
        isOpen = true
        isRefused = false
        if (!isWhole || isStale) void find()
      },
      onClose() {
        isOpen = false
      },
      onResync: () => void find(),
      onEvent(event) {
        if (finding) events.push(event)
        if (isKnown) take(event)
        if (isStale) meet('rows')
      },
      onError(error) {
        isOpen = false
        isRefused = true
        forget()
        isKnown = false
        isStale = true
        show({ status: 'error', error, isFetching: false })
      },
    })
  }

  /** Where no connection comes about, the query is at least read once. */
  function readAnyway(): void {
    if (!isOver && isStale && !finding && !isRefused) void find()
  }

  let stopListening = listen()
  const waiting = setTimeout(readAnyway, patience)
  const live = liveStates(client)
  const look = () => {
    const { status } = live.get()
    if (!isKnown && (status === 'waiting' || status === 'offline')) readAnyway()
  }
  const stopWatching = live.subscribe(look)
  look()

  return {
    async refetch() {
      if (isRefused) {
        isRefused = false
        stopListening()
        stopListening = listen()
        show({ status: 'pending' })
      } else await find()
    },
    invalidate() {
      if (plan.isPartial || !isOpen) void find()
    },
    stop() {
      isOver = true
      forget()
      clearTimeout(publishing)
      clearTimeout(waiting)
      stopWatching()
      stopListening()
    },
  }
}
