import type { WireFields } from '@countersign/protocol'
import { PasskeyError } from '../errors/PasskeyError.ts'
import { readCreationOptions, readRequestOptions } from './readOptions.ts'
import { writeCredential } from './writeCredential.ts'

/** Has the browser make a passkey. */
export function createPasskey(options: WireFields, signal?: AbortSignal): Promise<WireFields> {
  return ask(() => navigator.credentials.create({ publicKey: readCreationOptions(options), signal }))
}

/** Has the browser use a passkey that the person chooses. */
export function getPasskey(options: WireFields, signal?: AbortSignal): Promise<WireFields> {
  return ask(() => navigator.credentials.get({ publicKey: readRequestOptions(options), signal }))
}

async function ask(prompt: () => Promise<Credential | null>): Promise<WireFields> {
  const credential = await prompt().catch((cause: Error) => {
    throw new PasskeyError(cause)
  })
  return writeCredential(credential as PublicKeyCredential)
}
