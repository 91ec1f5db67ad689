import type { Context } from '../../context/Context.ts'
import { createTurnstile, type Turnstile } from '../../context/createTurnstile.ts'
import type { Chain } from '../nodes/Chain.ts'
import type { Nft } from './NftRecord.ts'

/** What a server fetches of metadata, and what waits for it. */
export type Fetcher = {
  slot: Turnstile
  signal: AbortSignal
  /** By chain, contract and id. */
  waiting: Map<string, { chain: Chain; nft: Nft }>
  underWay: Map<string, Promise<void>>
  draining: boolean
}

type Held = Fetcher & { control: AbortController }

const fetchers = new WeakMap<Context, Held>()

/** The one fetcher of a server, so that all who ask share its limits. */
export function getFetcher(context: Context): Fetcher {
  const known = fetchers.get(context)
  if (known) return known
  const control = new AbortController()
  const fetcher = {
    control,
    signal: control.signal,
    slot: createTurnstile(context.config.nft.concurrency),
    waiting: new Map(),
    underWay: new Map(),
    draining: false,
  }
  fetchers.set(context, fetcher)
  return fetcher
}

/** Fetches nothing more: the server stops. */
export function endFetcher(context: Context): void {
  const fetcher = fetchers.get(context)
  fetcher?.waiting.clear()
  fetcher?.control.abort(new Error('The server stops.'))
}
