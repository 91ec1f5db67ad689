import { NodeError } from '../../chain/nodes/NodeError.ts'

const failing = new Set(['down', 'busy', 'nonsense'])

/** What makes an answer of the index richer must not take it away: without a node it is undefined. */
export async function unlessDown<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof NodeError && failing.has(error.kind)) return undefined
    throw error
  }
}
