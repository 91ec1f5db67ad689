import { CountersignError } from '@countersign/protocol'
import { count } from '../../core/documents/count.ts'
import { findPages } from '../../core/documents/findPages.ts'
import { readDocument } from '../../core/documents/readDocument.ts'
import { writeQuery } from '../../core/documents/writeQuery.ts'
import { request } from '../../core/request.ts'
import type { Loose } from '../Loose.ts'
import type { MoralisObject } from './MoralisObject.ts'
import { openSubscription } from './openSubscription.ts'
import type { ParseKit } from './ParseKit.ts'
import { wrapValue } from './wrapValue.ts'

type Asking = { _toQuery(): Loose; readonly _withCount: boolean }
type Each = (object: MoralisObject) => PromiseLike<void> | void
type EachOf<Result> = (object: MoralisObject, index: number, query: Asking) => Result

/** An array; or, where the query wants it, with the number of all. */
async function find(kit: ParseKit, query: Asking): Promise<Loose> {
  const asked = query._toQuery()
  const input = { ...writeQuery(asked), ...(query._withCount && { count: 1 as const }) }
  const answer = await request(kit.client, 'findObjects', input)
  const results = answer.results.map((one) => wrapValue(kit, readDocument(asked.className, one)))
  return query._withCount ? { results, count: answer.count } : results
}

async function first(kit: ParseKit, query: Asking): Promise<MoralisObject | undefined> {
  const [found] = await find(kit, { _toQuery: () => ({ ...query._toQuery(), limit: 1 }), _withCount: false })
  return found
}

async function get(kit: ParseKit, query: Asking, objectId: string): Promise<MoralisObject> {
  const { where, ...options } = query._toQuery()
  const asked = { ...options, where: { ...where, objectId } }
  const found = await first(kit, { _toQuery: () => asked, _withCount: false })
  if (found) return found
  throw new CountersignError('ObjectNotFound', 'Object not found.')
}

/** One object after another, however many there are. */
async function each(kit: ParseKit, query: Asking, callback: Each): Promise<void> {
  for await (const page of findPages(kit.client, query._toQuery())) {
    for (const document of page) await callback(wrapValue(kit, document))
  }
}

async function findAll(kit: ParseKit, query: Asking): Promise<MoralisObject[]> {
  const all: MoralisObject[] = []
  await each(kit, query, (object) => void all.push(object))
  return all
}

/** What a query of the older SDK does once its conditions are said. */
export const queryActs = {
  find,
  first,
  get,
  each,
  findAll,
  async count({ client }: ParseKit, query: Asking): Promise<number> {
    return (await count(client, query._toQuery(), { throwOnError: true })) ?? 0
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
