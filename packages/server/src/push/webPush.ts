import { request } from 'node:https'
import type { WireFields } from '@countersign/protocol'
import type { PushDevice } from '../config/pushSettings.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { encryptPush, type PushKeys, signPush } from './encryptPush.ts'

/** Time (ms) for a push service to respond. */
const timeout = 10_000
const week = 7 * 24 * 3600

/** A browser that subscribed: the address at its push service is the token, and its keys encrypt what is sent. */
type WebDevice = PushDevice & { pushKeys: PushKeys }

export function isWebDevice(device: PushDevice): device is WebDevice {
  const { p256dh, auth } = Object(device.pushKeys)
  return device.deviceType === 'web' && typeof p256dh === 'string' && typeof auth === 'string'
}

/**
 * Sends a push to one browser, encrypted for it (RFC 8291) and signed by the server's key (RFC 8292). Clients write the
 * address themselves, so it is posted to only where its host is one of the operator's.
 */
export async function sendWebPush(
  context: Context,
  device: WebDevice,
  { data, seconds = week }: { data: WireFields; seconds?: number | undefined },
): Promise<{ isSent: boolean; response?: unknown }> {
  const { web } = context.config.push ?? {}
  if (!web) return { isSent: false }
  const { deviceToken: endpoint, pushKeys } = device
  if (!isAllowed(endpoint, web.hosts)) return { isSent: false, response: 'this push service is not allowed' }
  try {
    const body = encryptPush(JSON.stringify(data), pushKeys)
    const status = await post(endpoint, body, {
      Authorization: signPush(endpoint, web, context.clock.now()),
      TTL: String(seconds),
    })
    if (status >= 200 && status < 300) return { isSent: true }
    // The person took the permission back, or the browser is gone: there is nobody left to send to.
    if (status === 404 || status === 410) {
      await context.db.query(sql`
        update "_Installation" set "deviceToken" = null, "updatedAt" = ${context.clock.now()}
        where "objectId" = ${device.objectId} and "deviceToken" = ${endpoint}`)
      context.db.reportChange('_Installation')
    }
    return { isSent: false, response: `the push service responded with ${status}` }
  } catch (error) {
    return { isSent: false, response: (error as Error).message }
  }
}

/** Posts to a push service and returns its status. Follows no redirect and reads nothing of the response. */
function post(endpoint: string, body: Buffer, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeout)
    const all = {
      ...headers,
      'Content-Type': 'application/octet-stream',
      'Content-Encoding': 'aes128gcm',
      'Content-Length': String(body.length),
    }
    const sent = request(endpoint, { method: 'POST', headers: all, signal }, (response) => {
      resolve(response.statusCode ?? 0)
      // The connection is not reused: a push service decides how much it sends.
      response.destroy()
    })
    sent.once('error', (error) => reject(signal.aborted ? new Error('the push service did not respond') : error))
    sent.end(body)
  })
}

function isAllowed(endpoint: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, username, password } = new URL(endpoint)
  if (protocol !== 'https:' || username !== '' || password !== '') return false
  return hosts.some((host) => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host))
}
