import type { Client } from '../client/Client.ts'
import { requireString } from '../client/guards.ts'
import type { FarcasterInput } from './FarcasterInput.ts'
import { signByRelay } from './farcasterRelay.ts'
import { request } from './request.ts'

/** A challenge of the server, as the person's Farcaster app signed it. */
export async function askFarcaster(
  client: Client,
  purpose: 'signIn' | 'link' | 'reauthenticate',
  input: FarcasterInput,
  signal: AbortSignal | undefined,
): Promise<{ message: string; signature: string }> {
  const challenge = await request(client, 'createFarcasterChallenge', { purpose }, { signal })
  const signed = input.sign
    ? input.sign({ ...challenge, acceptAuthAddress: false })
    : signByRelay(client, challenge, input.onUrl, signal)
  const { message, signature } = await signed
  requireString('message', message)
  requireString('signature', signature)
  return { message, signature }
}
