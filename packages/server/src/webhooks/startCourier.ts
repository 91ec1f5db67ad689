import type { Context } from '../context/Context.ts'
import { createLoop } from '../context/createLoop.ts'
import { claimDelivery, deliveriesChannel } from './claimDelivery.ts'
import { deliver } from './deliver.ts'

const pollInterval = 5_000
/** A receiver that is slow must not hold up what is meant for the others. */
const mostAtOnePlace = 2

/** Sends events to the webhooks that wait for them. */
export async function startCourier(context: Context): Promise<{ stop(): Promise<void> }> {
  const { config, db, log } = context
  const running = new Set<Promise<void>>()
  const places = new Map<string, number>()
  const stopping = new AbortController()

  const loop = createLoop({ log, name: 'webhooks', turn, poll: pollInterval })
  const unlisten = await db.listen(deliveriesChannel, loop.wake, loop.wake)

  async function turn(): Promise<void> {
    while (running.size < config.webhooks.concurrency && !stopping.signal.aborted) {
      const busy = [...places].filter(([, count]) => count >= mostAtOnePlace).map(([webhook]) => webhook)
      const delivery = await claimDelivery(context, busy)
      if (!delivery) return
      const { webhook } = delivery
      places.set(webhook, (places.get(webhook) ?? 0) + 1)
      const done = deliver(context, delivery, stopping.signal)
        .then((delay) => delay !== undefined && loop.wakeIn(delay))
        .catch((error) => log.error({ err: error, webhook }, 'what came of a delivery was not written down'))
        .then(() => {
          const left = (places.get(webhook) ?? 1) - 1
          if (left > 0) places.set(webhook, left)
          else places.delete(webhook)
          running.delete(done)
          loop.wake()
        })
      running.add(done)
    }
  }

  return {
    async stop() {
      await unlisten()
      stopping.abort(new Error('The server stops.'))
      await loop.stop()
      await Promise.all(running)
    },
  }
}
