import { useMemo, useRef } from 'react'
import type { Attributes } from '../Loose.ts'
import type { MoralisObject, MoralisQuery } from '../parse/MoralisObject.ts'
import { useMoralis } from './useMoralis.ts'
import { useMoralisSubscription } from './useMoralisSubscription.ts'
import { type ResolveCall, type UseResolveCallOptions, useResolveCall } from './useResolveCall.ts'

export type OnLiveHandler<Entity extends Attributes = Attributes> = (
  entity: MoralisObject<Entity>,
  all: MoralisObject<Entity>[],
) => MoralisObject<Entity>[]

export type UseMoralisQueryOptions<Entity extends Attributes = Attributes> = UseResolveCallOptions & {
  live?: boolean
  onLiveCreate?: OnLiveHandler<Entity>
  onLiveEnter?: OnLiveHandler<Entity>
  onLiveLeave?: OnLiveHandler<Entity>
  onLiveUpdate?: OnLiveHandler<Entity>
  onLiveDelete?: OnLiveHandler<Entity>
}

type Event = 'Create' | 'Enter' | 'Update' | 'Leave' | 'Delete'
type Found<Entity extends Attributes> = MoralisObject<Entity>[]

/**
 * Finds objects, automatically unless `autoFetch` is false, and again when `dependencies` change; with `live`, the list
 * stays current.
 *
 * @example
 * const { data, isLoading } = useMoralisQuery('Game', (query) => query.descending('score').limit(10), [], { live: true })
 */
export function useMoralisQuery<Entity extends Attributes = Attributes>(
  nameOrObject: string | MoralisObject,
  queryMap: (query: MoralisQuery<MoralisObject<Entity>>) => MoralisQuery<MoralisObject<Entity>> = (query) => query,
  dependencies: unknown[] = [],
  options: UseMoralisQueryOptions<Entity> = {},
): Omit<ResolveCall<Found<Entity>, object>, 'setData'> {
  const { Moralis, isInitialized } = useMoralis()
  const { autoFetch = true, live = false } = options
  const version = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: name and map are read again when the caller's own list says so
  const { query, key } = useMemo(() => {
    version.current++
    return { query: queryMap(new Moralis.Query<MoralisObject<Entity>>(nameOrObject)), key: version.current }
  }, [Moralis, ...dependencies])

  const { setData, ...rest } = useResolveCall<Found<Entity>, object>({
    call: () => query.find(),
    initialData: [],
    autoFetch,
    isReady: isInitialized,
    key,
  })

  const follow = (event: Event) => (entity: MoralisObject) =>
    setData((all) => (options[`onLive${event}`] ?? usual[event])(entity as MoralisObject<Entity>, all))
  useMoralisSubscription<Entity>(nameOrObject, queryMap, [Moralis, ...dependencies], {
    enabled: live,
    // No event was sent for changes between the first response and the subscription.
    onResync: () => autoFetch && void rest.fetch(),
    ...Object.fromEntries(events.map((event) => [`on${event}`, follow(event)])),
  })
  return rest
}

/** In its place, or at the end: an event that comes twice changes nothing. */
function put<Entity extends Attributes>(entity: MoralisObject<Entity>, all: Found<Entity>): Found<Entity> {
  if (!all.some(({ id }) => id === entity.id)) return [...all, entity]
  return all.map((one) => (one.id === entity.id ? entity : one))
}

function drop<Entity extends Attributes>(entity: MoralisObject<Entity>, all: Found<Entity>): Found<Entity> {
  return all.filter(({ id }) => id !== entity.id)
}

const usual: Record<Event, typeof put> = { Create: put, Enter: put, Update: put, Leave: drop, Delete: drop }
const events = Object.keys(usual) as Event[]
