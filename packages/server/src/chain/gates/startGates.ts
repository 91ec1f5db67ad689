import type { Context } from '../../context/Context.ts'
import { createLoop } from '../../context/createLoop.ts'
import type { Chains } from '../nodes/Chains.ts'
import { checkDueGates } from './checkGates.ts'
import { checkQueue } from './checkQueue.ts'
import { closeStale } from './closeStale.ts'
import { queueTouched } from './queueTouched.ts'

const gatesChannel = 'countersign_gates'

/** At the longest from one look at what is due to the next. */
const longestPoll = 5_000

/** Gives and takes the roles that go with tokens: when a wallet is linked, when a token moves, and from time to time. */
export async function startGates(context: Context, chains: Chains): Promise<{ stop(): Promise<void> }> {
  const { config, db, log } = context
  if (!config.gates.enabled) return { stop: async () => {} }
  const poll = Math.min(longestPoll, config.gates.interval * 1000)
  const loop = createLoop({ log, name: 'gates', turn, poll })
  const unlisten = await db.listen(gatesChannel, loop.wake, loop.wake)

  async function turn(): Promise<void> {
    const [gate] = await db.query({ text: 'select 1 from countersign.gates limit 1' })
    if (!gate) return
    await queueTouched(context)
    const queued = await checkQueue(context, chains)
    const due = await checkDueGates(context, chains)
    // After a longer stop all is old: it is looked at before it is judged by its age.
    if (queued || due) loop.wakeIn(0)
    else await closeStale(context)
  }

  return {
    async stop() {
      await unlisten()
      await loop.stop()
    },
  }
}
