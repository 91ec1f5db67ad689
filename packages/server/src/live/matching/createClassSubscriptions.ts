import { valuesAt, type WireFields, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../../classes/ClassSchema.ts'
import type { Place } from '../../queries/Place.ts'
import type { ClassSubscriptions, SubscriptionQuery } from '../Live.ts'
import { createIntervals, type Intervals } from './createIntervals.ts'
import {
  absent,
  chooseEntries,
  comparePoints,
  type Domain,
  type IndexEntry,
  keyOf,
  type Point,
  pointOf,
  present,
  textOf,
} from './indexEntries.ts'

/** Queries that stand at one entry. */
type Bucket = Set<SubscriptionQuery>

/** Buckets by beginning, and how many beginnings have a length. */
type Prefixes = { readonly buckets: Map<string, Bucket>; readonly lengths: Map<number, number> }

/** Buckets of one place in documents. */
type PlaceIndex = {
  readonly place: Place
  readonly byValue: Map<string, Bucket>
  readonly byPrefix: Prefixes
  readonly byFolded: Prefixes
  readonly byRange: Map<Domain, Intervals<Point, Bucket>>
}

/**
 * Queries about a class. The index keys each query by values, prefixes or ranges of which a document must have one to
 * match, so a change costs by the queries that it may concern. The index gives candidates; `matches` decides.
 */
export function createClassSubscriptions(schema: ClassSchema): ClassSubscriptions {
  const queries = new Map<string, SubscriptionQuery>()
  const places = new Map<string, PlaceIndex>()
  const rest: Bucket = new Set()

  const countAt = (entry: IndexEntry) => {
    const index = places.get(keyOfPlace(entry.place))
    return (index && findBucket(index, entry)?.size) ?? 0
  }

  const put = (query: SubscriptionQuery) => {
    query.entries = chooseEntries(query.condition, countAt)
    if (!query.entries) return void rest.add(query)
    for (const entry of query.entries) {
      const key = keyOfPlace(entry.place)
      const index = places.get(key) ?? createPlaceIndex(entry.place)
      places.set(key, index)
      ;(findBucket(index, entry) ?? addBucket(index, entry)).add(query)
    }
  }

  const takeOut = (query: SubscriptionQuery) => {
    if (!query.entries) return void rest.delete(query)
    for (const entry of query.entries) {
      const key = keyOfPlace(entry.place)
      const index = places.get(key)
      const bucket = index && findBucket(index, entry)
      if (!index || !bucket) continue
      bucket.delete(query)
      if (bucket.size === 0) removeBucket(index, entry)
      if (isEmpty(index)) places.delete(key)
    }
  }

  return {
    queries,
    schema,
    get indexedPlaces() {
      return places.size
    },
    add(query) {
      queries.set(query.key, query)
      put(query)
    },
    remove(query) {
      queries.delete(query.key)
      takeOut(query)
    },
    replace(query) {
      takeOut(query)
      put(query)
    },
    candidates(before, after) {
      if (places.size === 0) return rest
      // Buckets first: the elements of a long list may all lead to one with very many queries.
      const buckets = new Set<Bucket>()
      for (const index of places.values()) {
        if (before) collect(index, before, buckets)
        if (after && !isUnchanged(index.place, before, after)) collect(index, after, buckets)
      }
      const found = new Set<SubscriptionQuery>(rest)
      for (const bucket of buckets) for (const query of bucket) found.add(query)
      return found
    },
  }
}

/** The type is part of it: while queries are compiled again, a field may stand there with two types. */
function keyOfPlace({ type, field, path }: Place): string {
  return path.length === 0 ? `${type} ${field}` : `${type} ${field}.${path.join('.')}`
}

function createPlaceIndex(place: Place): PlaceIndex {
  const createPrefixes = () => ({ buckets: new Map(), lengths: new Map() })
  return {
    ...{ place, byValue: new Map(), byPrefix: createPrefixes(), byFolded: createPrefixes(), byRange: new Map() },
  }
}

function isEmpty({ byValue, byPrefix, byFolded, byRange }: PlaceIndex): boolean {
  return byValue.size + byPrefix.buckets.size + byFolded.buckets.size + byRange.size === 0
}

const prefixesOf = ({ byPrefix, byFolded }: PlaceIndex, isFolded: boolean) => (isFolded ? byFolded : byPrefix)

function findBucket(index: PlaceIndex, entry: IndexEntry): Bucket | undefined {
  if (entry.kind === 'value') return index.byValue.get(entry.key)
  if (entry.kind === 'range') return index.byRange.get(entry.domain)?.find(entry)
  return prefixesOf(index, entry.isFolded).buckets.get(entry.text)
}

function addBucket(index: PlaceIndex, entry: IndexEntry): Bucket {
  const { byValue, byRange } = index
  const bucket: Bucket = new Set()
  if (entry.kind === 'value') byValue.set(entry.key, bucket)
  else if (entry.kind === 'prefix') {
    const { buckets, lengths } = prefixesOf(index, entry.isFolded)
    const { length } = entry.text
    buckets.set(entry.text, bucket)
    lengths.set(length, (lengths.get(length) ?? 0) + 1)
  } else {
    const intervals = byRange.get(entry.domain) ?? createIntervals<Point, Bucket>(comparePoints)
    byRange.set(entry.domain, intervals)
    intervals.set(entry, bucket)
  }
  return bucket
}

function removeBucket(index: PlaceIndex, entry: IndexEntry): void {
  const { byValue, byRange } = index
  if (entry.kind === 'value') byValue.delete(entry.key)
  else if (entry.kind === 'prefix') {
    const { buckets, lengths } = prefixesOf(index, entry.isFolded)
    const { length } = entry.text
    const left = (lengths.get(length) ?? 0) - 1
    buckets.delete(entry.text)
    if (left > 0) lengths.set(length, left)
    else lengths.delete(length)
  } else {
    const intervals = byRange.get(entry.domain)
    intervals?.delete(entry)
    if (intervals?.size === 0) byRange.delete(entry.domain)
  }
}

/** Most updates leave most fields as they are. */
function isUnchanged({ field }: Place, before: WireFields | undefined, after: WireFields): boolean {
  const value = Object.hasOwn(after, field) ? after[field] : undefined
  if (!before || (typeof value === 'object' && value !== null)) return false
  return (Object.hasOwn(before, field) ? before[field] : undefined) === value
}

/** Adds the buckets that the values of a document lead to. */
function collect(index: PlaceIndex, object: WireFields, buckets: Set<Bucket>): void {
  const { place, byValue, byPrefix, byFolded, byRange } = index
  const add = (bucket: Bucket | undefined) => {
    if (bucket) buckets.add(bucket)
  }
  if (byValue.size > 0) {
    // Null counts as both: `exists` holds for it, and `hasValue` does not.
    if (Object.hasOwn(object, place.field)) add(byValue.get(present))
    if ((Object.hasOwn(object, place.field) ? object[place.field] : undefined) == null) add(byValue.get(absent))
  }
  const values = valuesAt(place, object)
  if (byValue.size > 0) {
    for (const value of values) {
      const key = keyOf(place, value)
      if (key !== undefined) add(byValue.get(key))
    }
  }
  for (const prefixes of [byPrefix, byFolded]) {
    if (prefixes.buckets.size > 0) collectPrefixes(prefixes, place, values, prefixes === byFolded, add)
  }
  if (values.length === 0) return
  for (const [domain, intervals] of byRange) {
    const [lowest, highest] = extremes(place, domain, values)
    if (lowest !== undefined) intervals.visit(lowest, add)
    if (highest !== undefined && highest !== lowest) intervals.visit(highest, add)
  }
}

function collectPrefixes(
  { buckets, lengths }: Prefixes,
  place: Place,
  values: readonly WireValue[],
  isFolded: boolean,
  add: (bucket: Bucket | undefined) => void,
): void {
  for (const value of values) {
    const text = textOf(place, value, isFolded)
    if (text === undefined) continue
    for (const length of lengths.keys()) if (length <= text.length) add(buckets.get(text.slice(0, length)))
  }
}

/**
 * Least and greatest value. Those two suffice: at a place with several values every range of the index is open to one
 * side.
 */
function extremes(place: Place, domain: Domain, values: readonly WireValue[]): [Point | undefined, Point | undefined] {
  let lowest: Point | undefined
  let highest: Point | undefined
  for (const value of values) {
    const point = pointOf(place, domain, value)
    if (point === undefined) continue
    if (lowest === undefined || comparePoints(point, lowest) < 0) lowest = point
    if (highest === undefined || comparePoints(point, highest) > 0) highest = point
  }
  return [lowest, highest]
}
