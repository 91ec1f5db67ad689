import { describeWaiting } from '../core/devtools/describeWaiting.ts'

declare const process: { readonly env: { readonly NODE_ENV?: string } }

let isWarned = false

/** Says in the console, once and in development, that hooks wait because nobody initialized the client. */
export function warnOfWaiting(readings: number): void {
  if (isWarned || !isDevelopment()) return
  isWarned = true
  console.warn(`Countersign: ${describeWaiting(readings)}`)
}

/** Bundlers replace the name; without one there is no `process`. */
function isDevelopment(): boolean {
  try {
    return process.env.NODE_ENV !== 'production'
  } catch {
    return false
  }
}
