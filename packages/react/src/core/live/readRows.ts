import type { WireFields } from '@countersign/protocol'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { isRow } from './createLiveRows.ts'
import type { Row } from './readOrder.ts'
import type { LivePlan } from './readPlan.ts'

/** What the server finds now; of these ids alone, if any are named. */
export async function readRows(
  client: Client,
  { find }: LivePlan,
  signal: AbortSignal,
  ids?: readonly string[],
): Promise<readonly Row[]> {
  const { results } = await request(client, 'findObjects', ids ? narrow(find, ids) : find, { signal })
  return results.filter(isRow)
}

function narrow({ where, ...find }: LivePlan['find'], ids: readonly string[]): LivePlan['find'] {
  const named: WireFields = { objectId: { $in: [...ids] } }
  const { order: _, ...rest } = find
  return { ...rest, limit: ids.length, where: where ? { $and: [where, named] } : named }
}
