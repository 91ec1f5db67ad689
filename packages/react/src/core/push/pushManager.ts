import { errorCodes } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { ValidationError } from '../errors/errors.ts'
import { invalidateReadings } from '../readings/readerOf.ts'
import { request } from '../session/request.ts'
import type { PushState, SubscribeToPushInput } from './PushState.ts'

// Push support of browser and server. Loaded on first use.

const defaultWorker = '/push-worker.js'

/** Reads the push state of this browser without a prompt. */
export async function readPushState(worker: string = defaultWorker): Promise<PushState> {
  if (Notification.permission === 'denied') return 'denied'
  const registration = await findRegistration(worker)
  const subscription = Notification.permission === 'granted' && (await registration?.pushManager.getSubscription())
  return subscription ? 'subscribed' : 'default'
}

/** Subscribes the browser and registers it with the server. The person has already agreed. */
export async function subscribe(
  client: Client,
  { worker = defaultWorker, channels }: SubscribeToPushInput,
  permission: NotificationPermission,
  signal: AbortSignal | undefined,
): Promise<PushState> {
  try {
    if (permission !== 'granted') return permission
    const { publicKey } = await request(client, 'getPushKey', {}, { signal })
    const { pushManager } = await register(worker)
    const former = await pushManager.getSubscription()
    // A subscription for another key receives nothing from this server, and blocks a new one.
    if (former && !isFor(former, publicKey)) await former.unsubscribe()
    const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    const { endpoint, keys } = subscription.toJSON()
    if (!endpoint || !keys?.p256dh || !keys.auth)
      throw new ValidationError('The browser returned no push subscription.')
    const user = client.internal.current?.record.objectId
    const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions()
    await request(
      client,
      'createInstallation',
      {
        deviceType: 'web',
        deviceToken: endpoint,
        pushKeys: { p256dh: keys.p256dh, auth: keys.auth },
        // Recipient of the pushes: no user if nobody is signed in.
        user: user === undefined ? { __op: 'Delete' } : { __type: 'Pointer', className: '_User', objectId: user },
        ...(channels && { channels: [...channels] }),
        timeZone,
        localeIdentifier: locale,
      },
      { signal },
    )
    return 'subscribed'
  } finally {
    invalidateReadings(client, 'pushState')
  }
}

/** Ends the subscription in the browser first: later pushes of the server are lost. */
export async function unsubscribe(client: Client, worker: string = defaultWorker, signal?: AbortSignal): Promise<void> {
  try {
    const registration = await findRegistration(worker)
    const subscription = await registration?.pushManager.getSubscription()
    if (!subscription) return
    await subscription.unsubscribe()
    const gone = { deviceToken: null, pushKeys: { __op: 'Delete' }, user: { __op: 'Delete' } } as const
    await request(client, 'createInstallation', gone, { signal }).catch((error) => {
      // The server has no such device: there is nothing to end.
      if (error.code !== errorCodes.MissingRequiredField) throw error
    })
  } finally {
    invalidateReadings(client, 'pushState')
  }
}

/** The registration of our worker, and not that of another one for the same pages. */
async function findRegistration(worker: string): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await navigator.serviceWorker.getRegistration(scopeOf(worker))
  const { active, waiting, installing } = registration ?? {}
  const script = (active ?? waiting ?? installing)?.scriptURL
  return script === new URL(worker, location.href).href ? registration : undefined
}

const scopeOf = (worker: string) => new URL('.', new URL(worker, location.href)).href

async function register(worker: string): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(trust(worker) as string)
  const started = registration.installing ?? registration.waiting
  if (registration.active || !started) return registration
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      if (started.state === 'activated') resolve()
      if (started.state === 'redundant') reject(new ValidationError(`The service worker ${worker} did not start.`))
    }
    started.addEventListener('statechange', look)
    look()
  })
  return registration
}

type Policies = {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): unknown }
}

/** For pages with trusted types: `trusted-types countersign-push` in their policy lets the worker be started. */
function trust(worker: string): unknown {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies }
  const url = new URL(worker, location.href)
  if (url.origin !== location.origin)
    throw new ValidationError('The service worker must have the same origin as the page.')
  try {
    policy ??= trustedTypes?.createPolicy('countersign-push', { createScriptURL: (given) => given })
  } catch {
    // The page allows no such policy. If it requires trusted types, the browser rejects the worker with an error.
  }
  return policy?.createScriptURL(url.href) ?? url.href
}

let policy: ReturnType<Policies['createPolicy']> | undefined

function isFor({ options }: PushSubscription, publicKey: string): boolean {
  const key = options?.applicationServerKey
  if (!key) return false
  const text = btoa(String.fromCharCode(...new Uint8Array(key)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === publicKey.replace(/=+$/, '')
}
