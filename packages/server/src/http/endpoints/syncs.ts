import { CountersignError } from '@countersign/protocol'
import { listStates, repeatState } from '../../chain/events/computeStates.ts'
import { createSync, deleteSync, listSyncs, repeatSync } from '../../chain/events/syncs.ts'
import { getChains } from '../../chain/nodes/getChains.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { type BuiltInInput, type BuiltInName, defineBuiltIn } from '../defineBuiltIn.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

export const syncEndpoints: Endpoint[] = [
  defineEndpoint('listSyncs', { handle: async ({ context }) => ({ results: await listSyncs(context) }) }),
  defineEndpoint('createSync', {
    location: (output) => {
      const { chain, name } = output as { chain: number; name: string }
      return `/syncs/${chain}/${name}`
    },
    handle: ({ context, input: { chain, ...definition } }) =>
      createSync(context, getChains(context).get(chain), definition),
  }),
  defineEndpoint('deleteSync', {
    handle: ({ context, params: { chain, name } }) => deleteSync(context, getChains(context).get(chain).id, name),
  }),
  defineEndpoint('replaySync', {
    handle: ({ context, params: { chain, name } }) => repeatSync(context, getChains(context).get(chain).id, name),
  }),
  defineEndpoint('listStates', { handle: async ({ context }) => ({ results: await listStates(context) }) }),
  defineEndpoint('replayState', { handle: ({ context, params: { name } }) => repeatState(context, name) }),
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
          `Transfers of the chain ${chain.name} are not kept here. Give it index in the configuration.`,
        )
      }
      await db.query(sql`
        insert into countersign.chain_watched values (${chain.id}, ${address.toLowerCase()}, ${clock.now()})
        on conflict do nothing`)
      return { result: { success: true as const } }
    },
  })
}
