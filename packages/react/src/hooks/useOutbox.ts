import type { Mail } from '../core/Mail.ts'
import { getOutboxQuery } from '../core/queries/getOutboxQuery.ts'
import { type UseQuery, useQuery } from './useQuery.ts'

/**
 * The mails that the server kept because it has no SMTP server.
 *
 * @example
 * const outbox = useOutbox()
 * if (outbox.status === 'success') return <a href={outbox.data[0]?.link ?? undefined}>Open the latest mail</a>
 */
export function useOutbox(): UseQuery<readonly Mail[]> {
  return useQuery(getOutboxQuery)
}
