import { CountersignError } from '@countersign/protocol'
import { untilAborted } from '../../errors/errors.ts'
import { ProviderError } from '../../errors/walletErrors.ts'

/** Loads a wallet's SDK, which only those applications install that offer the wallet. */
export async function loadPeer<Sdk>(
  packageName: string,
  exportName: string,
  load: () => Promise<unknown>,
): Promise<Sdk> {
  let loaded: Record<string, unknown>
  try {
    loaded = Object(await load())
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CountersignError('OtherCause', `The package ${packageName} could not be loaded.`, {
      cause,
      details: `Install it: npm install ${packageName}. If it is installed, the page could not fetch it: ${reason}`,
    })
  }
  const found = loaded[exportName] ?? Object(loaded.default)[exportName]
  if (found) return found as Sdk
  throw new CountersignError('OtherCause', `The package ${packageName} has no export ${exportName}.`, {
    details: `Try another version: npm install ${packageName}@latest`,
  })
}

/** Shares one start among all callers; after a failure the next caller starts again. */
export function startOnce<Result>(start: () => Promise<Result>): () => Promise<Result> {
  let started: Promise<Result> | undefined
  return async () => {
    started ??= start()
    try {
      return await started
    } catch (error) {
      started = undefined
      throw error
    }
  }
}

/** EIP-1193's code for a rejection by the person. SDKs have their own codes, or only messages. */
const rejected = 4001

/** Gives rejections of an SDK the standard code; other failures stay unchanged. */
export function toRejection(cause: unknown, codes: readonly number[], words: RegExp): ProviderError {
  const { code, message, rawMessage, data } = Object(cause) as Record<string, unknown>
  const text = typeof rawMessage === 'string' ? rawMessage : typeof message === 'string' ? message : String(cause)
  const isRefusal = typeof code === 'number' ? code === rejected || codes.includes(code) : words.test(text)
  const error = new ProviderError({ code: isRefusal ? rejected : code, message: text, data })
  error.cause = cause
  return error
}

/** Waits for an SDK's work, which cannot be canceled. `onAbort` cleans up after it. */
export function waitFor<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
  onAbort?: () => void,
): Promise<Result> {
  if (!signal) return work
  if (onAbort) {
    signal.addEventListener('abort', onAbort, { once: true })
    const settle = () => signal.removeEventListener('abort', onAbort)
    work.then(settle, settle)
  }
  return untilAborted(() => work, signal)
}
