import { CountersignError } from '@countersign/protocol'
import { type Coverage, findCoverage } from '../../chain/index/queries/findCoverage.ts'
import type { Chain } from '../../chain/nodes/Chain.ts'
import type { Context } from '../../context/Context.ts'

export type Wanted = { kind: Parameters<typeof findCoverage>[3]; address: string }

/** What the index knows of the first of these that it follows. What it follows not at all it must not answer for. */
export async function needCoverage(context: Context, chain: Chain, wanted: readonly Wanted[]): Promise<Coverage> {
  for (const { kind, address } of wanted) {
    if (kind === 'transactions' && !chain.settings.index?.transactions) continue
    const coverage = await findCoverage(context, chain.id, address, kind)
    if (coverage?.followed) return coverage
  }
  const what = wanted[0]?.kind === 'transactions' ? 'transactions of' : ''
  const details =
    'A node alone cannot answer this. See "index" (mode, contracts, addresses, transactions) of "chains" in docs/configuration.md.'
  const index = chain.settings.index
  if (!index || index.mode === 'off')
    throw new CountersignError('CommandUnavailable', `The chain ${chain.name} is not indexed here.`, { details })
  throw new CountersignError(
    'CommandUnavailable',
    `The index of ${chain.name} does not follow ${what} ${wanted[0]?.address || 'the whole chain'}.`.replace('  ', ' '),
    { details },
  )
}
