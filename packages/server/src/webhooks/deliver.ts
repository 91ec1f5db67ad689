import type { Context } from '../context/Context.ts'
import { unseal } from '../context/seal.ts'
import type { Delivery } from './claimDelivery.ts'
import { describeEvent } from './describeEvent.ts'
import { postJson } from './postJson.ts'
import { sign } from './signature.ts'

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

type Outcome = { status?: number; text?: string; error?: string }

/** Sends what was claimed and writes down what came of it. Answers after how long it is tried again, where it is. */
export async function deliver(
  context: Context,
  delivery: Delivery,
  stopping: AbortSignal,
): Promise<number | undefined> {
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
    const secret = unseal(keys, 'webhook', delivery.secret)
    if (secret === undefined) throw new Error('The secret cannot be read: the keys of the server changed. Renew it.')
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
    return { status, text, ...(!isTaken && { error: `The receiver answered ${status}.` }) }
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
  await db.query({
    name: 'note-delivery',
    text: `update countersign.deliveries set status = $3, due = $4, runner = null, lease_until = null,
             response_status = $5, response = $6, error = $7
           where "objectId" = $1 and runner = $2`,
    values: [
      delivery.objectId,
      delivery.runner,
      state,
      new Date(clock.now().getTime() + (delay ?? 0)),
      status ?? null,
      text === undefined ? null : writable(text).slice(0, 1_000),
      error === undefined ? null : writable(error).slice(0, 1_000),
    ],
  })
}

async function handBack({ db }: Context, { objectId, runner }: Delivery): Promise<void> {
  await db.query({
    text: `update countersign.deliveries set runner = null, lease_until = null, attempts = attempts - 1
           where "objectId" = $1 and runner = $2`,
    values: [objectId, runner],
  })
}

/** A text of PostgreSQL cannot hold the zero character. */
function writable(text: string): string {
  return text.replaceAll('\0', '')
}
