import type { WalletRecord } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { needSession } from '../users/needSession.ts'
import { encodeWallet, type WalletRow } from './encodeWallet.ts'

/** The caller's wallets, the primary one first. */
export async function listWallets({ db }: Context, caller: Caller): Promise<{ results: WalletRecord[] }> {
  const rows = await db.query<WalletRow>({
    text: `select * from countersign.wallets where "user" = $1 order by is_primary desc, linked, key`,
    values: [needSession(caller).userId],
  })
  return { results: rows.map(encodeWallet) }
}
