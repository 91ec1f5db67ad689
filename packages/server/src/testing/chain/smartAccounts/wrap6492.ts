import { type Hex, serializeErc6492Signature } from 'viem'
import { smartAccountFactory } from './deploySmartAccountFactory.ts'
import { encodeCreateAccount, type SmartAccountSeed } from './encodeCreateAccount.ts'

/** The owner's signature with what it takes to deploy the account first (ERC-6492). */
export const wrap6492 = (seed: SmartAccountSeed, signature: Hex): Hex =>
  serializeErc6492Signature({ address: smartAccountFactory, data: encodeCreateAccount(seed), signature })
