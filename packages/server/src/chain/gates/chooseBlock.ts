import type { Context } from '../../context/Context.ts'
import type { Chain } from '../nodes/Chain.ts'

/** An index that is further behind is not waited for. */
const mostBehind = 16

/**
 * The block that holdings are read at: the newest that the indexer has read, so that it tells of whatever comes after,
 * a block that is undone among it. The head, where the chain is not followed.
 */
export async function chooseBlock({ db }: Context, chain: Chain): Promise<number> {
  const head = await chain.head({ fresh: true })
  const [state] = await db.query<{ tip: number }>({
    text: 'select tip from countersign.chain_state where chain = $1',
    values: [chain.id],
  })
  if (!state || state.tip > head.number || head.number - state.tip > mostBehind) return head.number
  return state.tip
}
