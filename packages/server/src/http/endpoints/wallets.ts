import type { UserRecord } from '@countersign/protocol'
import { createChallenge } from '../../auth/createChallenge.ts'
import { linkWallet } from '../../auth/wallets/linkWallet.ts'
import { signInWithWallet } from '../../auth/wallets/signInWithWallet.ts'
import { listWallets } from '../../auth/wallets/wallets.ts'
import { defineEndpoint, type Endpoint, respond } from '../Endpoint.ts'

export const walletEndpoints: Endpoint[] = [
  defineEndpoint('createChallenge', {
    handle: ({ context, caller, input }) => createChallenge(context, caller, input),
  }),
  defineEndpoint('signInWithWallet', {
    async handle({ context, caller, input }) {
      const { user, isNew } = await signInWithWallet(context, caller, input)
      return isNew ? respond(user as UserRecord, { status: 201 }) : (user as UserRecord)
    },
  }),
  defineEndpoint('listWallets', { handle: ({ context, caller }) => listWallets(context, caller) }),
  defineEndpoint('linkWallet', { handle: ({ context, caller, input }) => linkWallet(context, caller, input) }),
]
