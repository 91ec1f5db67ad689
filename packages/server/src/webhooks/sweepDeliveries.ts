import type { Context } from '../context/Context.ts'

const day = 24 * 3_600_000

/** Clears away events that happened long ago, with their deliveries. */
export async function sweepDeliveries({ config, db, clock }: Context): Promise<void> {
  const before = new Date(clock.now().getTime() - config.webhooks.keepDays * day)
  await db.query({ text: 'delete from countersign.events where at < $1', values: [before] })
}
