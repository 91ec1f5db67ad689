import { refuse } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { readBase58 } from '../encoding/base58.ts'
import { nameKey } from './usernames.ts'

/**
 * People sign in by name or by address, so both are one space: a name that is, or looks like, an e-mail or wallet address
 * would catch the sign-in of its owner, or pass for them. An account may go by its own e-mail address, as older
 * applications have it, and by a wallet that it proved. The master key brings accounts from elsewhere as they were;
 * `findUserByName` is safe with those.
 */
export async function refuseForeignName(
  { db }: Context,
  caller: Caller,
  username: string,
  account: { objectId?: string; email: string | null },
): Promise<void> {
  if (caller.isMaster) return
  const key = nameKey(username)
  if (/.@./s.test(key) && (account.email === null || nameKey(account.email) !== key)) {
    throw refuse('usernameIsEmailAddress')
  }
  const wallet = readWallet(username)
  if (wallet === undefined) return
  const own = await db.query(
    sql`select 1 from countersign.wallets where "user" = ${account.objectId ?? ''} and address = ${wallet}`,
  )
  if (own.length === 0) throw refuse('usernameIsWalletAddress')
}

/** The address that a name would pass for, as the table of wallets has it. */
function readWallet(username: string): string | undefined {
  const text = username.normalize('NFKC').trim()
  if (/^0x[0-9a-f]{40}$/i.test(text)) return text.toLowerCase()
  const isSolana = text.length >= 32 && text.length <= 44 && readBase58(text)?.length === 32
  return isSolana ? text : undefined
}
