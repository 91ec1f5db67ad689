import { createPasskeyChallenge } from '../../auth/passkeys/createPasskeyChallenge.ts'
import { createPasskeyRegistration } from '../../auth/passkeys/createPasskeyRegistration.ts'
import { listPasskeys } from '../../auth/passkeys/listPasskeys.ts'
import { registerPasskey } from '../../auth/passkeys/registerPasskey.ts'
import { removePasskey } from '../../auth/passkeys/removePasskey.ts'
import { signInWithPasskey } from '../../auth/passkeys/signInWithPasskey.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

export const passkeyEndpoints: Endpoint[] = [
  defineEndpoint('createPasskeyRegistration', {
    handle: ({ context, caller }) => createPasskeyRegistration(context, caller),
  }),
  defineEndpoint('registerPasskey', {
    handle: ({ context, caller, input }) => registerPasskey(context, caller, input),
  }),
  defineEndpoint('createPasskeyChallenge', {
    handle: ({ context, caller, input }) => createPasskeyChallenge(context, caller, input.purpose ?? 'signIn'),
  }),
  defineEndpoint('signInWithPasskey', {
    handle: ({ context, caller, input }) => signInWithPasskey(context, caller, input),
  }),
  defineEndpoint('listPasskeys', { handle: ({ context, caller }) => listPasskeys(context, caller) }),
  defineEndpoint('removePasskey', {
    handle: ({ context, caller, params }) => removePasskey(context, caller, params.objectId),
  }),
]
