import { CountersignError } from '@countersign/protocol'
import { type ChainSettings, chainSchema } from '../../config/chainSettings.ts'
import type { Context } from '../../context/Context.ts'
import type { Chain, Chains } from './Chain.ts'
import { type ChainParts, createChain } from './createChain.ts'
import { type ChainContracts, type KnownChain, knownChains, multicall3 } from './knownChains.ts'

/** Requests per second to a public node, which everyone shares. */
const publicRate = 25

declare module '../../context/Context.ts' {
  interface Services {
    chains?: Chains
  }
}

/** Chains of a server: shared, so that all callers share connections, limits and caches. */
export function getChains(context: Context): Chains {
  context.services.chains ??= createChains(context)
  return context.services.chains
}

/** Chains with a node: the operator's, and well-known ones by public nodes if allowed. */
export function createChains({ config, log }: Pick<Context, 'config' | 'log'>): Chains {
  const chains: Chain[] = []
  for (const settings of config.chains) {
    const known = knownChains.find(({ id }) => id === settings.id)
    const urls = settings.rpcUrls.length > 0 || !config.usePublicNodes ? settings.rpcUrls : (known?.publicNodes ?? [])
    if (urls.length > 0) chains.push(createChain({ ...describe(settings, known), urls, log }))
  }
  if (config.usePublicNodes)
    for (const known of knownChains) {
      if (known.publicNodes.length === 0 || config.chains.some(({ id }) => id === known.id)) continue
      const settings = chainSchema.parse({ id: known.id, requestsPerSecond: publicRate, headCacheTtl: 4_000 })
      chains.push(createChain({ ...describe(settings, known), urls: known.publicNodes, log }))
    }

  const byName = new Map<string, Chain>()
  for (const chain of chains)
    for (const name of [chain.name, ...chain.aliases, String(chain.id)])
      if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), chain)

  const find = (chain: string | number) => byName.get(nameOf(chain))

  return {
    find,
    get(chain) {
      const found = find(chain)
      if (found) return found
      const name = nameOf(chain)
      const known = [...knownChains, ...config.chains].find(({ id, name: own, aliases }) =>
        [own, ...aliases, String(id)].some((each) => each?.toLowerCase() === name),
      )
      if (known)
        throw new CountersignError(
          'CommandUnavailable',
          `No node is configured for ${known.name ?? `chain ${known.id}`}.`,
          {
            details: `Add { id: ${known.id}, rpcUrls: [...] } to "chains"; see docs/configuration.md.`,
          },
        )
      const names = chains.map((each) => each.name).join(', ')
      throw new CountersignError(
        'InvalidValue',
        `This server has no chain ${JSON.stringify(String(chain).slice(0, 60))}.`,
        {
          details: names
            ? `Chains: ${names}; or their id, decimal or hex.`
            : 'No chain has a node; see "chains" in docs/configuration.md.',
        },
      )
    },
    all: () => chains,
  }
}

/** Names in any case and with spaces around them, ids as number, decimal or hex. */
function nameOf(chain: string | number): string {
  const name = String(chain).trim().toLowerCase()
  return /^0x[0-9a-f]{1,13}$/.test(name) ? String(Number(name)) : name
}

function describe(settings: ChainSettings, known: KnownChain | undefined): Omit<ChainParts, 'urls' | 'log'> {
  const names = [...settings.aliases, ...(known ? [known.name, ...known.aliases] : [])]
  const name = settings.name ?? known?.name ?? `chain ${settings.id}`
  return {
    id: settings.id,
    name,
    aliases: [...new Set(names)].filter((alias) => alias !== name),
    nativeCurrency: settings.nativeCurrency ?? known?.nativeCurrency ?? { name: 'Ether', symbol: 'ETH', decimals: 18 },
    explorer: settings.explorer ?? known?.explorer,
    contracts: contractsOf(settings, known),
    usualFinality: known?.finality ?? 64,
    settings,
  }
}

function contractsOf({ contracts }: ChainSettings, known: KnownChain | undefined): ChainContracts {
  const lower = (address: string | undefined) => address?.toLowerCase()
  // The same address on hundreds of chains; where it is empty, calls go one by one.
  const usual = known ? known.contracts?.multicall : multicall3
  const multicall = contracts.multicall === false ? undefined : lower(contracts.multicall ?? usual)
  const ensRegistry = lower(contracts.ensRegistry ?? known?.contracts?.ensRegistry)
  const wrapped = lower(contracts.wrapped ?? known?.contracts?.wrapped)
  const exchanges = (of: 'v2' | 'v3') =>
    (contracts[of] ?? known?.contracts?.[of] ?? []).map(({ name, factory }) => ({
      name,
      factory: factory.toLowerCase(),
    }))
  return {
    ...(multicall && { multicall }),
    ...(ensRegistry && { ensRegistry }),
    ...(wrapped && { wrapped }),
    v2: exchanges('v2'),
    v3: exchanges('v3'),
    stablecoins: (contracts.stablecoins ?? known?.contracts?.stablecoins ?? []).map((address) => address.toLowerCase()),
  }
}
