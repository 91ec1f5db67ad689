import { keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

export const deployerKey = keccak256(toHex('Countersign test chain: deployer'))

/** The account that has all the ether and pays for every deployment. */
export const deployer = privateKeyToAccount(deployerKey)
