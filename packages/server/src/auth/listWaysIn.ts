import type { WaysIn } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { needSession } from '../users/needSession.ts'
import { encodeWallet, type WalletRow } from './encodeWallet.ts'
import { encodePasskey } from './passkeys/encodePasskey.ts'
import { findPasskeys } from './passkeys/findPasskeys.ts'

/** Every way into the caller's account. */
export async function listWaysIn(context: Context, caller: Caller): Promise<WaysIn> {
  return listWaysInOf(context, needSession(caller).userId)
}

/** The same of any account, for whoever has shown that it is theirs. */
export async function listWaysInOf(context: Context, userId: string): Promise<WaysIn> {
  const { db } = context
  const [[user], wallets, passkeys] = await Promise.all([
    db.query<{ has_password: boolean }>({
      text: 'select "_password_hash" is not null as has_password from "_User" where "objectId" = $1',
      values: [userId],
    }),
    db.query<WalletRow>({
      text: 'select * from countersign.wallets where "user" = $1 order by is_primary desc, linked, key',
      values: [userId],
    }),
    findPasskeys(context, userId),
  ])
  return {
    password: user?.has_password ?? false,
    wallets: wallets.map(encodeWallet),
    passkeys: passkeys.map(encodePasskey),
  }
}
