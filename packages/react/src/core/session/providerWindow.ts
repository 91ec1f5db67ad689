import { CountersignError, type ProviderResponse } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { requireConnection, requireString } from '../client/guards.ts'
import { ValidationError } from '../errors/errors.ts'
import type { ProviderInput } from './ProviderInput.ts'
import { request } from './request.ts'

/** Channel by which a popup without its opener reaches the page, within one origin. */
const channelName = 'countersign:provider'

/** Interval (ms) at which the popup is checked. */
const glance = 300

/** Sends the person to the provider, in a popup or with the whole page, and returns the response. */
export async function askProvider(
  client: Client,
  purpose: 'signIn' | 'link' | 'reauthenticate',
  input: ProviderInput,
  popup: Window | undefined,
  signal: AbortSignal | undefined,
): Promise<ProviderResponse> {
  if ('response' in input) return input.response
  requireString('provider', input.provider)
  const { location } = globalThis as Partial<typeof globalThis>
  if (!location) throw new ValidationError('Provider sign-in needs a browser. Native apps send an ID token.')
  const { provider, returnTo = `${location.pathname}${location.search}` } = input
  // Without a window, because the browser blocks it or nobody clicked, the page itself goes.
  const display = popup ? 'popup' : 'redirect'
  const asked = { provider, purpose, display, returnTo } as const
  const { url, state } = await request(client, 'createProviderChallenge', asked, { signal })
  if (!popup) return leaveFor(url)
  popup.location.href = url
  const { serverUrl } = requireConnection(client)
  return waitForPopup(popup, state, new URL(serverUrl, location.href).origin, signal)
}

/** Waits for the provider's response in a popup. */
function waitForPopup(
  popup: Window,
  state: string,
  serverOrigin: string,
  signal: AbortSignal | undefined,
): Promise<ProviderResponse> {
  return new Promise((resolve, reject) => {
    const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(channelName) : undefined
    let missing = 0
    const timer = setInterval(() => {
      // A provider that cuts the popup off makes it look closed; while the person is in it, this page has no focus.
      missing = popup.closed && document.hasFocus() ? missing + 1 : 0
      if (missing * glance > 1_500) end(() => reject(cancelled()))
    }, glance)
    const receive = (data: unknown) => {
      const { type, state: theirs, code, iss, error } = (data ?? {}) as { readonly [name: string]: unknown }
      if (type !== channelName || theirs !== state) return
      end(() => resolve(pickResponse({ state, code, iss, error })))
    }
    const onMessage = ({ origin, data }: MessageEvent) => origin === serverOrigin && receive(data)
    const onAbort = () => end(() => reject(cancelled()))
    const end = (settle: () => void) => {
      clearInterval(timer)
      removeEventListener('message', onMessage)
      signal?.removeEventListener('abort', onAbort)
      channel?.close()
      popup.close()
      settle()
    }
    addEventListener('message', onMessage)
    channel?.addEventListener('message', ({ data }) => receive(data))
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
  })
}

/**
 * Leaves this page for the provider. A page restored from the browser's cache means that the person did not continue.
 */
function leaveFor(url: string): Promise<never> {
  return new Promise((_, reject) => {
    addEventListener('pageshow', ({ persisted }) => persisted && reject(cancelled()), { once: true })
    location.assign(url)
  })
}

const cancelled = () => new CountersignError('OtherCause', 'The sign-in was canceled.', { reason: 'cancelled' })

export type ProviderReturn = { readonly provider: string; readonly response: ProviderResponse }

/** Takes a provider's response out of the address, once. A popup passes it to the page that opened it, and closes. */
export function takeProviderReturn(): ProviderReturn | undefined {
  const { location, history } = globalThis as Partial<typeof globalThis>
  if (!location?.hash.startsWith('#signInWith=')) return undefined
  const {
    signInWith: provider = '',
    display,
    ...given
  } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
  history?.replaceState(history.state, '', `${location.pathname}${location.search}`)
  if (display !== 'popup') return { provider, response: pickResponse(given) }
  const channel = new BroadcastChannel(channelName)
  channel.postMessage({ type: channelName, ...given })
  channel.close()
  close()
  return undefined
}

function pickResponse({ state, code, iss, error }: { readonly [name: string]: unknown }): ProviderResponse {
  return {
    state: String(state ?? ''),
    ...(typeof code === 'string' && { code }),
    ...(typeof iss === 'string' && { iss }),
    ...(typeof error === 'string' && { error }),
  }
}
