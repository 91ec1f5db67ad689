'use client'

import type { SentMailRecord } from '@countersign/protocol'
import { defineAccountReading } from '../../core/readings/defineReading.ts'
import { request } from '../../core/session/request.ts'
import { toDated } from '../../core/values/decode.ts'
import type { WithDates } from '../../core/values/records.ts'
import { useClient } from '../client/useClient.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

/** A mail that the server sent to the user. */
export type SentMail = WithDates<SentMailRecord>

const sentMailsReading = /*#__PURE__*/ defineAccountReading(
  'listSentMails',
  async (client, _: undefined, options): Promise<readonly SentMail[]> =>
    Object.freeze((await request(client, 'listSentMails', {}, options)).results.map(toDated)),
)

/**
 * The latest mails that the server sent to the user's verified address, so that a page can say which of those in the
 * mailbox are real.
 *
 * @example
 * const mails = useSentMails()
 * if (mails.status === 'success') return mails.data.map(({ objectId, kind, at }) => <p key={objectId}>{`${kind} ${at.toLocaleString()}`}</p>)
 */
export function useSentMails<Selected = readonly SentMail[]>(
  options?: ReadOptions<readonly SentMail[], Selected>,
): UseAsync<Selected> {
  return useReading(sentMailsReading(useClient(), undefined), options)
}
