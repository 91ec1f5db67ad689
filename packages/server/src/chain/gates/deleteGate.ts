import type { Context } from '../../context/Context.ts'
import { noGate } from './describeGates.ts'
import { refreshMembers } from './writeHoldings.ts'

/** Deletes a gate. Who held the role by it alone holds it no more. */
export async function deleteGate(context: Context, objectId: string): Promise<Record<never, never>> {
  const { db } = context
  await db.transaction(async () => {
    const gone = await db.query({
      text: 'delete from countersign.gates where "objectId" = $1 returning 1',
      values: [objectId],
    })
    if (gone.length === 0) throw noGate()
    await refreshMembers(context)
  })
  return {}
}
