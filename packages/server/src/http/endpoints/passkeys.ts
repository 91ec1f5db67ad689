import { z } from 'zod'
import { createPasskeyChallenge } from '../../auth/passkeys/createPasskeyChallenge.ts'
import { createPasskeyRegistration } from '../../auth/passkeys/createPasskeyRegistration.ts'
import { listPasskeys } from '../../auth/passkeys/listPasskeys.ts'
import { registerPasskey } from '../../auth/passkeys/registerPasskey.ts'
import { removePasskey } from '../../auth/passkeys/removePasskey.ts'
import { signInWithPasskey } from '../../auth/passkeys/signInWithPasskey.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

const credential = z.looseObject({}).describe('What PublicKeyCredential.toJSON() gives')

export const passkeyEndpoints: Endpoint[] = [
  defineEndpoint('createPasskeyRegistration', {
    summary: 'What a browser needs to make a passkey for the caller, for this browser alone.',
    binds: 'begins',
    handle: ({ context, caller }) => createPasskeyRegistration(context, caller),
  }),
  defineEndpoint('registerPasskey', {
    summary: "Add a passkey to the caller's account.",
    status: 201,
    describedInput: z.object({ credential, name: z.string().optional() }),
    handle: ({ context, caller, input }) => registerPasskey(context, caller, input),
  }),
  defineEndpoint('createPasskeyChallenge', {
    summary: 'What a browser needs to ask for a passkey, for this browser alone.',
    session: 'tolerated',
    binds: 'begins',
    describedInput: z.object({ purpose: z.enum(['signIn', 'stepUp']).optional() }),
    handle: ({ context, caller, input }) => createPasskeyChallenge(context, caller, input),
  }),
  defineEndpoint('signInWithPasskey', {
    summary: 'Open a session by a passkey, without a user name.',
    session: 'dropped',
    binds: 'ends',
    describedInput: z.object({ credential }),
    handle: ({ context, caller, input }) => signInWithPasskey(context, caller, input),
  }),
  defineEndpoint('listPasskeys', {
    summary: "The caller's passkeys.",
    handle: ({ context, caller }) => listPasskeys(context, caller),
  }),
  defineEndpoint('removePasskey', {
    summary: "Take one of the caller's passkeys away, unless it is the last way in.",
    handle: ({ context, caller, params }) => removePasskey(context, caller, params.objectId ?? ''),
  }),
]
