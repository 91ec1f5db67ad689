import type { Context } from '../../context/Context.ts'
import type { Chains } from './Chains.ts'
import { createChains } from './createChains.ts'

const known = new WeakMap<Context, Chains>()

/** The chains of a server: one set, so that all who ask share connections, limits and what is remembered. */
export function getChains(context: Context): Chains {
  const chains = known.get(context) ?? createChains(context)
  known.set(context, chains)
  return chains
}
