import type { Chain, Hex } from '../../../chain/nodes/Chain.ts'
import { NodeError } from '../../../chain/nodes/NodeError.ts'
import { dateToBlock } from '../../../chain/reads/blocks.ts'
import { getTokenPrices } from '../../../chain/reads/prices.ts'
import { answerFromNode } from '../answers.ts'
import { defineChainRead } from '../defineChainRead.ts'
import { formatUnits } from '../describe.ts'

const day = 86_400_000

/** Prices of a chain's own currency and of tokens, with those of a day before where the node still has that state. */
export const listPriceChangesEndpoint = defineChainRead('listPriceChanges', {
  cost: 10,
  read: ({ context, chain, key }, { tokens: wanted = [] }) =>
    answerFromNode(chain, key, async () => {
      const wrapped = chain.contracts.wrapped as Hex | undefined
      const tokens = [...new Set([...(wrapped ? [wrapped] : []), ...wanted])]
      const [now, before] = await Promise.all([
        getTokenPrices(chain, { tokens }),
        readBefore(chain, tokens, new Date(context.clock.now().getTime() - day)),
      ])
      const describe = (token: Hex, named: { token?: Hex }) => {
        const place = tokens.indexOf(token)
        const [usd, usdBefore] = [now[place]?.usd, before[place]?.usd]
        if (!usd) return []
        const past = usdBefore && { usdBefore: formatUnits(usdBefore.value, usdBefore.decimals) }
        return [{ ...named, usd: formatUnits(usd.value, usd.decimals), ...past }]
      }
      const result = [
        ...(wrapped ? describe(wrapped, {}) : []),
        ...[...new Set(wanted)].flatMap((token) => describe(token, { token })),
      ]
      return { block: await chain.head(), result }
    }),
})

/** Empty if the chain did not exist yet, or its node has forgotten that state. */
async function readBefore(chain: Chain, tokens: readonly Hex[], date: Date) {
  const block = await dateToBlock(chain, date)
  if (block.timestamp * 1000 > date.getTime()) return []
  try {
    return await getTokenPrices(chain, { tokens, block: block.number })
  } catch (error) {
    if (error instanceof NodeError && error.kind === 'missingState') return []
    throw error
  }
}
