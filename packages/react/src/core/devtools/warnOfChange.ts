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
    `Countersign: a component requests different data on every render, which never ends. Latest request: ${name}. ` +
      'Keep values that each render creates, such as `new Date()` or a provider, in state or useMemo.',
  )
}
