import { CountersignError } from '@countersign/protocol'
import type { Logger } from 'pino'
import type { SolanaSettings } from '../../config/solanaSettings.ts'
import type { Context } from '../../context/Context.ts'
import { createBucket, type PostedText, postText } from '../nodes/createNode.ts'
import { createRedactor } from '../nodes/createRedactor.ts'

export type SolanaNetworkName = 'mainnet' | 'devnet'

/** A Solana network and all its nodes, behind one interface. */
export type SolanaNetwork = {
  name: SolanaNetworkName
  /**
   * Asks one node, and the next if it fails. A repeat within a moment is served from memory. `read` checks the
   * response: if it throws, the node counts as failed.
   */
  request<Value>(
    method: string,
    params: readonly unknown[],
    read: (value: unknown) => Value,
  ): Promise<SolanaAnswer<Value>>
  /** Cache of mints, which seldom change. */
  mints: Map<string, { details: MintDetails | undefined; until: number }>
}

export type SolanaAnswer<Value> = { value: Value; place: Place }

/** Slot that a result is valid for, and its source. */
export type Place = { slot: number; source: 'node' | 'cache' }

/** Metadata of a mint: Metaplex, or the mint itself with Token-2022. */
export type MintDetails = {
  standard: 'metaplex' | 'token-2022'
  name: string
  symbol: string
  uri: string
  updateAuthority: string | undefined
  /** The rest is of Metaplex alone. */
  sellerFeeBasisPoints?: number
  primarySaleHappened?: boolean
  isMutable?: boolean
  /** Says that the mint is a currency, however little of it somebody holds. */
  isFungible?: boolean
  creators?: { address: string; verified: boolean; share: number }[]
  collection?: { address: string; verified: boolean }
}

/** Nodes of the foundation that anyone may ask, a little. */
const publicNodes: Record<SolanaNetworkName, string> = {
  mainnet: 'https://api.mainnet-beta.solana.com',
  devnet: 'https://api.devnet.solana.com',
}

const aliases: Record<string, SolanaNetworkName> = { mainnet: 'mainnet', 'mainnet-beta': 'mainnet', devnet: 'devnet' }

declare module '../../context/Context.ts' {
  interface Services {
    solana?: Map<SolanaNetworkName, SolanaNetwork>
  }
}

/** A network of Solana by its name. One of each a server, so that all who ask share its limits. */
export function getSolana(context: Context, network: unknown): SolanaNetwork {
  const name = typeof network === 'string' && Object.hasOwn(aliases, network) ? aliases[network] : undefined
  if (!name) throw new CountersignError('InvalidValue', 'network must be mainnet or devnet.')
  context.services.solana ??= new Map()
  const networks = context.services.solana
  const found = networks.get(name)
  if (found) return found
  const settings = context.config.solana[name]
  const urls = settings.rpcUrls.length > 0 || !context.config.usePublicNodes ? settings.rpcUrls : [publicNodes[name]]
  if (urls.length === 0) throw noNode(name)
  const made = createSolanaNetwork({ name, settings, urls, log: context.log })
  networks.set(name, made)
  return made
}

const largest = 32 * 1024 * 1024

type Parts = { name: SolanaNetworkName; settings: SolanaSettings; urls: readonly string[]; log: Logger }

const mostAnswers = 2_000

/** Milliseconds that a node which failed is passed over, unless no other is left. */
const rest = 5_000

type Read<Value> = { value: Value; slot: number }

const fromSource = <Value>({ value, slot }: Read<Value>, source: Place['source']) => ({
  value,
  place: { slot, source },
})

/** Errors that another node may not have: it is behind, too busy, or lacks the data. */
const passing = new Set([-32001, -32004, -32005, -32007, -32009, -32010, -32014, -32015, -32016, -32601])

function createSolanaNetwork({ name, settings, urls, log }: Parts): SolanaNetwork {
  const nodes = urls.map((url) => ({
    url,
    redact: createRedactor(url),
    bucket: createBucket(settings.requestsPerSecond),
    restsUntil: 0,
  }))
  const answers = new Map<string, { result: Promise<Read<unknown>>; until: number }>()

  async function ask<Value>(
    method: string,
    params: readonly unknown[],
    read: (value: unknown) => Value,
  ): Promise<Read<Value>> {
    const now = performance.now()
    const inTurn = [...nodes].sort((a, b) => Number(a.restsUntil > now) - Number(b.restsUntil > now))
    let last: CountersignError | undefined
    for (const node of inTurn) {
      if (!(await node.bucket.take(1, settings.timeout))) {
        last = busy()
        continue
      }
      try {
        const { status, retryAfter, body } = await askSolana(node.url, method, params, settings.timeout)
        if (status === 429) {
          node.bucket.cut(retryAfter ?? 1_000)
          last = busy()
          continue
        }
        const { result, error } = (body ?? {}) as { result?: unknown; error?: { code?: number; message?: unknown } }
        if (error) {
          last = readError(error, method, node.redact)
          if (passing.has(error.code ?? 0)) continue
          throw last
        }
        if (result === undefined) throw new Error(`the response is not JSON-RPC (status ${status})`)
        const { context, value } = (result ?? {}) as { context?: { slot?: unknown } | null; value?: unknown }
        const slot = context?.slot
        if (!Number.isSafeInteger(slot)) throw new Error(`invalid response to ${method}`)
        return { value: read(value), slot: slot as number }
      } catch (error) {
        if (error instanceof CountersignError) throw error
        node.restsUntil = performance.now() + rest
        log.warn({ err: error, network: `solana ${name}`, host: new URL(node.url).host }, 'a node failed')
        last ??= new CountersignError('ConnectionFailed', `No Solana node (${name}) is responding. Try again later.`, {
          reason: 'nodeUnavailable',
        })
      }
    }
    throw last ?? noNode(name)
  }

  return {
    name,
    mints: new Map(),
    async request<Value>(method: string, params: readonly unknown[], read: (value: unknown) => Value) {
      const key = `${method} ${JSON.stringify(params)}`
      const now = performance.now()
      const known = answers.get(key) as { result: Promise<Read<Value>>; until: number } | undefined
      if (known && known.until > now) return fromSource(await known.result, 'cache')
      const result = ask(method, params, read)
      answers.delete(key)
      answers.set(key, { result, until: now + settings.cacheTtl })
      // A failure is returned only to current callers, and not cached.
      result.catch(() => answers.get(key)?.result === result && answers.delete(key))
      // Sorted by age. Responses may have many megabytes: expired ones are dropped immediately.
      for (const [oldest, { until }] of answers) {
        if (until > now && answers.size <= mostAnswers) break
        answers.delete(oldest)
      }
      return fromSource(await result, 'node')
    },
  }
}

function noNode(name: string): CountersignError {
  return new CountersignError('CommandUnavailable', `No Solana node (${name}) is configured.`, {
    details: `Add rpcUrls to "solana.${name}"; see docs/solana.md.`,
  })
}

const busy = () =>
  new CountersignError('ConnectionFailed', 'The Solana nodes are too busy. Try again in a moment.', {
    reason: 'nodeBusy',
  })

function readError(
  { code, message }: { code?: number; message?: unknown },
  method: string,
  redact: (text: string) => string,
): CountersignError {
  const said = typeof message === 'string' ? redact(message).slice(0, 300) : 'no reason given'
  if (code === -32601 || code === -32010) {
    return new CountersignError('CommandUnavailable', 'No configured Solana node supports this request.', {
      details: `Method: ${method}. The node said: ${said}`,
    })
  }
  return new CountersignError('OtherCause', `The Solana node rejected the request: ${said}`)
}

type RpcAnswer = Omit<PostedText, 'text'> & { body: unknown }

/** Asks one node. Numbers that a double cannot hold, such as great balances, come as texts. */
async function askSolana(url: string, method: string, params: readonly unknown[], timeout: number): Promise<RpcAnswer> {
  const { text, ...rest } = await postText(url, { jsonrpc: '2.0', id: 1, method, params }, timeout, largest)
  return { ...rest, body: readJson(text) }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/("(?:value|lamports)"\s*:\s*)(\d{16,})/g, '$1"$2"'))
  } catch {
    return undefined
  }
}
