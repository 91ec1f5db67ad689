import { type Address, encodeFunctionData, type Hex, keccak256, parseAbi, toHex } from 'viem'

export type SmartAccountSeed = {
  owner: Address
  /** Any text. */
  salt: string
}

export const toSalt = (salt: string): Hex => keccak256(toHex(salt))

/** The call to the factory that deploys the account. */
export const encodeCreateAccount = ({ owner, salt }: SmartAccountSeed): Hex =>
  encodeFunctionData({
    abi: parseAbi(['function createAccount(address owner, bytes32 salt) returns (address)']),
    args: [owner, toSalt(salt)],
  })
