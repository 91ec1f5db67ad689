import type { LivePosition, WireFields } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { reconnectDelay } from '../live/createReconnectingSocket.ts'
import { openLive } from '../live/openLive.ts'
import { request } from '../session/request.ts'
import type { LiveEvent } from '../state/LiveWire.ts'
import { type ClassState, type Device, keyOf } from './createDevice.ts'
import type { OfflineChange } from './OfflineStore.ts'
import type { QueuedWrite, WritePart } from './QueuedWrite.ts'

type Sync = {
  readonly className: string
  /** Documents that are kept at most. */
  readonly most: number
  readonly onCurrent: (isCurrent: boolean) => void
  readonly onError: (error: unknown) => void
}

const pageSize = 1_000

/**
 * Keeps the documents of a class as the server shows them: all once, then changes by the position of the log. With
 * other rights than before, or after lost events, all are read again and what is not shown any more is removed.
 */
export function syncClass(client: Client, device: Device, { className, most, onCurrent, onError }: Sync): () => void {
  let isOver = false
  let attempts = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  /** Position of events that are stored, or wait to be. */
  let position: LivePosition | undefined = device.stateOf(className)?.position
  let access: string | undefined
  /** Events since a reading began, until it is stored. */
  let waiting: LiveEvent[] | undefined
  let reading: AbortController | undefined

  const inTurn = createTurns(
    () => isOver,
    (error) => fail(error),
  )

  function stateAt(at: LivePosition, isWhole = true): readonly OfflineChange[] {
    return [[keyOf.state(className), { position: at, access, isWhole } satisfies ClassState]]
  }

  function take(event: LiveEvent): void {
    position = event.position ?? position
    const at = position
    if (waiting) waiting.push(event)
    else
      inTurn(() =>
        device.commit(() => [
          ...changesOf(className, event),
          ...markGone(device, className, goneIn([event])),
          ...(at ? stateAt(at, isWhole()) : []),
        ]),
      )
  }

  const isWhole = () => device.stateOf(className)?.isWhole ?? false

  /** Reads everything. Events that arrive during it are applied on top: none of them is older than the reading. */
  async function readAll(): Promise<void> {
    reading?.abort()
    const own = new AbortController()
    reading = own
    waiting = []
    const sent = new Set(device.writes().flatMap(({ key, isSent }) => (isSent ? key : [])))
    onCurrent(false)
    try {
      const rows = await readRows(client, className, most, own.signal)
      inTurn(async () => {
        const kept = new Set(rows.map(({ objectId }) => objectId))
        await device.commit(() => {
          // Another reading has begun, and needs the events for itself.
          if (reading !== own) return []
          const events = waiting ?? []
          waiting = undefined
          const changes = new Map<string, unknown>([
            ...replaceRows(device, className, rows),
            ...events.flatMap((event) => changesOf(className, event)),
            ...markGone(device, className, goneIn(events), (objectId, { key }) => sent.has(key) && !kept.has(objectId)),
            ...(position ? stateAt(position, rows.length < most) : []),
          ])
          return [...changes]
        })
        if (reading !== own) return
        reading = undefined
        attempts = 0
        onCurrent(true)
      })
    } catch (error) {
      if (reading === own && !isOver) fail(error)
    }
  }

  function fail(error: unknown): void {
    waiting ??= []
    onCurrent(false)
    onError(error)
    clearTimeout(retry)
    retry = setTimeout(() => void readAll(), reconnectDelay(++attempts, Math.random))
  }

  const stop = openLive(client).subscribe(
    { className, where: {} },
    {
      onOpen(isResumption, present) {
        const known = device.stateOf(className)
        const isSame = known !== undefined && known.access === present
        access = present
        if (isResumption && isSame && !waiting) onCurrent(true)
        else void readAll()
      },
      onPosition(at) {
        position = at
        if (!waiting)
          inTurn(() =>
            waiting ? Promise.resolve() : device.commit([...stateAt(at, isWhole()), [keyOf.currentAt, Date.now()]]),
          )
      },
      onAccess(present) {
        access = present
        void readAll()
      },
      onResync: () => void readAll(),
      onEvent: take,
      onClose: () => onCurrent(false),
      onError(error) {
        onCurrent(false)
        // Documents that the server refuses to show are removed.
        if (error.code === 119) inTurn(() => device.commit(allGone(device, className)))
        onError(error)
      },
    },
    position,
  )
  return () => {
    isOver = true
    reading?.abort()
    clearTimeout(retry)
    stop()
  }
}

/** Runs commits one after another, in the order of the events. */
function createTurns(isOver: () => boolean, fail: (error: unknown) => void): (work: () => Promise<void>) => void {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    last = last
      .then(() => (isOver() ? undefined : work()))
      .catch((error) => {
        // Changes that could not be stored are read again: later positions must not hide them.
        if (!isOver()) fail(error)
      })
  }
}

/** The rows that were read, and the removal of all others. */
function replaceRows(device: Device, className: string, rows: readonly WireFields[]): readonly OfflineChange[] {
  const read = rows.map((row) => [keyOf.row(className, String(row.objectId)), row] as const)
  const gone = [...device.rowsOf(className).keys()].map(
    (objectId) => [keyOf.row(className, objectId), undefined] as const,
  )
  return [...gone, ...read]
}

function allGone(device: Device, className: string): readonly OfflineChange[] {
  const rows = [...device.rowsOf(className).keys()].map((id) => [keyOf.row(className, id), undefined] as const)
  return [...rows, [keyOf.state(className), undefined]]
}

const isLeaving = ({ op }: LiveEvent) => op === 'leave' || op === 'delete'

function changesOf(className: string, event: LiveEvent): readonly OfflineChange[] {
  const { className: _, __type: __, ...row } = event.object
  return [[keyOf.row(className, String(row.objectId)), isLeaving(event) ? undefined : row]]
}

const goneIn = (events: readonly LiveEvent[]): ReadonlySet<string> =>
  new Set(events.filter(isLeaving).map(({ object }) => String(object.objectId)))

/**
 * Marks own writes whose documents are gone, or may be: the response to a create may come later, and must not bring the
 * document back. If it is still there, its event brings it.
 */
function markGone(
  device: Device,
  className: string,
  gone: ReadonlySet<string>,
  isMissing: (objectId: string, write: QueuedWrite) => boolean = () => false,
): readonly OfflineChange[] {
  const isMarked = (part: WritePart, write: QueuedWrite) => {
    if (part.className !== className) return false
    if (gone.has(part.objectId)) return true
    if (part.kind !== 'create' || !write.isSent) return false
    // The id on the server is not known before the response.
    return isMissing(part.objectId, write) || (gone.size > 0 && device.hasServerIds(className))
  }
  return device.writes().flatMap((write) => {
    if (!write.parts.some((part) => isMarked(part, write))) return []
    const parts = write.parts.map((part) => (isMarked(part, write) ? { ...part, isGone: true } : part))
    return [[keyOf.write(write.key), { ...write, parts }] as const]
  })
}

async function readRows(
  client: Client,
  className: string,
  most: number,
  signal: AbortSignal,
): Promise<readonly (WireFields & { objectId: string })[]> {
  const rows: (WireFields & { objectId: string })[] = []
  for (;;) {
    const after = rows.at(-1)?.objectId
    const limit = Math.min(pageSize, most - rows.length)
    const where: WireFields = after === undefined ? {} : { objectId: { $gt: after } }
    const { results } = await request(client, 'findObjects', { className, where, order: 'objectId', limit }, { signal })
    for (const { className: _, __type: __, ...row } of results as WireFields[])
      rows.push(row as WireFields & { objectId: string })
    if (results.length < limit || rows.length >= most) return rows
  }
}
