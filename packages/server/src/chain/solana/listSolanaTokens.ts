import { CountersignError } from '@countersign/protocol'
import type { Place, SolanaNetwork } from './Solana.ts'

const programs = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'] as const

/** More would be no answer that anyone reads. */
const mostAccounts = 10_000

export type TokenAccount = {
  account: string
  mint: string
  amount: bigint
  decimals: number
  isToken2022: boolean
}

type Parsed = {
  pubkey: string
  account: {
    data: { parsed?: { info?: { mint?: string; tokenAmount?: { amount?: string; decimals?: number } } } }
  }
}

/** What an address holds of tokens, of both programs, leaving out accounts that are empty. */
export async function listSolanaTokens(
  network: SolanaNetwork,
  owner: string,
): Promise<{ accounts: TokenAccount[]; place: Place }> {
  const answers = await Promise.all(
    programs.map((programId) =>
      network.request('getTokenAccountsByOwner', [
        owner,
        { programId },
        { encoding: 'jsonParsed', commitment: 'confirmed' },
      ]),
    ),
  )
  const parts = answers.map(({ result }) => result as { context: { slot: number }; value: Parsed[] })
  if (parts.reduce((count, { value }) => count + value.length, 0) > mostAccounts) {
    throw new CountersignError('InvalidQuery', `This address has more than ${mostAccounts} token accounts.`)
  }
  const accounts = parts.flatMap(({ value }, program) => value.flatMap((each) => readAccount(each, program === 1)))
  return {
    accounts,
    place: {
      slot: Math.min(...parts.map(({ context }) => context.slot)),
      source: answers.every(({ source }) => source === 'cache') ? 'cache' : 'node',
    },
  }
}

function readAccount({ pubkey, account }: Parsed, isToken2022: boolean): TokenAccount[] {
  const { mint, tokenAmount } = account.data.parsed?.info ?? {}
  const { amount, decimals } = tokenAmount ?? {}
  if (!mint || amount === undefined || !/^\d+$/.test(amount) || decimals === undefined || amount === '0') return []
  return [{ account: pubkey, mint, amount: BigInt(amount), decimals, isToken2022 }]
}
