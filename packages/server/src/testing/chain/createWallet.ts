import type { Hex, PrivateKeyAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** A key as an extension wallet holds one: it signs messages, typed data and delegations. */
export const createWallet = (privateKey: Hex = generatePrivateKey()): PrivateKeyAccount =>
  privateKeyToAccount(privateKey)
