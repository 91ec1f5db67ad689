import { keccak256 } from './keccak256.ts'

const lowerCase = /^0x[0-9a-f]{40}$/

/** The address as people see it, from any spelling that is right. */
export function spellEvmAddress(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined
  const plain = text.toLowerCase()
  const spelt = checksumAddress(plain)
  return text === spelt || text === plain || text === `0x${text.slice(2).toUpperCase()}` ? spelt : undefined
}

/** An address in lower case: how it is kept and compared. Mixed case must be the right checksum (EIP-55). */
export function readEvmAddress(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined
  const plain = text.toLowerCase()
  const upper = `0x${text.slice(2).toUpperCase()}`
  return text === plain || text === upper || text === checksumAddress(plain) ? plain : undefined
}

/** The address as people see it. */
export function checksumAddress(address: string): string {
  if (!lowerCase.test(address)) throw new Error('an address in lower case is needed')
  const hash = Buffer.from(keccak256(Buffer.from(address.slice(2)))).toString('hex')
  const letters = [...address.slice(2)].map((letter, index) =>
    Number.parseInt(hash[index] as string, 16) > 7 ? letter.toUpperCase() : letter,
  )
  return `0x${letters.join('')}`
}
