import { AsyncLocalStorage } from 'node:async_hooks'
import { CountersignError } from '@countersign/protocol'

type Scope = { depth: number; signal: AbortSignal }

/** Hooks that save what they are hooks of would go on for ever. */
const deepest = 20

const storage = new AsyncLocalStorage<Scope>()

/** Runs code of the application: whatever it asks of the server is known to come from it. */
export function runInScope<Result>(signal: AbortSignal, work: () => Result): Result {
  return storage.run({ depth: (storage.getStore()?.depth ?? 0) + 1, signal }, work)
}

/** Refuses what code asks when its time is up, or when it has called itself too often. */
export function checkScope(): void {
  const scope = storage.getStore()
  if (!scope) return
  // Whoever called it was told that it failed: it must not go on writing.
  scope.signal.throwIfAborted()
  if (scope.depth > deepest) {
    throw new CountersignError('ScriptFailed', `Functions and hooks call each other more than ${deepest} levels deep.`)
  }
}
