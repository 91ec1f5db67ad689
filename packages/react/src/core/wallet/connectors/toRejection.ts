import { ProviderError } from '../../errors/ProviderError.ts'

/** EIP-1193's code for a person who said no. SDKs have codes of their own, or only words. */
const rejected = 4001

/** Gives the refusals of an SDK the one code that pages look for; other failures stay what they are. */
export function toRejection(cause: unknown, codes: readonly number[], words: RegExp): ProviderError {
  const { code, message, rawMessage, data } = Object(cause) as Record<string, unknown>
  const text = typeof rawMessage === 'string' ? rawMessage : typeof message === 'string' ? message : String(cause)
  const isRefusal = typeof code === 'number' ? code === rejected || codes.includes(code) : words.test(text)
  const error = new ProviderError({ code: isRefusal ? rejected : code, message: text, data })
  error.cause = cause
  return error
}
