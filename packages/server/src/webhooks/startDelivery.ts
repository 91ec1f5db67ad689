import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { decrypt } from '../keys/secrets.ts'
import { createPoller } from '../work/createPoller.ts'
import { claimDelivery, type Delivery, deliveriesChannel } from './claimDelivery.ts'
import { postJson } from './postJson.ts'
import { sign } from './signature.ts'
import { describeEvent } from './webhooks.ts'

const minute = 60_000

/** How long a delivery waits after each failure; after the last one it has failed. Together about two days. */
const delays = [
  5_000,
  30_000,
  2 * minute,
  10 * minute,
  60 * minute,
  6 * 60 * minute,
  12 * 60 * minute,
  24 * 60 * minute,
]

const pollInterval = 5_000

/** A receiver that is slow must not hold up what is meant for the others. */
const mostAtOnePlace = 2

/** Sends events to the webhooks that wait for them. */
export async function startWebhookDelivery(context: Context): Promise<{ stop(): Promise<void> }> {
  const { config, db, log } = context
  const running = new Set<Promise<void>>()
  const places = new Map<string, number>()
  const stopping = new AbortController()

  const loop = createPoller({ log, name: 'webhooks', turn, poll: pollInterval })
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
        .catch((error) => log.error({ err: error, webhook }, 'could not save webhook delivery result'))
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
      stopping.abort(new Error('The server is stopping.'))
      await loop.stop()
      await Promise.all(running)
    },
  }
}

type Outcome = { status?: number; text?: string; error?: string }

/** Sends a claimed delivery and stores the result. Returns the retry delay in ms, or undefined. */
async function deliver(context: Context, delivery: Delivery, stopping: AbortSignal): Promise<number | undefined> {
  const outcome = await attempt(context, delivery, stopping)
  if (stopping.aborted && outcome.error !== undefined) {
    await handBack(context, delivery)
    return undefined
  }
  const delay = outcome.error === undefined ? undefined : delayAfter(delivery.attempts)
  await note(context, delivery, outcome, delay)
  return delay
}

async function attempt(context: Context, delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
  const { clock, config, keys } = context
  try {
    const secret = decrypt(keys, 'webhook', delivery.secret)
    if (secret === undefined)
      throw new Error('The secret can’t be decrypted, because the keys of the server changed. Renew the secret.')
    const body = JSON.stringify(await describeEvent(context, delivery))
    const timestamp = Math.floor(clock.now().getTime() / 1000)
    const headers = {
      'user-agent': 'Countersign',
      'webhook-id': delivery.event,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign(secret, { id: delivery.event, timestamp, body }),
    }
    const { timeout, allowPrivateAddresses } = config.webhooks
    const { status, text } = await postJson(delivery.url, headers, body, { timeout, allowPrivateAddresses, signal })
    const isTaken = status >= 200 && status < 300
    return { status, text, ...(!isTaken && { error: `The receiver responded with ${status}.` }) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

function delayAfter(attempts: number): number | undefined {
  const delay = delays[attempts - 1]
  return delay === undefined ? undefined : delay * (1 + Math.random() / 5)
}

async function note(
  { db, clock }: Context,
  delivery: Delivery,
  { status, text, error }: Outcome,
  delay: number | undefined,
): Promise<void> {
  const state = error === undefined ? 'delivered' : delay === undefined ? 'failed' : 'pending'
  await db.query(sql.named('note-delivery')`
    update countersign.deliveries set
      status = ${state}, due = ${new Date(clock.now().getTime() + (delay ?? 0))}, runner = null, lease_until = null,
      response_status = ${status ?? null},
      response = ${text === undefined ? null : writable(text).slice(0, 1_000)},
      error = ${error === undefined ? null : writable(error).slice(0, 1_000)}
    where "objectId" = ${delivery.objectId} and runner = ${delivery.runner}`)
}

async function handBack({ db }: Context, { objectId, runner }: Delivery): Promise<void> {
  await db.query(sql`
    update countersign.deliveries set runner = null, lease_until = null, attempts = attempts - 1
    where "objectId" = ${objectId} and runner = ${runner}`)
}

/** A text of PostgreSQL cannot hold the zero character. */
function writable(text: string): string {
  return text.replaceAll('\0', '')
}
