import type { ChainSettings } from '../../config/chainSettings.ts'
import type { BlockRef, RpcCall, Settled } from './Chain.ts'
import { readBlockRef } from './quantities.ts'

export type Head = {
  get(options?: { fresh?: boolean }): Promise<BlockRef>
  known(): BlockRef | undefined
  knownFinalized(): number | undefined
}

type Parts = {
  ask: (calls: RpcCall[]) => Promise<Settled[]>
  settings: Pick<ChainSettings, 'finality' | 'headCacheTtl'>
  usualFinality: number
  onMove: () => void
  /** Called if a finalized block is gone: the node was set up again, or serves another chain with the same id. */
  onRestart: () => void
}

/** Reads the head of the chain, at most once per `headCacheTtl` for all callers. */
export function createHead({ ask, settings, usualFinality, onMove, onRestart }: Parts): Head {
  let head: BlockRef | undefined
  let finalized: number | undefined
  let at = Number.NEGATIVE_INFINITY
  let asking: Promise<BlockRef> | undefined

  const look = async () => {
    const calls: RpcCall[] = [{ method: 'eth_getBlockByNumber', params: ['latest', false] }]
    if (settings.finality === undefined) calls.push({ method: 'eth_getBlockByNumber', params: ['finalized', false] })
    const asked = performance.now()
    const [latest, final] = await ask(calls)
    if (!latest || 'error' in latest) throw latest?.error
    const next = readBlockRef(latest.result)
    const below = Math.max(0, next.number - (settings.finality ?? usualFinality))
    const nextFinalized =
      final && 'result' in final && isBlock(final.result) ? readBlockRef(final.result).number : below
    if (finalized !== undefined && next.number < finalized) {
      finalized = undefined
      onRestart()
    } else if (next.hash !== head?.hash) onMove()
    head = next
    // A node that lags behind another does not make anything less final.
    finalized = Math.max(finalized ?? 0, Math.min(nextFinalized, next.number))
    at = asked
    return next
  }

  return {
    async get({ fresh = false } = {}) {
      if (head && !fresh && performance.now() - at <= settings.headCacheTtl) return head
      // A look that began before this question may have seen less.
      if (fresh && asking) await asking.catch(() => undefined)
      asking ??= look().finally(() => {
        asking = undefined
      })
      return asking
    },
    known: () => head,
    knownFinalized: () => finalized,
  }
}

const isBlock = (result: unknown) => typeof (result as { number?: unknown } | null)?.number === 'string'
