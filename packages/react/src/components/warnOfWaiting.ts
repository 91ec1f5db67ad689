import { describeWaiting } from '../core/devtools/describeWaiting.ts'
import { isDevelopment } from '../core/platform/isDevelopment.ts'

let isWarned = false

/** Warns in the console, once and in development, that hooks wait because the client was never initialized. */
export function warnOfWaiting(readings: number): void {
  if (isWarned || !isDevelopment()) return
  isWarned = true
  console.warn(`Countersign: ${describeWaiting(readings)}`)
}
