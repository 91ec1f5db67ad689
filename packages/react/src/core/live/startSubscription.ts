import type { WireFields } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { readDocument } from '../documents/findDocuments.ts'
import { ValidationError } from '../errors/errors.ts'
import type { LiveEvent } from '../state/LiveWire.ts'
import { openLive, writeLiveQuery } from './openLive.ts'
import type { SubscribeInput } from './SubscribeInput.ts'

/** Joins an application's callbacks to the client's live socket. */
export function startSubscription(client: Client, input: SubscribeInput): () => void {
  const { query, watch } = input
  if (query.include?.length) {
    throw new ValidationError(
      'A subscription cannot include objects',
      'Events contain only pointers. Remove `include` and read the objects yourself, or use useLiveQuery.',
    )
  }
  const left = new Set(query.excludeKeys)
  const read = (object: WireFields) => {
    const fields = Object.entries(object).filter(([name]) => !left.has(name))
    return readDocument<unknown>(query.className, Object.fromEntries(fields))
  }
  let wasOpen = false
  const text = { ...writeLiveQuery(query), ...(watch && { watch: [...watch] }) }
  const end = openLive(client).subscribe(text, {
    onEvent: (event) => notify(input, event, read),
    onOpen(isWhole) {
      input.onOpen?.()
      if (wasOpen && !isWhole) input.onResync?.()
      wasOpen = true
    },
    onClose: () => input.onClose?.(),
    onResync: () => input.onResync?.(),
    onError: (error) => input.onError?.(error),
  })
  const stopWatching = client.initialization.subscribe(() => tellFailure(client, input))
  tellFailure(client, input)
  return () => {
    stopWatching()
    end()
  }
}

function notify(
  input: SubscribeInput,
  { op, object, original }: LiveEvent,
  read: (object: WireFields) => unknown,
): void {
  const before = original && read(original)
  if (op === 'create') input.onCreate?.(read(object))
  else if (op === 'update') input.onUpdate?.(read(object), before)
  else if (op === 'enter') input.onEnter?.(read(object), before)
  else if (op === 'leave') input.onLeave?.(read(object), before)
  else input.onDelete?.(read(object))
}

function tellFailure(client: Client, { onError }: SubscribeInput): void {
  const initialization = client.initialization.get()
  if (initialization.status === 'error') onError?.(initialization.error)
}
