import { CountersignError } from '@countersign/protocol'
import { createSync } from '../../chain/events/syncs.ts'
import { getChains } from '../../chain/nodes/getChains.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import type { Endpoint } from '../../endpoint/Endpoint.ts'
import { type BuiltInInput, type BuiltInName, defineBuiltIn } from '../../functions/defineBuiltIn.ts'

export const syncEndpoints: Endpoint[] = [
  // The older service's own: scripts and cloud code call them by these names.
  defineBuiltIn('watchContractEvent', {
    handle: async ({ context, input }) => ({ result: await watchContractEvent(context, input) }),
  }),
  watchAddressOf('watchEthAddress', 'eth'),
  watchAddressOf('watchBscAddress', 'bsc'),
  watchAddressOf('watchPolygonAddress', 'polygon'),
]

async function watchContractEvent(
  context: Context,
  { chainId, address, abi, tableName, sync_historical }: BuiltInInput<'watchContractEvent'>,
): Promise<{ success: true }> {
  await createSync(context, getChains(context).get(chainId), {
    class: tableName,
    abi,
    contracts: [address],
    ...(!sync_historical && { startBlock: 'latest' }),
    fields: { olderNames: true },
  })
  return { success: true }
}

function watchAddressOf(name: BuiltInName & `watch${string}Address`, usual: string): Endpoint {
  return defineBuiltIn(name, {
    handle: async ({ context, input: { address, chainId } }) => {
      const { db, clock } = context
      const chain = getChains(context).get(chainId ?? usual)
      if ((chain.settings.index?.mode ?? 'off') === 'off') {
        throw new CountersignError(
          'CommandUnavailable',
          `Transfers on ${chain.name} are not indexed. Set index for this chain in the configuration.`,
        )
      }
      await db.query(sql`
        insert into countersign.chain_watched values (${chain.id}, ${address.toLowerCase()}, ${clock.now()})
        on conflict do nothing`)
      return { result: { success: true as const } }
    },
  })
}
