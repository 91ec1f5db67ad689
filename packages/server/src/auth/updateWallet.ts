import { refuse, type WalletRecord } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { lockUsers } from '../users/lockUsers.ts'
import { needSession } from '../users/needSession.ts'
import { noteActivity } from '../users/noteActivity.ts'
import { refuseHidden } from '../users/readCredentials.ts'
import { setPrimary } from './choosePrimary.ts'
import { encodeWallet, type WalletRow } from './encodeWallet.ts'
import { refreshAddresses } from './refreshAddresses.ts'

/** Labels one of the caller's wallets, or makes it the primary one of its namespace. */
export async function updateWallet(
  context: Context,
  caller: Caller,
  objectId: string,
  { label: given, primary }: { label?: string | null; primary?: true },
): Promise<WalletRecord> {
  const { userId } = needSession(caller)
  if (given) refuseHidden(given, 'label')
  const label = given === '' ? null : given
  const { db } = context
  return db.transaction(async () => {
    if (primary) await lockUsers(context, [userId])
    const before = await find()
    if (label !== undefined) {
      await db.query({
        text: 'update countersign.wallets set label = $3 where "objectId" = $1 and "user" = $2',
        values: [objectId, userId, label],
      })
    }
    if (primary && !before.is_primary) {
      await setPrimary(context, userId, objectId)
      await refreshAddresses(context, userId)
      await noteActivity(context, caller, userId, 'setPrimaryWallet', {
        namespace: before.namespace,
        address: before.address,
      })
    }
    return encodeWallet(await find())
  })

  async function find(): Promise<WalletRow> {
    const [row] = await db.query<WalletRow>({
      text: 'select * from countersign.wallets where "objectId" = $1 and "user" = $2',
      values: [objectId, userId],
    })
    if (!row) throw refuse('walletNotFound')
    return row
  }
}
