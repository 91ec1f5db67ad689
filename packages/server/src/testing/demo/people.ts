import { keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** An account whose key everyone can work out: there is nothing to take on this chain. */
const createPerson = (name: string) => ({
  name,
  account: privateKeyToAccount(keccak256(toHex(`Countersign demo: ${name}`))),
})

/** Person that a visitor signs in as. */
export const ada = { ...createPerson('ada'), password: 'correct horse' }

/** People on the chain. */
export const people = [
  ada,
  ...['bruno', 'chidi', 'dalia', 'emre', 'farah', 'goran', 'hana', 'ines', 'jonas', 'kofi', 'lina'].map(createPerson),
]
