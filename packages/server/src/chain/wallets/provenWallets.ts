import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { hashCode } from '../../encoding/hashCode.ts'
import { decrypt } from '../../keys/secrets.ts'
import type { Chain, Hex } from '../nodes/Chain.ts'
import { NodeError } from '../nodes/NodeError.ts'
import { nonsense, readHex, toQuantity } from '../nodes/quantities.ts'

export type Wallet = {
  key: string
  user: string
  address: Hex
  /** A contract, or a key pair that another key acts for: its proof holds as long as its code does. */
  hasCode: boolean
  /** Of the code that it was last proven by. */
  codeHash: string | null
  /** Signature of its last holder, sealed. */
  proof: Buffer | null
}

/**
 * Wallets that a chain's gates look at: a contract account is its user's own on its own chain alone, and one that was not
 * deployed when it was proven has no code that it was proven by. One that an import brought counts once it is proven here.
 */
export const walletsOfChain = (chain: number) => sql`
  select key, "user", address, kind <> 'eoa' as "hasCode",
    case when not provisional then code_hash end as "codeHash", proof
  from countersign.wallets
  where namespace = 'eip155' and imported is null and (chain_id is null or chain_id = ${String(chain)})`

/**
 * Wallets with a valid proof. A key pair's always is; a contract, or the delegate of a key pair (EIP-7702), was proven
 * by its code at that time, and must still accept its holder's signature: a holder who lost the delegation, or sold the
 * token that the account is bound to, can no longer sign.
 */
export async function findProven(
  context: Context,
  chain: Chain,
  wallets: readonly Wallet[],
  block: number,
): Promise<Wallet[]> {
  const asked = wallets.filter(({ hasCode, codeHash }) => hasCode && codeHash !== null)
  const answers = await chain.batch(
    asked.map(({ address }) => ({ method: 'eth_getCode', params: [address, toQuantity(block)] })),
  )
  const same = asked.filter(({ codeHash }, place) => {
    const answer = answers[place] ?? { error: nonsense('code') }
    if ('error' in answer) throw answer.error
    return hashCode(readHex(answer.result)) === codeHash
  })
  const found = new Set(await listAccepting(context, chain, same, block))
  return wallets.filter((wallet) => !wallet.hasCode || found.has(wallet))
}

/** Result of a contract that accepts a signature (ERC-1271). */
const accepted = `0x${'1626ba7e'.padEnd(64, '0')}`

/** Contracts that accept what their user signed last. */
async function listAccepting(
  context: Context,
  chain: Chain,
  wallets: readonly Wallet[],
  block: number,
): Promise<Wallet[]> {
  const asked = wallets.flatMap((wallet) => {
    const proof = wallet.proof && decrypt(context.keys, 'undeployed proof', wallet.proof)
    const { question: data } = JSON.parse(proof ?? '{}') as { question?: Hex }
    return data ? [{ wallet, call: { to: wallet.address, data } }] : []
  })
  // One by one: a contract that burns all its gas must not fail the calls of others.
  const answers = await chain.batch(
    asked.map(({ call }) => ({ method: 'eth_call', params: [call, toQuantity(block)] })),
  )
  return asked.flatMap(({ wallet }, place) => {
    const answer = answers[place] ?? { error: nonsense('call') }
    if ('result' in answer) return readHex(answer.result).startsWith(accepted) ? [wallet] : []
    const { error } = answer
    if (error instanceof NodeError && (error.kind === 'revert' || error.kind === 'other')) return []
    throw error
  })
}

/**
 * Records which proofs are valid: a lapsed wallet gives its user no chain data. A wallet proven again since the reading
 * stays unchanged.
 */
export async function markWallets(
  { db, clock }: Context,
  wallets: readonly Wallet[],
  mark: 'lapsed' | 'proven',
): Promise<void> {
  if (wallets.length === 0) return
  const isLapsed = mark === 'lapsed'
  await db.query(sql`
    update countersign.wallets w set lapsed = ${isLapsed ? clock.now() : null}::timestamptz
    from unnest(
      ${wallets.map(({ key }) => key)}::text[],
      ${wallets.map(({ codeHash }) => codeHash)}::text[],
      ${wallets.map(({ proof }) => proof)}::bytea[]) as given (key, code_hash, proof)
    where w.key = given.key and w.code_hash is not distinct from given.code_hash
      and w.proof is not distinct from given.proof and (w.lapsed is null) = ${isLapsed}::boolean`)
}

type NamingLog = { topics: readonly string[]; data: string }

const word = 64

/** Addresses that logs may name: every word that could be one. */
function addressesIn(logs: readonly NamingLog[]): string[] {
  const found = new Set<string>()
  const isAddress = /^0{24}[0-9a-f]{40}$/
  for (const { topics, data } of logs) {
    const text = `${topics.map((topic) => topic.slice(2)).join('')}${data.slice(2)}`.toLowerCase()
    for (let at = 0; at + word <= text.length; at += word) {
      const part = text.slice(at, at + word)
      if (isAddress.test(part)) found.add(`0x${part.slice(24)}`)
    }
  }
  return [...found]
}

/**
 * Checks at the head of the chain that contract accounts which these logs name are still proven, before rows are made of
 * them: a delegate that was withdrawn must not read what happens to the account afterwards.
 */
export async function checkNamedWallets(context: Context, chain: Chain, logs: readonly NamingLog[]): Promise<void> {
  const addresses = addressesIn(logs)
  if (addresses.length === 0) return
  const wallets = await context.db.query<Wallet>(sql`
    ${walletsOfChain(chain.id)} and kind <> 'eoa' and not provisional and address = any(${addresses})`)
  if (wallets.length === 0) return
  // Read after the wallets: one that was just proven has its code at this block.
  const head = await chain.head({ fresh: true })
  const proven = new Set(await findProven(context, chain, wallets, head.number))
  await markWallets(context, [...proven], 'proven')
  await markWallets(
    context,
    wallets.filter((wallet) => !proven.has(wallet)),
    'lapsed',
  )
}
