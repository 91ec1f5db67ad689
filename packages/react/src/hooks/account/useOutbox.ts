'use client'

import { listOutbox } from '../../core/account/email.ts'
import { defineReading } from '../../core/readings/defineReading.ts'
import type { Mail } from '../../core/values/records.ts'
import { useClient } from '../client/useClient.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

const outboxReading = /*#__PURE__*/ defineReading<undefined, readonly Mail[]>(
  () => ({ listOutbox: {} }),
  () => ({
    read: listOutbox,
    // It needs no user, only a connection.
    owner: ({ internal }) => internal.connection?.appId,
  }),
)

/**
 * The mails that the server kept because it has no SMTP server.
 *
 * @example
 * const outbox = useOutbox()
 * if (outbox.status === 'success') return <a href={outbox.data[0]?.link ?? undefined}>Open the latest mail</a>
 */
export function useOutbox<Selected = readonly Mail[]>(
  options?: ReadOptions<readonly Mail[], Selected>,
): UseAsync<Selected> {
  return useReading(outboxReading(useClient(), undefined), options)
}
