import { requestEmailCode } from '../../auth/emailCode/emailCodes.ts'
import { signInWithEmailCode, signInWithEmailLink } from '../../auth/emailCode/signInWithEmailCode.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

export const emailCodeEndpoints: Endpoint[] = [
  defineEndpoint('requestEmailCode', {
    handle: ({ context, caller, input }) => requestEmailCode(context, caller, input),
  }),
  defineEndpoint('signInWithEmailCode', {
    handle: ({ context, caller, input }) => signInWithEmailCode(context, caller, input),
  }),
  defineEndpoint('signInWithEmailLink', {
    handle: ({ context, caller, input }) => signInWithEmailLink(context, caller, input),
  }),
]
