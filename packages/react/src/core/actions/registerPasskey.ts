import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { Passkey } from '../Passkey.ts'
import { invalidatePasskeys } from '../passkey/invalidatePasskeys.ts'
import { loadPasskeys } from '../passkey/loadPasskeys.ts'
import { requirePasskeys } from '../passkey/requirePasskeys.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import { toDated } from '../wire/toDated.ts'

export type RegisterPasskeyInput = {
  /** What the user calls it, to tell it from others. */
  name?: string
}

/**
 * Adds a passkey to the user's account: the browser makes it, the server keeps its public half. The server wants a
 * proof of late for it (`stepUp`).
 *
 * @example
 * await registerPasskey(client, { name: 'My phone' })
 */
export function registerPasskey(
  client: Client,
  input: RegisterPasskeyInput = {},
  callbacks: Callbacks<Passkey> = {},
): Promise<Passkey | undefined> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'adding a passkey')
    requirePasskeys()
    const [{ options }, { createPasskey }] = await Promise.all([
      request(client, 'createPasskeyRegistration', {}, callbacks),
      loadPasskeys(),
    ])
    const credential = await createPasskey(options, callbacks.signal)
    const record = await request(client, 'registerPasskey', { credential, name: input.name }, callbacks)
    invalidatePasskeys(client)
    return toDated(record)
  })
}
