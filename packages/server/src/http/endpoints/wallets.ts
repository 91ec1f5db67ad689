import { z } from 'zod'
import { createChallenge } from '../../auth/createChallenge.ts'
import { linkWallet } from '../../auth/linkWallet.ts'
import { listWallets } from '../../auth/listWallets.ts'
import { purposes } from '../../auth/Namespace.ts'
import { signInWithWallet } from '../../auth/signInWithWallet.ts'
import { created, defineEndpoint, type Endpoint } from '../Endpoint.ts'

const proof = z.object({
  message: z.string().describe('The text that was signed, as it was given'),
  signature: z.string().describe('Hexadecimal for EVM; base64 or base58 for Solana'),
})

export const walletEndpoints: Endpoint[] = [
  defineEndpoint('createChallenge', {
    summary: 'The message that a wallet is to sign (EIP-4361), with a nonce for this browser alone.',
    session: 'tolerated',
    binds: 'begins',
    input: z.object({
      purpose: z.enum(purposes).optional(),
      namespace: z.enum(['eip155', 'solana']).optional(),
      address: z.string().optional(),
      chainId: z.union([z.number(), z.string()]).optional(),
    }),
    handle: (context, caller, input) => createChallenge(context, caller, input),
  }),
  defineEndpoint('signInWithWallet', {
    summary: 'Open a session by a signed challenge; the account is made on first use.',
    session: 'dropped',
    binds: 'ends',
    input: proof,
    async handle(context, caller, input) {
      const { user, isNew } = await signInWithWallet(context, caller, input)
      return isNew ? created(user) : user
    },
  }),
  defineEndpoint('listWallets', {
    summary: "The caller's wallets.",
    handle: (context, caller) => listWallets(context, caller),
  }),
  defineEndpoint('linkWallet', {
    summary: "Add a wallet to the caller's account by a challenge signed for the purpose link.",
    status: 201,
    input: proof,
    handle: (context, caller, input) => linkWallet(context, caller, input),
  }),
]
