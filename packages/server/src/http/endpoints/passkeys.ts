import { createPasskeyChallenge, createPasskeyRegistration } from '../../auth/passkeys/passkeyChallenges.ts'
import { listPasskeys } from '../../auth/passkeys/passkeys.ts'
import { registerPasskey } from '../../auth/passkeys/registerPasskey.ts'
import { removePasskey, restorePasskey } from '../../auth/passkeys/removePasskey.ts'
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
  defineEndpoint('restorePasskey', {
    handle: ({ context, caller, params }) => restorePasskey(context, caller, params.objectId),
  }),
]
