import type { CountersignError } from '@countersign/protocol'
import type { FlowRun } from './FlowRun.ts'

/** Shows that the account is to be deleted, where that is why it was refused. */
export function showDeletion({ show }: Pick<FlowRun, 'show'>, { reason, params }: CountersignError): boolean {
  if (reason !== 'accountDeletionPending') return false
  show({ status: 'deleted', dueAt: Date.parse(String(params?.time)) })
  return true
}
