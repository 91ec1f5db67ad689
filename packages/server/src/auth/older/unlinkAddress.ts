import { refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { needSession } from '../../users/needSession.ts'
import type { Namespace } from '../Namespace.ts'
import { unlinkWallet } from '../unlinkWallet.ts'

/** Unlinks the caller's wallet with this address, by the rules of any unlinking: a recent proof, and never the last way in. */
export async function unlinkAddress(
  context: Context,
  caller: Caller,
  namespace: Namespace,
  id: string,
): Promise<Record<never, never>> {
  const { userId } = needSession(caller)
  const address = namespace === 'eip155' ? id.toLowerCase() : id
  await context.db.transaction(async () => {
    const wallets = await context.db.query<{ objectId: string }>({
      text: 'select "objectId" from countersign.wallets where "user" = $1 and namespace = $2 and address = $3 and chain_id is null',
      values: [userId, namespace, address],
    })
    if (wallets.length === 0) throw refuse('objectNotFound')
    for (const { objectId } of wallets) await unlinkWallet(context, caller, objectId)
  })
  return {}
}
