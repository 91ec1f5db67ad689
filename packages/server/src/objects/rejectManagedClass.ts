import { CountersignError } from '@countersign/protocol'
import { readOnlyClass } from '../classes/createClasses.ts'
import type { Context } from '../context/Context.ts'
import { idempotencyClass } from './findClass.ts'

const ownWays = new Map([
  ['_User', '/users'],
  ['_Session', '/sessions'],
  ['_Installation', '/installations'],
])

/** Classes whose objects the master key may delete as those of any other class. */
const deletable = new Set(['_Installation', idempotencyClass.className])

/** Rejects classes whose writes have their own rules. Catches spellings that the router missed. */
export function rejectManagedClass({ classes }: Context, className: string, operation: 'write' | 'delete'): void {
  if (classes.find(className)?.source) throw readOnlyClass(className)
  if (operation === 'delete' && deletable.has(className)) return
  if (className === idempotencyClass.className) {
    throw new CountersignError(
      'OperationForbidden',
      `The server writes the objects of ${className}. They can be read and deleted.`,
    )
  }
  const way = ownWays.get(className)
  if (way) throw new CountersignError('OperationForbidden', `Objects of ${className} can only be written with ${way}.`)
}
