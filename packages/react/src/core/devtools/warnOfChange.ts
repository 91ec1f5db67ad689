import { isDevelopment } from '../platform/isDevelopment.ts'

const longest = 300
/** Warnings left: a loop must not flood the console as well. */
let left = 5

/** Says in the console, in development, which question a component changes with every render. */
export function warnOfChange(question = ''): void {
  if (left === 0 || !isDevelopment()) return
  left--
  const name = question.length > longest ? `${question.slice(0, longest)}…` : question
  console.warn(
    `Countersign: a component asks another question with every render, and so without end. The latest: ${name}. ` +
      'Keep what each render makes new, such as `new Date()` or a provider, in state or in useMemo.',
  )
}
