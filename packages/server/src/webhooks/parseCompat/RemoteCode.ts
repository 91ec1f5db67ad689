import { CountersignError, errorCodes } from '@countersign/protocol'
import type { HookName } from '../../context/Registry.ts'

/** A function or a hook of the application that runs elsewhere. */
export type RemoteCode =
  | { functionName: string; url: string }
  | { className: string; triggerName: TriggerName; url: string }

/** Legacy hook names, and their names here. */
export const triggers = {
  beforeSave: 'beforeSave',
  afterSave: 'afterSave',
  beforeDelete: 'beforeDelete',
  afterDelete: 'afterDelete',
  beforeLogin: 'beforeSignIn',
  afterLogin: 'afterSignIn',
  afterLogout: 'afterSignOut',
} as const satisfies { [name: string]: HookName }

export type TriggerName = keyof typeof triggers

export type RemoteRow = { function_name: string; class_name: string; trigger_name: string; url: string }

export function decodeRemote(row: RemoteRow): RemoteCode {
  const { function_name: functionName, class_name: className, trigger_name: triggerName, url } = row
  if (functionName !== '') return { functionName, url }
  return { className, triggerName: triggerName as TriggerName, url }
}

/** Every refusal here has this code, which the older clients know as that of webhooks. */
export function refuseRemote(message: string): CountersignError {
  return new CountersignError(errorCodes.InvalidImageData, message)
}
