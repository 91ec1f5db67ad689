import { listOutbox } from '../core/actions/listOutbox.ts'
import type { Mail } from '../core/Mail.ts'
import { getAccountReading } from '../core/readings/getAccountReading.ts'
import { type UseReading, useReading } from './useReading.ts'

/**
 * The mails that the server kept because it has no SMTP server.
 *
 * @example
 * const outbox = useOutbox()
 * if (outbox.status === 'success') return <a href={outbox.data[0]?.link ?? undefined}>Open the latest mail</a>
 */
export function useOutbox(): UseReading<readonly Mail[]> {
  // It needs no user, only a connection.
  return useReading((client) =>
    getAccountReading(client, 'listOutbox', listOutbox, ({ internal }) => internal.connection?.appId),
  )
}
