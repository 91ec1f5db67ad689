import { readFileSync } from 'node:fs'
import type { Abi, Hex } from 'viem'

export type Artifact = { abi: Abi; bytecode: Hex }

export type ArtifactName =
  | 'SmartAccount'
  | 'SmartAccountFactory'
  | 'KeyHolder'
  | 'FixedAnswer'
  | 'Reverting'
  | 'GasBurner'
  | 'Coin'
  | 'Collectible'
  | 'Items'
  | 'Shelf'
  | 'Token'
  | 'OldToken'
  | 'Pictures'
  | 'Badges'
  | 'Multicall3'
  | 'NameRegistry'
  | 'NameResolver'
  | 'IdRegistry'
  | 'PairFactory'
  | 'Pair'
  | 'PoolFactory'
  | 'Pool'
  | 'Payer'
  | 'Safe'
  | 'SafeProxyFactory'
  | 'CompatibilityFallbackHandler'
  | 'OffchainAccount'
  | 'Deed'
  | 'BoundAccount'
  | 'BoundAccountRegistry'
  | 'Buyer'
  | 'UndeployedCheck'
  | 'Market'
  | 'MarketFactory'

/** A contract as `compile.mjs` left it. */
export const getArtifact = (name: ArtifactName): Artifact =>
  JSON.parse(readFileSync(new URL(`artifacts/${name}.json`, import.meta.url), 'utf8'))
