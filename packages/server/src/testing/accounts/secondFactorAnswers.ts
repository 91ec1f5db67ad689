import type { Answer } from '../createTestServer.ts'

/** Milliseconds that one code of an authenticator app holds for. */
export const step = 30_000
export const refused = ({ status, body }: Answer) => [status, body.reason]

/** Ticket by which the second step of a sign-in names the first. */
export const ticketOf = (answer: Answer) => String((answer.body.params as { ticket?: string })?.ticket)
