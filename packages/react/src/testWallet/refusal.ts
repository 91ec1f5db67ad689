import type { TestError } from './TestWallet.ts'

export function refusal(code: number, message: string, data?: unknown): TestError {
  return data === undefined ? { code, message } : { code, message, data }
}

export function toTestError(error: unknown): TestError {
  const { code, message, data } = Object(error)
  return refusal(typeof code === 'number' ? code : -32603, typeof message === 'string' ? message : String(error), data)
}
