import { CountersignError } from '@countersign/protocol'

const ownWays = new Map([
  ['_User', '/users'],
  ['_Session', '/sessions'],
  ['_Installation', '/installations'],
])

/** Classes whose writes have rules of their own. A name that was spelled so that the router missed it ends here. */
export function refuseOwnWays(className: string): void {
  const way = ownWays.get(className)
  if (way) throw new CountersignError('OperationForbidden', `Objects of ${className} are written by ${way}.`)
}
