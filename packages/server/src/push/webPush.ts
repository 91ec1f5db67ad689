import type { WireFields } from '@countersign/protocol'
import type { PushDevice } from '../config/pushSettings.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'

/** Time (ms) for a push service to respond. */
const timeout = 10_000
const week = 7 * 24 * 3600

/** A browser that subscribed: the address at its push service is the token, and its keys encrypt what is sent. */
type WebDevice = PushDevice & { pushKeys: { p256dh: string; auth: string } }

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
  const { sendNotification } = (await import('web-push')).default
  const { subject, publicKey, privateKey } = web
  try {
    await sendNotification({ endpoint, keys: pushKeys }, JSON.stringify(data), {
      vapidDetails: { subject, publicKey, privateKey },
      TTL: seconds,
      timeout,
    })
    return { isSent: true }
  } catch (error) {
    const { statusCode, message } = error as { statusCode?: number; message: string }
    // The person took the permission back, or the browser is gone: there is nobody left to send to.
    if (statusCode === 404 || statusCode === 410) {
      await context.db.query(sql`
        update "_Installation" set "deviceToken" = null, "updatedAt" = ${context.clock.now()}
        where "objectId" = ${device.objectId} and "deviceToken" = ${endpoint}`)
      context.db.reportChange('_Installation')
    }
    return {
      isSent: false,
      response: statusCode === undefined ? message : `the push service responded with ${statusCode}`,
    }
  }
}

function isAllowed(endpoint: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, username, password } = new URL(endpoint)
  if (protocol !== 'https:' || username !== '' || password !== '') return false
  return hosts.some((host) => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host))
}
