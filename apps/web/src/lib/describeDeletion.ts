import type { CountersignError } from '@countersign/react'
import { formatDate } from './formatDate.ts'
import { say } from './say.ts'

/** What a refused sign-in says of an account that is to be deleted; `undefined` where that is not why. */
export function describeDeletion({ reason, params }: CountersignError): string | undefined {
  if (reason !== 'accountDeletionPending') return undefined
  return say('This account will be deleted on {date}. Restore it?', {
    date: formatDate(new Date(String(params?.time))),
  })
}
