import type fc from 'fast-check'
import type { Pool } from './createPool.ts'
import type { QueryTrees } from './queryTrees.ts'

/** Values that generators share. */
export type Vocabulary = {
  pool: Pool
  trees: QueryTrees
  /** Made on the first use. */
  byName?: Record<string, fc.Arbitrary<unknown>>
}
