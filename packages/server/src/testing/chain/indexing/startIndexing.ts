import { startIndexer } from '../../../chain/index/startIndexer.ts'
import type { Chains } from '../../../chain/nodes/Chain.ts'
import { createChains } from '../../../chain/nodes/getChains.ts'
import type { ConfigInput } from '../../../config/Config.ts'
import { readConfig } from '../../../config/readConfig.ts'
import type { Context } from '../../../context/Context.ts'
import { closeContext, createContext } from '../../../context/createContext.ts'
import { createLogger } from '../../../log/createLogger.ts'
import { openTestDatabase, type TestDatabase } from '../../openTestDatabase.ts'
import type { Chain } from '../Chain.ts'

export type Indexing = { context: Context; chains: Chains; logs: string[]; stop(): Promise<void> }

type ChainInput = NonNullable<ConfigInput['chains']>[number]
type Index = NonNullable<ChainInput['index']>
type Options = Omit<ConfigInput, 'chains'> & { shared?: TestDatabase; events?: NonNullable<ChainInput['events']> }

/** The indexer alone, without HTTP, on a fresh database or on a given one. */
export async function startIndexing(
  chain: Chain,
  index: Index,
  { shared, events = [], ...config }: Options = {},
): Promise<Indexing> {
  const database = shared ?? (await openTestDatabase({ template: 'migrated' }))
  const logs: string[] = []
  const node = { id: chain.chainId, rpcUrls: [chain.url], headCacheTtl: 0, requestsPerSecond: 10_000, timeout: 3_000 }
  const flags = { ...config, chains: [{ ...node, index: { pollInterval: 50, ...index }, events }] }
  const options = {
    config: await readConfig({ environment: {}, folder: '/nonexistent', flags }),
    log: createLogger('info', { write: (line: string) => void logs.push(line) }),
    db: database.db,
  }
  const context = await createContext(options)
  const chains = createChains(context)
  try {
    const indexer = await startIndexer(context, chains)
    const stop = async () => {
      await indexer.stop()
      await closeContext(context, options)
      if (!shared) await database.close()
    }
    return { context, chains, logs, stop }
  } catch (error) {
    await closeContext(context, options)
    if (!shared) await database.close()
    throw error
  }
}
