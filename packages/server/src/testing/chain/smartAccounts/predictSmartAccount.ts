import { type Address, getCreate2Address, keccak256 } from 'viem'
import { getArtifact } from '../getArtifact.ts'
import { smartAccountFactory } from './deploySmartAccountFactory.ts'
import { toSalt } from './encodeCreateAccount.ts'

/** The address of the account before it is deployed: the same on every chain and for every owner. */
export const predictSmartAccount = ({ salt }: { salt: string }): Address =>
  getCreate2Address({
    from: smartAccountFactory,
    salt: toSalt(salt),
    bytecodeHash: keccak256(getArtifact('SmartAccount').bytecode),
  })
