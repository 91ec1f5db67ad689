import type { Client } from '../client/Client.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { ValidationError } from '../errors/errors.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import type { PushInput, PushState, SubscribeToPushInput } from './PushState.ts'

/** Fetched with the first question about push notifications. */
const loadPush = /*#__PURE__*/ loadOnce(() => import('./pushManager.ts'))

/**
 * Reads the push state of this browser without a prompt.
 *
 * @example
 * const isAllowed = (await getPushState(client)) === 'subscribed'
 */
export function getPushState(client: Client, { worker }: PushInput = {}): Promise<PushState> {
  if (!isPushSupported()) return Promise.resolve('unsupported')
  return runAction(client, async () => (await loadPush()).readPushState(worker))
}

/**
 * Turns on push notifications in this browser, those of the signed-in user included. The browser prompts the person, so
 * call it on the press of a button. Returns `denied` or `default` if the person does not allow it.
 *
 * @example
 * const turnOn = () => subscribeToPush(client, { channels: ['news'] })
 */
export function subscribeToPush(
  client: Client,
  input: SubscribeToPushInput = {},
  { signal }: ActionOptions = {},
): Promise<PushState> {
  if (!isPushSupported()) return Promise.resolve('unsupported')
  // At once: browsers ask only while a press is handled.
  const asked = askPerson()
  return runAction(client, async () => {
    const [permission, push] = await Promise.all([asked, loadPush()])
    return push.subscribe(client, input, permission, signal)
  })
}

/**
 * Ends push notifications in this browser.
 *
 * @example
 * await unsubscribeFromPush(client)
 */
export function unsubscribeFromPush(
  client: Client,
  { worker }: PushInput = {},
  { signal }: ActionOptions = {},
): Promise<void> {
  if (!isPushSupported()) return Promise.resolve()
  return runAction(client, async () => (await loadPush()).unsubscribe(client, worker, signal))
}

function isPushSupported(): boolean {
  return 'PushManager' in globalThis && 'Notification' in globalThis && 'serviceWorker' in (globalThis.navigator ?? {})
}

/** Prompts only after a press: people refuse unasked prompts, permanently. */
async function askPerson(): Promise<NotificationPermission> {
  if (Notification.permission !== 'default') return Notification.permission
  if (navigator.userActivation?.isActive === false)
    throw new ValidationError('Request push notifications only when the user clicks a button.')
  return Notification.requestPermission()
}
