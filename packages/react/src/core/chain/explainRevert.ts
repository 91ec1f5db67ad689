import { type Abi, decodeErrorResult, type Hex, isHex, parseAbi } from 'viem'
import { UserRejectedError } from '../errors/reasonErrors.ts'
import { type Revert, RevertError } from '../errors/walletErrors.ts'

/** The refusals that token contracts have in common (ERC-6093), for ABIs that leave them out. */
const standardErrors = parseAbi([
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC721NonexistentToken(uint256 tokenId)',
  'error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)',
  'error ERC721InvalidReceiver(address receiver)',
  'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
  'error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)',
  'error ERC1155InvalidReceiver(address receiver)',
  'error ERC1155MissingApprovalForAll(address operator, address owner)',
])

const panics = new Map<unknown, string>([
  [0x01n, 'one of its own assertions failed'],
  [0x11n, 'a number went below zero or above its type (overflow)'],
  [0x12n, 'it divided by zero'],
  [0x21n, 'a value is not in its enumeration'],
  [0x22n, 'its storage is encoded incorrectly'],
  [0x31n, 'it removed an element from an empty array'],
  [0x32n, 'an array index is out of bounds'],
  [0x41n, 'it ran out of memory'],
  [0x51n, 'it called an uninitialized function'],
])

const wrappers = ['data', 'error', 'originalError', 'cause', 'result'] as const

/** Throws a contract's refusal as such, and anything else as it came. */
export function explainRevert(error: unknown, abi: unknown, hash?: string): never {
  const cause = error instanceof Error ? error.cause : error
  // The person said no, whatever else the wallet adds to it.
  if (error instanceof UserRejectedError) throw error
  const data = findRevertData(cause)
  if (data !== undefined) throw new RevertError({ ...describeRevert(data, abi), hash }, cause)
  // Without data there is only the node's own sentence to go by.
  const sentence =
    error instanceof Error ? error.message.match(/revert(?:ed)?(?: with reason string)?:? ?'?([^']*)/i) : null
  if (sentence) throw new RevertError({ reason: sentence[1]?.trim().slice(0, 200) || 'it gave no reason', hash }, cause)
  throw error
}

/** The bytes of a refusal, which nodes give as `data` and wallets wrap once or twice. */
function findRevertData(error: unknown, depth = 0): Hex | undefined {
  if (depth > 6 || typeof error !== 'object' || error === null) return undefined
  const { data } = error as { data?: unknown }
  const given = typeof data === 'string' ? data.replace(/^Reverted /, '') : undefined
  if (isHex(given) && given.length % 2 === 0) return given
  for (const key of wrappers) {
    const found = findRevertData((error as Record<string, unknown>)[key], depth + 1)
    if (found) return found
  }
  return undefined
}

/** Describes a contract's revert in plain words. */
function describeRevert(data: Hex, abi: unknown): Revert {
  if (data === '0x') return { reason: 'it gave no reason', data }
  const decoded = decode(data, abi)
  if (!decoded) return { reason: `with an error that its ABI does not name (${data.slice(0, 10)})`, data }
  const { errorName, args = [], abiItem } = decoded
  if (errorName === 'Error') return { reason: clip(String(args[0])), data }
  if (errorName === 'Panic') return { reason: panics.get(args[0]) ?? `it failed (panic ${args[0]})`, data }
  const { inputs = [] } = abiItem
  const shown = args.map((value, index) => {
    const name = inputs[index]?.name
    return name ? `${name}: ${write(value)}` : write(value)
  })
  return { reason: clip(`${errorName}(${shown.join(', ')})`), errorName, args, data }
}

type Decoded = {
  readonly errorName: string
  readonly args?: readonly unknown[]
  readonly abiItem: { readonly inputs?: readonly { readonly name?: string }[] }
}

function decode(data: Hex, abi: unknown): Decoded | undefined {
  const own: Abi = Array.isArray(abi) ? abi.filter((item) => item?.type === 'error') : []
  try {
    return decodeErrorResult({ abi: [...own, ...standardErrors], data }) as Decoded
  } catch {
    return undefined
  }
}

function write(value: unknown): string {
  return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? one.toString() : one))?.replaceAll('"', '') ?? ''
}

/** A contract chooses the text: many lines could imitate the page's own words. */
function clip(text: string): string {
  const line = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 200)}…` : line || 'it gave no reason'
}
