import { CountersignError, type ValueHistoryRecord } from '@countersign/protocol'
import { findCoverage } from '../../../chain/index/queries/findCoverage.ts'
import { listTouchedTokens } from '../../../chain/index/queries/listHoldings.ts'
import type { Chain, Hex } from '../../../chain/nodes/Chain.ts'
import { listPastBlocks } from '../../../chain/reads/blocks.ts'
import { getValueAt, type Value } from '../../../chain/reads/prices.ts'
import { answerFromNode } from '../answers.ts'
import { defineChainRead } from '../defineChainRead.ts'
import { describeBlockRef, formatUnits } from '../describe.ts'

export const getValueHistoryEndpoint = defineChainRead('getValueHistory', {
  cost: 20,
  async read({ context, caller, chain, key }, { address: owner, days: back }) {
    const { wrapped, v2, v3 } = chain.contracts
    if (!wrapped || v2.length + v3.length === 0)
      throw new CountersignError(
        'CommandUnavailable',
        `No price is available: no exchange is configured for ${chain.name}.`,
      )
    const coverage = await findCoverage(context, caller, chain.id, owner, 'address')
    const isKnown = Boolean(coverage?.followed)
    const isComplete = isKnown && coverage?.status === 'SYNCED'
    // While older blocks are read, tokens come to light without a new block.
    const kept = isKnown && !isComplete ? undefined : `${key} ${isKnown} ${coverage?.block.hash ?? ''}`
    return answerFromNode(chain, kept, async () => {
      const tokens = isKnown ? ((await listTouchedTokens(context, chain.id, owner, mostTokens)) as Hex[]) : []
      const since = new Date(context.clock.now().getTime() - back * 86_400_000)
      const blocks = await listPastBlocks(chain, { since, count })
      const final = isComplete || !isKnown ? await chain.finalized() : -1
      const values = await Promise.all(
        blocks.map((block) => readValue(chain, { owner, tokens, block, isKnown, final: block <= final })),
      )
      const head = values[values.length - 1] as Value
      const points = values.map(({ block, usd, unpriced }) => ({
        block: describeBlockRef(block),
        usd: formatUnits(usd, 18),
        unpriced,
      }))
      const result: ValueHistoryRecord = { points, complete: isComplete }
      return { block: head.block, result }
    })
  },
})

const count = 24

/** Tokens of one owner that are looked at, at each block: who was sent more than that was sent rubbish. */
const mostTokens = 300

/** Value at a past block, without tokens that were created later. */
async function readValue(
  chain: Chain,
  {
    owner,
    tokens,
    block,
    isKnown,
    final,
  }: { owner: Hex; tokens: Hex[]; block: number; isKnown: boolean; final: boolean },
): Promise<Value> {
  const { value } = await chain.remember(`value ${owner} ${block} ${isKnown}`, async () => ({
    value: await getValueAt(chain, { owner, tokens, block }),
    final,
    size: 300,
  }))
  return value
}
