import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { CountersignError } from '@countersign/protocol'
import { readBase58, writeBase58 } from '../../encoding/base58.ts'
import { plainText } from '../reads/abi.ts'
import type { MintDetails, Place, SolanaNetwork } from './getSolana.ts'

const programs = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'] as const

/** Limit: nobody reads more in one response. */
const mostAccounts = 10_000

/** A list in a node's response. */
function readList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error('the response is not a list')
  return value
}

export type TokenAccount = {
  account: string
  mint: string
  amount: bigint
  decimals: number
  isToken2022: boolean
}

type Parsed = {
  pubkey?: unknown
  account?: {
    data?: { parsed?: { info?: { mint?: unknown; tokenAmount?: { amount?: unknown; decimals?: unknown } } } }
  }
}

/** Token balances of an address, of both programs, without empty accounts. */
export async function listSolanaTokens(
  network: SolanaNetwork,
  owner: string,
): Promise<{ accounts: TokenAccount[]; place: Place }> {
  const answers = await Promise.all(
    programs.map((programId) =>
      network.request(
        'getTokenAccountsByOwner',
        [owner, { programId }, { encoding: 'jsonParsed', commitment: 'confirmed' }],
        readList,
      ),
    ),
  )
  if (answers.reduce((count, { value }) => count + value.length, 0) > mostAccounts) {
    throw new CountersignError('InvalidQuery', `This address has more than ${mostAccounts} token accounts.`)
  }
  const accounts = answers.flatMap(({ value }, program) =>
    value.flatMap((each) => readAccount(each as Parsed | null, program === 1)),
  )
  return {
    accounts,
    place: {
      slot: Math.min(...answers.map(({ place }) => place.slot)),
      source: answers.every(({ place }) => place.source === 'cache') ? 'cache' : 'node',
    },
  }
}

/** Skips accounts without tokens and accounts of an unknown kind. */
function readAccount(given: Parsed | null, isToken2022: boolean): TokenAccount[] {
  const { mint, tokenAmount } = given?.account?.data?.parsed?.info ?? {}
  const { amount, decimals } = tokenAmount ?? {}
  const account = given?.pubkey
  if (typeof account !== 'string' || typeof mint !== 'string' || typeof amount !== 'string') return []
  if (!/^\d{1,20}$/.test(amount) || amount === '0') return []
  if (typeof decimals !== 'number' || !Number.isInteger(decimals) || decimals < 0 || decimals > 255) return []
  return [{ account, mint, amount: BigInt(amount), decimals, isToken2022 }]
}

const metadataV1 = 4

/** Token standards that are currencies: FungibleAsset and Fungible. */
const fungible = new Set([1, 2])

/** Maximum of one getMultipleAccounts call. */
const atOnce = 100

const mostKept = 20_000

const keptFor = 600_000

/**
 * Limit of mints with metadata: an address full of unwanted tokens must not cost thousands of requests. The rest has no
 * names.
 */
const mostMints = 2_000

type Account = { data?: unknown; owner?: unknown } | null

type ParsedMint = { data?: { parsed?: { info?: { extensions?: unknown } } } } | null

type Extension = { extension?: unknown; state?: unknown } | null

/** Metadata of mints: from Metaplex, else from a Token-2022 mint itself. */
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
    // Anyone may write an account with their own program; only Metaplex's counts.
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

/** Accounts in the order of their addresses, as a node returns them, unchecked. */
export async function readAccounts<Each extends Account | ParsedMint>(
  network: SolanaNetwork,
  addresses: string[],
  encoding: 'base64' | 'jsonParsed',
): Promise<Each[]> {
  const params = [addresses, { encoding, commitment: 'confirmed' }]
  const { value } = await network.request('getMultipleAccounts', params, readList)
  return value as Each[]
}

/** Bytes of an account that was read as base64. */
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

/** Decodes a metadata account (Borsh). Undefined if it is not one, or belongs to another mint. */
export function decodeMetaplex(data: Buffer, mint: string): MintDetails | undefined {
  let at = 0
  const take = (size: number) => {
    if (size < 0 || at + size > data.length) throw new RangeError('cut short')
    at += size
    return data.subarray(at - size, at)
  }
  const byte = () => take(1).readUInt8()
  const key = () => writeBase58(take(32))
  // Texts are in fields of fixed size, padded with zeros.
  const text = () => take(take(4).readUInt32LE()).toString('utf8').replaceAll('\0', '').trim()
  const option = <Value>(read: () => Value): Value | undefined => (byte() === 1 ? read() : undefined)
  const creator = () => ({ address: key(), verified: byte() === 1, share: byte() })
  const list = <Value>(read: () => Value): Value[] => {
    const count = take(4).readUInt32LE()
    if (count > 100) throw new RangeError('too many')
    return Array.from({ length: count }, read)
  }

  try {
    if (byte() !== metadataV1) return undefined
    const updateAuthority = key()
    if (key() !== mint) return undefined
    const [name, symbol, uri] = [plainText(text()) ?? '', plainText(text()) ?? '', text()]
    const sellerFeeBasisPoints = take(2).readUInt16LE()
    const creators = option(() => list(creator)) ?? []
    const [primarySaleHappened, isMutable] = [byte() === 1, byte() === 1]
    const known = { standard: 'metaplex', name, symbol, uri, updateAuthority } as const
    const details: MintDetails = { ...known, sellerFeeBasisPoints, creators, primarySaleHappened, isMutable }
    return { ...details, ...readLater() }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }

  /** Fields of later versions; older accounts end before them. */
  function readLater(): Partial<MintDetails> {
    try {
      option(byte)
      const standard = option(byte)
      const collection = option(() => ({ verified: byte() === 1, address: key() }))
      return {
        ...(standard !== undefined && { isFungible: fungible.has(standard) }),
        ...(collection && { collection }),
      }
    } catch {
      return {}
    }
  }
}

const p = (1n << 255n) - 19n

const d = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

export const metaplexProgram = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'

const program = readBase58(metaplexProgram) ?? Buffer.alloc(32)

const marker = Buffer.from('ProgramDerivedAddress')

/** Address of a mint's metadata or edition account of Metaplex, for which no key exists. */
export function deriveAddress(mint: string, of: 'metadata' | 'edition'): string {
  const seeds = [Buffer.from('metadata'), program, readBase58(mint) ?? Buffer.alloc(32)]
  if (of === 'edition') seeds.push(Buffer.from('edition'))
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256')
    for (const part of [...seeds, Buffer.from([bump]), program, marker]) hash.update(part)
    const address = hash.digest()
    if (!isOnCurve(address)) return writeBase58(address)
  }
  throw new Error('no address can be derived')
}

/**
 * Returns true if 32 bytes are a point on the Ed25519 curve, so that a private key may exist. x² = (y² − 1) / (dy² + 1)
 * must be a square, and a quotient is one exactly if the product is.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  const little = Buffer.from(bytes).reverse()
  little[0] = (little[0] ?? 0) & 0x7f
  const y = BigInt(`0x${little.toString('hex')}`) % p
  const square = (y * y) % p
  const product = (((square - 1n + p) % p) * ((d * square + 1n) % p)) % p
  return product === 0n || power(product, (p - 1n) / 2n) === 1n
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let factor = base
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * factor) % p
    factor = (factor * factor) % p
  }
  return result
}
