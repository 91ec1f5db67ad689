import { CountersignError } from '@countersign/protocol'
import { readOnlyClass } from '../classes/createClasses.ts'
import type { Context } from '../context/Context.ts'
import { idempotencyClass } from './findClass.ts'

const ownWays = new Map([
  ['_User', '/users'],
  ['_Session', '/sessions'],
  ['_Installation', '/installations'],
])

/** Rejects classes whose writes have their own rules. Catches spellings that the router missed. */
export function rejectManagedClass({ classes }: Context, className: string): void {
  if (classes.find(className)?.source) throw readOnlyClass(className)
  if (className === idempotencyClass.className) {
    throw new CountersignError(
      'OperationForbidden',
      `Objects of ${className} are the server's own. They can only be read.`,
    )
  }
  const way = ownWays.get(className)
  if (way) throw new CountersignError('OperationForbidden', `Objects of ${className} are written by ${way}.`)
}
