import { CountersignError } from '@countersign/protocol'
import { createTurnstile } from '../../context/createTurnstile.ts'

/** Runs work while few others run: pictures take memory and a whole core each. */
export const takeTurn = createTurnstile(2, {
  longest: 50,
  refuse() {
    throw new CountersignError('RequestLimitExceeded', 'Too many previews at once. Try again in a moment.', {
      rateLimit: { retryAfter: 2 },
    })
  },
})
