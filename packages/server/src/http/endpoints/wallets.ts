import type { UserRecord } from '@countersign/protocol'
import { z } from 'zod'
import { createChallenge } from '../../auth/createChallenge.ts'
import { linkWallet } from '../../auth/linkWallet.ts'
import { listWallets } from '../../auth/listWallets.ts'
import { purposes } from '../../auth/Namespace.ts'
import { signInWithWallet } from '../../auth/signInWithWallet.ts'
import { defineEndpoint, type Endpoint, respond } from '../Endpoint.ts'

export const walletEndpoints: Endpoint[] = [
  defineEndpoint('createChallenge', {
    summary: 'The message that a wallet is to sign (EIP-4361), with a nonce for this browser alone.',
    session: 'tolerated',
    binds: 'begins',
    describedInput: z.object({
      purpose: z.enum(purposes).optional(),
      namespace: z.enum(['eip155', 'solana']).optional(),
      address: z.string().optional(),
      chainId: z.union([z.number(), z.string()]).optional(),
    }),
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
