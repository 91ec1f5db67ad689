import { CountersignError } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { cancelled, sleep, ValidationError } from '../errors/errors.ts'
import { fetchText } from '../http/sendRequest.ts'
import type { FarcasterChallenge } from './FarcasterInput.ts'

/** Milliseconds between two questions whether the person has signed. */
const pause = 1_500

/** Milliseconds that the challenge counts, by this page's own clock. */
const answerTime = 10 * 60_000

/** Time (ms) that the relay may take for one response. */
const patience = 10_000

/**
 * Asks a person's Farcaster app to sign, by a relay as in Farcaster Auth: the page shows an address, the app signs, the
 * relay passes on the signature. The relay is not trusted: the server checks the signature.
 */
export async function signByRelay(
  client: Client,
  { relay, nonce, domain, siweUri, expirationTime }: FarcasterChallenge,
  onUrl: (url: string) => void,
  signal: AbortSignal | undefined,
): Promise<{ message: string; signature: string }> {
  if (!relay) throw new ValidationError('Pass sign, or set auth.farcaster.relay on the server.')
  const fetch = client.internal.options.fetch ?? globalThis.fetch
  const ask = async (path: string, init: RequestInit): Promise<{ readonly [name: string]: unknown }> => {
    const { response, text } = await fetchText(fetch, `${relay}/v1/${path}`, init, patience, signal)
    if (!response.ok) throw new Error(`The relay responded with ${response.status}.`)
    return JSON.parse(text)
  }
  const unavailable = (cause: unknown) =>
    new CountersignError('ConnectionFailed', 'Farcaster cannot be reached. Try again in a moment.', {
      reason: 'providerUnavailable',
      params: { provider: 'Farcaster' },
      details: `The relay at ${relay} returned an invalid response.`,
      cause,
    })
  // The server accepts only a signature of the custody address.
  const asked = { nonce, domain, siweUri, expirationTime, acceptAuthAddress: false }
  const opened = await ask('channel', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(asked),
    credentials: 'omit',
  }).catch((cause) => {
    throw signal?.aborted ? cancelled(signal) : unavailable(cause)
  })
  const { channelToken, url } = opened
  // An address of another scheme could run script in the page that shows it as a link.
  if (typeof channelToken !== 'string' || typeof url !== 'string' || !/^(https|farcaster):\/\//.test(url))
    throw unavailable(undefined)
  onUrl(url)
  const headers = { Authorization: `Bearer ${channelToken}` }
  let failures = 0
  const until = Date.now() + answerTime
  while (Date.now() < until) {
    await sleep(pause, signal)
    if (signal?.aborted) throw cancelled(signal)
    try {
      const { state, message, signature } = await ask('channel/status', { headers, credentials: 'omit' })
      if (state === 'completed') return { message: String(message), signature: String(signature) }
      failures = 0
    } catch (cause) {
      failures += 1
      if (failures > 5) throw unavailable(cause)
    }
  }
  throw new CountersignError('OtherCause', 'The request was canceled.', { reason: 'cancelled' })
}
