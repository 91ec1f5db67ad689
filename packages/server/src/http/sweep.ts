import type { Context } from '../context/Context.ts'
import { sweepFiles } from '../files/sweepFiles.ts'
import { sweepJobs } from '../jobs/sweepJobs.ts'
import { removeDueAccounts } from '../users/accountDeletion.ts'
import { sweepDeliveries } from '../webhooks/sweepDeliveries.ts'

const hour = 3_600_000

/** Clears away what has expired, now and then. Several servers may do so at once. */
export function sweep(context: Context): () => void {
  const { db, clock, background } = context
  const timer = setInterval(() => {
    background.run('sweep', async () => {
      const now = clock.now()
      await db.query({ text: 'delete from "_Session" where "expiresAt" < $1', values: [now] })
      await db.query({ text: 'delete from countersign.tokens where expires < $1', values: [now] })
      await db.query({ text: 'delete from countersign.email_changes where expires < $1', values: [now] })
      await db.query({ text: 'delete from countersign.requests where expires < $1', values: [now] })
      await db.query({ text: 'delete from countersign.challenges where expires < $1', values: [now] })
      await db.query({ text: 'delete from countersign.unlinked_wallets where expires < $1', values: [now] })
      await db.query({ text: 'delete from countersign.merges where merged is null and expires < $1', values: [now] })
      await db.query({
        text: 'delete from countersign.merge_changes c using countersign.merges m where m."objectId" = c.merge and m.undo_until < $1',
        values: [now],
      })
      await db.query({
        text: 'update countersign.merges set undo = null where undo is not null and undo_until < $1',
        values: [now],
      })
      await db.query({
        text: `delete from countersign.login_failures where last < $1`,
        values: [new Date(now.getTime() - 24 * hour)],
      })
      await removeDueAccounts(context)
      await sweepFiles(context)
      await sweepJobs(context)
      await sweepDeliveries(context)
    })
  }, hour)
  timer.unref()
  return () => clearInterval(timer)
}
