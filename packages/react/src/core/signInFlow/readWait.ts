import type { CountersignError } from '@countersign/protocol'

/** The moment before which the server wants no further try (429). */
export function readWait({ rateLimit }: CountersignError): number {
  return Date.now() + (rateLimit?.retryAfter ?? rateLimit?.reset ?? 30) * 1000
}
