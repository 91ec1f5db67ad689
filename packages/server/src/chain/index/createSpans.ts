import { NodeError } from '../nodes/NodeError.ts'

/** How many blocks one question for logs spans. Found out by asking: no node says what it allows. */
export type Spans = {
  next(): number
  /** It was answered with so many logs. */
  answered(span: number, logs: number): void
  /** It failed. Answers whether a shorter one may succeed at once. */
  failed(span: number, error: unknown): boolean
}

const fewLogs = 5_000
const manyLogs = 20_000

export function createSpans({ first, most }: { first: number; most: number }): Spans {
  let span = Math.min(first, most)
  let ceiling = most
  return {
    next: () => Math.max(1, Math.floor(span)),
    answered(asked, logs) {
      if (logs > manyLogs) {
        span = Math.max(1, asked / 2)
        return
      }
      // What was too much once may not be elsewhere on the chain, so the ceiling rises slowly.
      if (asked >= Math.floor(ceiling)) ceiling = Math.min(most, ceiling * 1.1 + 1)
      if (logs < fewLogs && asked >= Math.floor(span)) span = Math.min(span * 2, ceiling)
    },
    failed(asked, error) {
      if (asked <= 1) return false
      // No answer in time may mean the same, but also that the node is away.
      ceiling = Math.max(1, asked / 2)
      span = ceiling
      return error instanceof NodeError && error.kind === 'tooMuch'
    },
  }
}
