import type { Context } from '../../context/Context.ts'
import { refreshMembers } from './writeHoldings.ts'

/** What was seen too long ago counts no longer: while no node answers, nobody may keep a role that way for ever. */
export async function closeStale(context: Context): Promise<void> {
  const { db, clock, config, log } = context
  const before = new Date(clock.now().getTime() - config.gates.patience * 1000)
  const [stale] = await db.query({
    text: 'select 1 from countersign.gate_holders where held and seen < $1 limit 1',
    values: [before],
  })
  if (!stale) return
  const changed = await db.transaction(async () => {
    await db.query({
      text: 'update countersign.gate_holders set held = false where held and seen < $1',
      values: [before],
    })
    return refreshMembers(context)
  })
  log.warn({ changed }, 'gates were not checked for too long; those who held roles by them hold them no more')
}
