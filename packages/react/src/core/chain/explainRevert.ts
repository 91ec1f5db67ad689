import { RevertError } from '../errors/RevertError.ts'
import { describeRevert } from './describeRevert.ts'
import { findRevertData } from './findRevertData.ts'

/** Throws a contract's refusal as such, and anything else as it came. */
export function explainRevert(error: unknown, abi: unknown, hash?: string): never {
  const cause = error instanceof Error ? error.cause : error
  // The person said no, whatever else the wallet adds to it.
  if (Object(cause).code === 4001) throw error
  const data = findRevertData(cause)
  if (data !== undefined) throw new RevertError({ ...describeRevert(data, abi), hash }, cause)
  // Without data there is only the node's own sentence to tell it by.
  const told =
    error instanceof Error ? error.message.match(/revert(?:ed)?(?: with reason string)?:? ?'?([^']*)/i) : null
  if (told) throw new RevertError({ reason: told[1]?.trim().slice(0, 200) || 'it gave no reason', hash }, cause)
  throw error
}
