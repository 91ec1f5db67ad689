import {
  confirmTotp,
  forgetDevices,
  getSecondFactor,
  removeSecondFactor,
  signInWithSecondFactor,
  startTotp,
  updateSecondFactor,
} from '../../auth/secondFactor/secondFactor.ts'
import { defineEndpoint, type Endpoint, respond } from '../Endpoint.ts'
import { writeDeviceCookie } from '../request/cookies.ts'

export const secondFactorEndpoints: Endpoint[] = [
  defineEndpoint('getSecondFactor', { handle: ({ context, caller }) => getSecondFactor(context, caller) }),
  defineEndpoint('updateSecondFactor', {
    handle: ({ context, caller, input }) => updateSecondFactor(context, caller, input),
  }),
  defineEndpoint('removeSecondFactor', { handle: ({ context, caller }) => removeSecondFactor(context, caller) }),
  defineEndpoint('forgetDevices', { handle: ({ context, caller }) => forgetDevices(context, caller) }),
  defineEndpoint('startTotp', { handle: ({ context, caller, input }) => startTotp(context, caller, input) }),
  defineEndpoint('confirmTotp', {
    handle: ({ context, caller, input }) => confirmTotp(context, caller, input.code),
  }),
  defineEndpoint('signInWithSecondFactor', {
    async handle({ context, caller, input }) {
      const { user, device } = await signInWithSecondFactor(context, caller, input)
      return device === undefined
        ? user
        : respond(user, { headers: { 'Set-Cookie': writeDeviceCookie(context, device) } })
    },
  }),
]
