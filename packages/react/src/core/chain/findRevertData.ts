import { type Hex, isHex } from 'viem'

const wrappers = ['data', 'error', 'originalError', 'cause', 'result'] as const

/** The bytes of a refusal, which nodes give as `data` and wallets wrap once or twice. */
export function findRevertData(error: unknown, depth = 0): Hex | undefined {
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
