import type { Hex } from 'viem'
import type { createWallet } from '../chain/createWallet.ts'
import type { Signer } from '../signIn.ts'

export type Key = ReturnType<typeof createWallet>
export const on = { chainId: 31_337 }
/** Signer for a contract: its address, and a key that it accepts as its owner's. */
export const as = (
  address: string,
  owner: Pick<Key, 'signMessage'>,
  wrap = (signature: Hex): Hex => signature,
): Signer => ({
  address,
  signMessage: async (message) => wrap(await owner.signMessage(message)),
})
export const notItsOwn = { status: 401, body: { error: 'The signature does not match the account.' } }
