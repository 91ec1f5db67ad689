import { setImmediate } from 'node:timers/promises'
import { plainText } from '../reads/plainText.ts'
import { decodeMetaplex } from './decodeMetaplex.ts'
import { deriveAddress, metaplexProgram } from './deriveAddress.ts'
import { readList } from './listSolanaTokens.ts'
import type { MintDetails, SolanaNetwork } from './Solana.ts'

/** What one getMultipleAccounts takes. */
const atOnce = 100
const mostKept = 20_000
const keptFor = 600_000
/** An address full of tokens that nobody asked for must not cost thousands of questions: the rest is without names. */
const mostMints = 2_000

type Account = { data?: unknown; owner?: unknown } | null
type ParsedMint = { data?: { parsed?: { info?: { extensions?: unknown } } } } | null
type Extension = { extension?: unknown; state?: unknown } | null

/** What is said of mints, by mint: by Metaplex, else by the mint itself where it is of Token-2022. */
export async function readMints(
  network: SolanaNetwork,
  mints: readonly { mint: string; isToken2022: boolean }[],
): Promise<Map<string, MintDetails>> {
  const wanted = new Map(mints.slice(0, mostMints).map(({ mint, isToken2022 }) => [mint, isToken2022]))
  const now = performance.now()
  const unknown = [...wanted.keys()].filter((mint) => (network.mints.get(mint)?.until ?? 0) <= now)
  for (let from = 0; from < unknown.length; from += atOnce) {
    const chunk = unknown.slice(from, from + atOnce)
    const found = await readChunk(network, chunk, wanted)
    for (const mint of chunk) {
      // The oldest goes first, and a map keeps the order of insertion.
      network.mints.delete(mint)
      network.mints.set(mint, { details: found.get(mint), until: now + keptFor })
    }
  }
  for (const oldest of network.mints.keys()) {
    if (network.mints.size <= mostKept) break
    network.mints.delete(oldest)
  }
  const details = new Map<string, MintDetails>()
  for (const mint of wanted.keys()) {
    const known = network.mints.get(mint)?.details
    if (known) details.set(mint, known)
  }
  return details
}

async function readChunk(network: SolanaNetwork, mints: string[], isToken2022: Map<string, boolean>) {
  const found = new Map<string, MintDetails>()
  const places: string[] = []
  for (const mint of mints) {
    // A millisecond each, on this thread: others have their turn in between.
    if (places.push(deriveAddress(mint, 'metadata')) % 10 === 0) await setImmediate()
  }
  const accounts = await readAccounts<Account>(network, places, 'base64')
  for (const [place, mint] of mints.entries()) {
    // Anyone may write an account of a program of their own; only that of Metaplex says something.
    const data = accounts[place]?.owner === metaplexProgram ? bytesOf(accounts[place]) : undefined
    const details = data && decodeMetaplex(data, mint)
    if (details) found.set(mint, details)
  }
  const rest = mints.filter((mint) => !found.has(mint) && isToken2022.get(mint))
  if (rest.length === 0) return found
  const parsed = await readAccounts<ParsedMint>(network, rest, 'jsonParsed')
  for (const [place, mint] of rest.entries()) {
    const extensions = parsed[place]?.data?.parsed?.info?.extensions
    const known = Array.isArray(extensions) ? (extensions as Extension[]) : []
    const state = known.find((each) => each?.extension === 'tokenMetadata')?.state as Record<string, unknown> | null
    if (state) found.set(mint, readExtension(state))
  }
  return found
}

/** Accounts in the order of their addresses. What is in them is whatever a node says. */
export async function readAccounts<Each extends Account | ParsedMint>(
  network: SolanaNetwork,
  addresses: string[],
  encoding: 'base64' | 'jsonParsed',
): Promise<Each[]> {
  const params = [addresses, { encoding, commitment: 'confirmed' }]
  const { value } = await network.request('getMultipleAccounts', params, readList)
  return value as Each[]
}

/** What an account holds, where it was asked for in base64. */
export function bytesOf(account: Account | undefined): Buffer | undefined {
  const text = Array.isArray(account?.data) ? account.data[0] : undefined
  return typeof text === 'string' ? Buffer.from(text, 'base64') : undefined
}

function readExtension({ name, symbol, uri, updateAuthority }: Record<string, unknown>): MintDetails {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    standard: 'token-2022',
    name: plainText(text(name)) ?? '',
    symbol: plainText(text(symbol)) ?? '',
    uri: text(uri),
    updateAuthority: text(updateAuthority) || undefined,
  }
}
