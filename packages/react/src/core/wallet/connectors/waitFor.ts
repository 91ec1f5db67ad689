import { untilAborted } from '../../untilAborted.ts'

/** Waits for what an SDK does, which itself cannot be called off. `onAbort` clears up after it. */
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
