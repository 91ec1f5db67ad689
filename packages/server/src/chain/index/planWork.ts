import { sql } from '../../db/sql.ts'
import { NodeError } from '../nodes/NodeError.ts'
import { type Follower, indexProgress, type Work } from './chainState.ts'

type Target = { kind: Work['kind']; addresses: readonly string[]; syncs?: readonly string[] }

/** Addresses in one question; nodes take no more than so many. */
const mostAddresses = 50

/** From here on, reading every transfer and leaving out what is not wanted is less work than asking for each. */
const manyAddresses = 1_000

const smallestStretch = 1_000

const mostStretches = 32

export type Source = { kind: 'all' | 'contract' | 'address'; address: string }

/** Targets that cover all these sources. */
export function targetsOf(sources: readonly Source[]): Target[] {
  if (sources.some(({ kind }) => kind === 'all')) return [{ kind: 'all', addresses: [] }]
  if (sources.length >= manyAddresses) return [{ kind: 'watched', addresses: [] }]
  return (['contract', 'address'] as const).flatMap((kind) => {
    const addresses = sources.filter((source) => source.kind === kind).map(({ address }) => address)
    return groupsOf(addresses).map((group): Target => ({ kind, addresses: group }))
  })
}

/** Whole blocks are read for transactions, so that all addresses are looked for at once. */
export function transactionTargetsOf({ settings }: Follower, sources: readonly Source[]): Target[] {
  const addresses = sources.filter(({ kind }) => kind === 'address').map(({ address }) => address)
  if (!settings.transactions || addresses.length === 0) return []
  return [{ kind: 'transactions', addresses: addresses.length < manyAddresses ? addresses : [] }]
}

/** Lays down stretches from `first` to `last` for each target, in the open transaction. Any process may take one. */
export async function planWork(
  follower: Follower,
  targets: readonly Target[],
  first: number,
  last: number,
): Promise<void> {
  for (const target of targets) await planStretches(follower, target, first, last)
}

/** The same for one target. */
export async function planStretches(
  { context, chain }: Follower,
  { kind, addresses, syncs = [] }: Target,
  first: number,
  last: number,
): Promise<void> {
  if (last < first) return
  const size = Math.max(smallestStretch, Math.ceil((last - first + 1) / mostStretches))
  await context.db.query(sql`
    insert into countersign.chain_work (chain, kind, addresses, syncs, first, next, last)
    select ${chain.id}, ${kind}, ${addresses}, ${syncs}::text[],
      start, start, least(start + ${size}::bigint - 1, ${last})
    from generate_series(${first}::bigint, ${last}::bigint, ${size}::bigint) as start`)
  context.db.reportChange(indexProgress)
}

export function groupsOf(addresses: string[]): string[][] {
  const groups: string[][] = []
  for (let at = 0; at < addresses.length; at += mostAddresses) groups.push(addresses.slice(at, at + mostAddresses))
  return groups
}

/** Number of blocks in one request for logs. Found by trying: no node states its limit. */
export type Spans = {
  next(): number
  /** Reports a success with the number of logs. */
  answered(span: number, logs: number): void
  /** Reports a failure. Returns true if a shorter range may succeed immediately. */
  failed(span: number, error: unknown): boolean
}

const fewLogs = 5_000

const manyLogs = 20_000

/** `few` and `many` logs of one response: with fewer the next range grows, with more it shrinks. */
export function createSpans({
  first,
  most,
  few = fewLogs,
  many = manyLogs,
}: {
  first: number
  most: number
  few?: number
  many?: number
}): Spans {
  let span = Math.min(first, most)
  let ceiling = most
  return {
    next: () => Math.max(1, Math.floor(span)),
    answered(asked, logs) {
      if (logs > many) {
        span = Math.max(1, asked / 2)
        return
      }
      // A range that was too large once may fit elsewhere on the chain, so the limit rises slowly.
      if (asked >= Math.floor(ceiling)) ceiling = Math.min(most, ceiling * 1.1 + 1)
      if (logs < few && asked >= Math.floor(span)) span = Math.min(span * 2, ceiling)
    },
    failed(asked, error) {
      if (asked <= 1) return false
      // A timeout may mean the same, but also that the node is down.
      ceiling = Math.max(1, asked / 2)
      span = ceiling
      return error instanceof NodeError && error.kind === 'tooMuch'
    },
  }
}
