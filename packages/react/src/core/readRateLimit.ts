import type { RateLimit } from '@countersign/protocol'

/** The values of the rate-limit headers (R23), in their standard and in their older spelling. */
export function readRateLimit(headers: Headers): RateLimit {
  const read = (name: string) => toNumber(headers.get(`RateLimit-${name}`) ?? headers.get(`X-RateLimit-${name}`))
  const rateLimit: RateLimit = {}
  const limit = read('Limit')
  const remaining = read('Remaining')
  const reset = read('Reset')
  const retryAfter = readRetryAfter(headers.get('Retry-After'))
  if (limit !== undefined) rateLimit.limit = limit
  if (remaining !== undefined) rateLimit.remaining = remaining
  if (reset !== undefined) rateLimit.reset = reset
  if (retryAfter !== undefined) rateLimit.retryAfter = retryAfter
  return rateLimit
}

function toNumber(text: string | null): number | undefined {
  const value = text === null ? Number.NaN : Number.parseFloat(text)
  return Number.isFinite(value) ? value : undefined
}

/** Seconds, also where the header names a moment. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null || /^\s*\d/.test(text)) return toNumber(text)
  const seconds = Math.ceil((Date.parse(text) - Date.now()) / 1000)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}
