import { createFarcasterChallenge } from '../../auth/providers/farcaster.ts'
import {
  createProviderChallenge,
  linkFarcaster,
  linkProvider,
  listProviders,
  signInWithFarcaster,
  signInWithProvider,
} from '../../auth/providers/providerSignIn.ts'
import { restoreIdentity, unlinkIdentity } from '../../auth/providers/unlinkIdentity.ts'
import { defineEndpoint, type Endpoint, respond } from '../Endpoint.ts'

export const providerEndpoints: Endpoint[] = [
  defineEndpoint('listProviders', { handle: async ({ context }) => listProviders(context) }),
  defineEndpoint('createProviderChallenge', {
    handle: ({ context, caller, input, params }) => createProviderChallenge(context, caller, params.provider, input),
  }),
  defineEndpoint('signInWithProvider', {
    async handle({ context, caller, input }) {
      const { user, isNew } = await signInWithProvider(context, caller, input)
      return isNew ? respond(user, { status: 201 }) : user
    },
  }),
  defineEndpoint('linkProvider', { handle: ({ context, caller, input }) => linkProvider(context, caller, input) }),
  defineEndpoint('createFarcasterChallenge', {
    handle: ({ context, caller, input }) => createFarcasterChallenge(context, caller, input),
  }),
  defineEndpoint('signInWithFarcaster', {
    async handle({ context, caller, input }) {
      const { user, isNew } = await signInWithFarcaster(context, caller, input)
      return isNew ? respond(user, { status: 201 }) : user
    },
  }),
  defineEndpoint('linkFarcaster', { handle: ({ context, caller, input }) => linkFarcaster(context, caller, input) }),
  defineEndpoint('unlinkIdentity', {
    handle: ({ context, caller, params }) => unlinkIdentity(context, caller, params.provider),
  }),
  defineEndpoint('restoreIdentity', {
    handle: ({ context, caller, params }) => restoreIdentity(context, caller, params.provider),
  }),
]
