import { checksumAddress } from '../../values/checksumAddress.ts'

/** Accounts of a wallet's response or event, with their checksum; empty if it is not a list of texts. */
export function readAccounts(answer: unknown): readonly string[] {
  return Array.isArray(answer) ? answer.filter((one) => typeof one === 'string').map(checksumAddress) : []
}
