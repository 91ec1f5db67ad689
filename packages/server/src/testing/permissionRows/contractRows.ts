import { contract, type EndpointContract } from '@countersign/protocol/contract'
import { masterOnly, operatorOnly, type PermissionRow, signedIn } from './PermissionRow.ts'

const refusals = { user: signedIn, master: masterOnly, operator: operatorOnly }

/**
 * Rows that follow from the contract: who is refused, and that nothing is found under a made-up id. Endpoints that
 * everyone may call, and those that need input, have a row of their own in `given`.
 */
export function rowsOfContract(given: PermissionRow[]): PermissionRow[] {
  const known = new Set(given.map(({ name }) => name))
  return Object.entries<EndpointContract>(contract).flatMap(([name, { method, path, access, input, status = 200 }]) => {
    if (known.has(name) || !access || (input && !input.safeParse({}).success)) return []
    const filled = path.replace(':className', 'Doc').replace(/:\w+/g, 'nosuch')
    const code = filled.includes('nosuch') ? '404/101' : String(status)
    const call: PermissionRow['call'] = () => (method === 'GET' ? [method, filled] : [method, filled, {}])
    return [{ name, call, expected: refusals[access](code) }]
  })
}
