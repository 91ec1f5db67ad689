import { CountersignError } from '@countersign/protocol'
import { readDocument, writeQuery } from '@countersign/react/adapter'
import {
  countDocuments,
  findDocumentPages,
  type Query,
  request,
  subscribeToDocuments,
  watchDocuments,
} from '@countersign/react/core'
import type { Loose } from '../Loose.ts'
import type { MoralisObject, MoralisQuery, MoralisSubscription } from './MoralisObject.ts'
import type { ParseKit } from './ParseKit.ts'
import type { UseSubscriptionOptions } from './SubscriptionOptions.ts'
import { wrapValue } from './wrapValue.ts'

type Asking = { _toQuery(): Loose; readonly _withCount: boolean; readonly _isLocal: boolean }
type Each = (object: MoralisObject) => PromiseLike<void> | void
type EachOf<Result> = (object: MoralisObject, index: number, query: Asking) => Result

/** An array; or, where the query wants it, with the number of all. */
async function find(kit: ParseKit, query: Asking): Promise<Loose> {
  const asked = query._toQuery()
  if (query._isLocal) return findLocally(kit, query)
  const input = { ...writeQuery(asked), ...(query._withCount && { count: 1 as const }) }
  const answer = await request(kit.client, 'findObjects', input)
  const results = answer.results.map((one) => wrapValue(kit, readDocument(asked.className, one)))
  return query._withCount ? { results, count: answer.count } : results
}

/** As many as the device keeps of a class. */
const mostKept = 10_000

/** Documents on the device, which the session layer keeps current. */
async function findLocally(kit: ParseKit, query: Asking): Promise<Loose> {
  const asked = query._toQuery()
  const results = (await readLocally(kit, asked)).map((one) => wrapValue(kit, one))
  if (!query._withCount) return results
  return { results, count: (await readLocally(kit, { ...asked, skip: 0, limit: mostKept })).length }
}

function readLocally({ client }: ParseKit, asked: Loose): Promise<readonly unknown[]> {
  const source = watchDocuments(client, asked)
  return new Promise((resolve, reject) => {
    let stop: (() => void) | undefined
    const look = () => {
      const { data, error } = source.get()
      if (!data && !error) return
      // The first look may come before the subscription is known.
      queueMicrotask(() => stop?.())
      if (data) resolve(data as readonly unknown[])
      else reject(error)
    }
    stop = source.subscribe(look)
    look()
  })
}

async function first(kit: ParseKit, query: Asking): Promise<MoralisObject | undefined> {
  const { _isLocal } = query
  const [found] = await find(kit, { _toQuery: () => ({ ...query._toQuery(), limit: 1 }), _withCount: false, _isLocal })
  return found
}

async function get(kit: ParseKit, query: Asking, objectId: string): Promise<MoralisObject> {
  const { where, ...options } = query._toQuery()
  const asked = { ...options, where: { ...where, objectId } }
  const found = await first(kit, { _toQuery: () => asked, _withCount: false, _isLocal: query._isLocal })
  if (found) return found
  throw new CountersignError('ObjectNotFound', 'Object not found.')
}

/** One object after another, however many there are. */
async function each(kit: ParseKit, query: Asking, callback: Each): Promise<void> {
  if (query._isLocal) {
    for (const one of await readLocally(kit, { ...query._toQuery(), limit: mostKept }))
      await callback(wrapValue(kit, one))
    return
  }
  for await (const page of findDocumentPages(kit.client, query._toQuery())) {
    for (const document of page) await callback(wrapValue(kit, document))
  }
}

async function findAll(kit: ParseKit, query: Asking): Promise<MoralisObject[]> {
  const all: MoralisObject[] = []
  await each(kit, query, (object) => void all.push(object))
  return all
}

/** Methods that run a query of the older SDK. */
export const queryActs = {
  find,
  first,
  get,
  each,
  findAll,
  async count(kit: ParseKit, query: Asking): Promise<number> {
    const { client } = kit
    if (query._isLocal) return (await readLocally(kit, { ...query._toQuery(), skip: 0, limit: mostKept })).length
    return (await countDocuments(client, query._toQuery())) ?? 0
  },
  async map(kit: ParseKit, query: Asking, callback: EachOf<Loose>): Promise<Loose[]> {
    const answers: Loose[] = []
    await each(kit, query, async (object) => void answers.push(await callback(object, answers.length, query)))
    return answers
  },
  async filter(kit: ParseKit, query: Asking, callback: EachOf<Loose>): Promise<MoralisObject[]> {
    const all = await findAll(kit, query)
    const wanted = await Promise.all(all.map((object, index) => callback(object, index, query)))
    return all.filter((_, index) => wanted[index])
  },
  async reduce(
    kit: ParseKit,
    query: Asking,
    callback: (before: Loose, object: MoralisObject, index: number) => Loose,
    initial: Loose,
  ): Promise<Loose> {
    let value = initial
    let index = 0
    await each(kit, query, async (object) => {
      value = await callback(value, object, index++)
    })
    return value
  },
  async subscribe(kit: ParseKit, query: Asking): Promise<Loose> {
    return openSubscription(kit, query._toQuery())
  },
}

/** A subscription as the older SDK had it; settled once the server accepted or refused it. */
function openSubscription(kit: ParseKit, query: Query<string, unknown>): Promise<MoralisSubscription> {
  const listeners = new Map<string, Set<(...args: Loose[]) => void>>()
  const emit = (event: string, ...args: unknown[]) => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(...args)
  }
  const forward = (event: string) => (object: unknown, original?: unknown) =>
    emit(event, wrapValue(kit, object), original && wrapValue(kit, original))
  // Events carry pointers alone, whatever the query would include; the older SDK said nothing of it.
  const { include: _, ...followed } = query
  return new Promise((resolve, reject) => {
    const stop = subscribeToDocuments(kit.client, {
      query: followed,
      onCreate: forward('create'),
      onUpdate: forward('update'),
      onEnter: forward('enter'),
      onLeave: forward('leave'),
      onDelete: forward('delete'),
      onResync: () => emit('resync'),
      onClose: () => emit('close'),
      onOpen() {
        resolve(subscription)
        emit('open')
      },
      onError(error) {
        reject(error)
        emit('error', error)
      },
    })
    const subscription: MoralisSubscription = {
      on(event, listener) {
        listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
        return subscription
      },
      off(event, listener) {
        listeners.get(event)?.delete(listener)
        return subscription
      },
      async unsubscribe() {
        stop()
        listeners.clear()
      },
    }
  })
}

const handlers = {
  create: 'onCreate',
  update: 'onUpdate',
  enter: 'onEnter',
  leave: 'onLeave',
  delete: 'onDelete',
} as const

/** Notifies the callbacks that `find` returns at the time of each event. */
export async function followQuery(
  query: MoralisQuery,
  find: () => UseSubscriptionOptions,
): Promise<MoralisSubscription | undefined> {
  try {
    const subscription = await query.subscribe()
    find().onResync?.()
    subscription.on('resync', () => find().onResync?.())
    for (const [event, name] of Object.entries(handlers)) {
      subscription.on(event, (entity) => find()[name]?.(entity))
    }
    return subscription
  } catch (error) {
    find().onError?.(error as Error)
    return undefined
  }
}
