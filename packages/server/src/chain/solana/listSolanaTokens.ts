import { CountersignError } from '@countersign/protocol'
import type { Place, SolanaNetwork } from './Solana.ts'

const programs = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'] as const

/** More would be no answer that anyone reads. */
const mostAccounts = 10_000

/** A list that a node answers with. */
export function readList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error('a list is something else than a list')
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

/** What an address holds of tokens, of both programs, leaving out accounts that are empty. */
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

/** One that is not of tokens, or of a kind that is not known yet, is passed over. */
function readAccount(given: Parsed | null, isToken2022: boolean): TokenAccount[] {
  const { mint, tokenAmount } = given?.account?.data?.parsed?.info ?? {}
  const { amount, decimals } = tokenAmount ?? {}
  const account = given?.pubkey
  if (typeof account !== 'string' || typeof mint !== 'string' || typeof amount !== 'string') return []
  if (!/^\d{1,20}$/.test(amount) || amount === '0') return []
  if (typeof decimals !== 'number' || !Number.isInteger(decimals) || decimals < 0 || decimals > 255) return []
  return [{ account, mint, amount: BigInt(amount), decimals, isToken2022 }]
}
