import { createHash } from 'node:crypto'
import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { PushDevice, PushResult } from '../config/pushSettings.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { respond } from '../endpoint/respond.ts'
import { insertObject } from '../objects/createObject.ts'
import { findEndedDevices } from '../objects/devices.ts'
import { findObjects } from '../objects/findObjects.ts'
import { readObject } from '../objects/readObject.ts'
import { changeObject } from '../objects/updateObject.ts'
import { isWebDevice, sendWebPush } from './webPush.ts'

export type PushInput = {
  where?: WireFields | undefined
  channels?: string[] | undefined
  audience_id?: string | undefined
  data: WireFields
  expiration_time?: string | number | undefined
  expiration_interval?: number | undefined
  push_time?: string | number | undefined
}

type Outcome = { type: string; isSent: boolean; response?: unknown }

/** Devices that are read, and sent to, at once. */
const pageLength = 200

/** Maximum of stored errors from push services. */
const mostErrors = 20

/** Sends a push to the devices that match a query. Returns the id of its status, and sends in the background. */
async function sendPush(context: Context, caller: Caller, input: PushInput): Promise<string> {
  const { config, clock, background } = context
  if (!config.push?.adapter && !config.push?.web) throw misconfigured('Push adapter is not configured')
  const where = await readTarget(context, caller, input)
  const now = clock.now()
  const seconds = readLifetime(input, now)
  // An error in the query is reported to the caller.
  const { count = 0 } = await findObjects(context, caller, '_Installation', { where, count: 1, limit: 0 })
  const payload = JSON.stringify(input.data)
  const status = await insertObject(
    context,
    caller,
    '_PushStatus',
    readObject({
      pushTime: now.toISOString(),
      source: 'rest',
      query: JSON.stringify(where),
      payload,
      pushHash: createHash('md5').update(payload).digest('hex'),
      status: 'running',
      numSent: 0,
      numFailed: 0,
      count,
      ...(seconds !== undefined && { expiry: Math.floor(now.getTime() / 1000) + seconds }),
      ACL: {},
    }),
  )
  background.run('send push', async () => {
    const outcome = await sendToAll(context, caller, where, { data: input.data, seconds, statusId: status.objectId })
    await changeObject(context, caller, '_PushStatus', status.objectId, readObject(outcome))
  })
  return status.objectId
}

async function readTarget(context: Context, caller: Caller, input: PushInput): Promise<WireFields> {
  const { where, channels, audience_id: audience } = input
  if ([where, channels, audience].filter((one) => one !== undefined).length !== 1)
    throw misconfigured('Sending a push requires one of "channels", "where" and "audience_id".')
  if (channels) return { channels: { $in: channels } }
  if (where) return where
  const { results } = await findObjects(context, caller, '_Audience', { where: { objectId: audience as string } })
  const [found] = results as WireFields[]
  if (!found) throw new CountersignError('ObjectNotFound', 'Object not found.')
  await context.db.query(sql`
    update "_Audience" set "timesUsed" = coalesce("timesUsed", 0) + 1, "lastUsed" = ${context.clock.now()}
    where "objectId" = ${audience}`)
  context.db.reportChange('_Audience')
  try {
    return JSON.parse(String(found.query)) as WireFields
  } catch {
    throw misconfigured('The query of this audience is not JSON.')
  }
}

/** Seconds that the push services keep the push for a device that is away. */
function readLifetime({ expiration_time: at, expiration_interval: interval, push_time: start }: PushInput, now: Date) {
  if (start !== undefined && readTime(start) > now.getTime()) throw misconfigured('Scheduled pushes are not supported.')
  if (at !== undefined && interval !== undefined)
    throw misconfigured('Both expiration_time and expiration_interval cannot be set')
  if (interval !== undefined) return Math.floor(interval)
  if (at === undefined) return undefined
  const seconds = Math.floor((readTime(at) - now.getTime()) / 1000)
  if (seconds < 0) throw misconfigured('expiration_time is in the past.')
  return seconds
}

function readTime(value: string | number): number {
  const time = typeof value === 'number' ? value * 1000 : Date.parse(value)
  if (Number.isNaN(time)) throw misconfigured(`${String(value).slice(0, 50)} is not a valid time.`)
  return time
}

function misconfigured(sentence: string): CountersignError {
  return new CountersignError('PushMisconfigured', sentence)
}

type Sending = { data: WireFields; seconds: number | undefined; statusId: string }

async function sendToAll(context: Context, caller: Caller, where: WireFields, push: Sending): Promise<WireFields> {
  const sent: Record<string, number> = {}
  const failed: Record<string, number> = {}
  const errors: WireValue[] = []
  let last = ''
  for (;;) {
    const page: WireFields = { $and: [where, { deviceToken: { $exists: true } }, { objectId: { $gt: last } }] }
    const { results } = await findObjects(context, caller, '_Installation', {
      where: page,
      order: 'objectId',
      limit: pageLength,
    })
    const devices = results as PushDevice[]
    for (const { type, isSent, response } of await sendPage(context, devices, push)) {
      const counts = isSent ? sent : failed
      counts[type] = (counts[type] ?? 0) + 1
      if (!isSent && errors.length < mostErrors) errors.push({ deviceType: type, response: describe(response) })
    }
    if (devices.length < pageLength) break
    last = devices.at(-1)?.objectId ?? ''
  }
  const total = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0)
  return {
    status: 'succeeded',
    numSent: total(sent),
    numFailed: total(failed),
    sentPerType: sent,
    failedPerType: failed,
    ...(errors.length > 0 && { errorMessage: { failures: errors } }),
  }
}

function describe(response: unknown): string {
  const text = typeof response === 'string' ? response : JSON.stringify(response ?? null)
  return text.slice(0, 300)
}

async function sendPage(context: Context, found: PushDevice[], push: Sending): Promise<Outcome[]> {
  const { adapter, web } = context.config.push ?? {}
  const ended = await findEndedDevices(context, found, isWebDevice)
  const devices = found.filter((one) => !ended.has(one))
  const ours = web ? devices.filter(isWebDevice) : []
  const isOurs = (device: PushDevice) => ours.some((one) => one === device)
  const types = adapter?.getValidPushTypes?.()
  const theirs = devices.filter((one) => !isOurs(one) && adapter && (types?.includes(one.deviceType) ?? true))
  const failed = (one: PushDevice, response: string) => ({ type: typeOf(one.deviceType), isSent: false, response })
  const outcomes: Outcome[] = devices
    .filter((one) => !isOurs(one) && !theirs.includes(one))
    .map((one) => failed(one, 'no adapter for this type'))
  for (const one of ended) outcomes.push(failed(one, 'the user is signed out on this device'))
  for (const device of ours) outcomes.push({ type: 'web', ...(await sendWebPush(context, device, push)) })
  if (!adapter || theirs.length === 0) return outcomes
  const { data, seconds, statusId } = push
  const expiry = seconds === undefined ? {} : { expiration_time: context.clock.now().getTime() + seconds * 1000 }
  const answers: (PushResult | undefined)[] = await adapter
    .send({ data, ...expiry }, theirs, statusId)
    .catch((error) => theirs.map(() => ({ transmitted: false, response: String(error) })))
  for (const [at, { deviceType }] of theirs.entries()) {
    const answer = answers[at]
    outcomes.push({ type: typeOf(deviceType), isSent: answer?.transmitted === true, response: answer?.response })
  }
  return outcomes
}

/** Clients write it: what becomes the name of a count is short and plain. */
function typeOf(deviceType: unknown): string {
  return typeof deviceType === 'string' && /^[A-Za-z0-9]{1,30}$/.test(deviceType) ? deviceType : 'other'
}

export const sendPushEndpoint = defineEndpoint('sendPush', {
  async handle({ context, caller, input }) {
    const id = await sendPush(context, caller, input)
    return respond({ result: true as const }, { headers: { 'X-Parse-Push-Status-Id': id } })
  },
})

export const getPushKeyEndpoint = defineEndpoint('getPushKey', {
  async handle({ context }) {
    const { web } = context.config.push ?? {}
    if (!web) throw new CountersignError('PushMisconfigured', 'Web Push is not configured')
    return { publicKey: web.publicKey }
  },
})
