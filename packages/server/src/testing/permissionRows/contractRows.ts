import { contract, type EndpointContract } from '@countersign/protocol/contract'
import { masterOnly, operatorOnly, type PermissionRow, signedIn } from './PermissionRow.ts'

const refusals = { user: signedIn, master: masterOnly, operator: operatorOnly }

/**
 * Rows that follow from the contract: refused callers, required input, and nothing found under a made-up id. Endpoints
 * that everyone may call, and those with other responses, have a row in `given`.
 */
export function rowsOfContract(given: PermissionRow[]): PermissionRow[] {
  const known = new Set(given.map(({ name }) => name))
  return Object.entries<EndpointContract>(contract).flatMap(([name, { method, path, access, input, status = 200 }]) => {
    if (known.has(name) || !access) return []
    const filled = path.replace(':className', 'Doc').replace(/:\w+/g, 'nosuch')
    const needsInput = input !== undefined && !input.safeParse({}).success
    const code = needsInput ? '400/162' : filled.includes('nosuch') ? '404/101' : String(status)
    const call: PermissionRow['call'] = () => (method === 'GET' ? [method, filled] : [method, filled, {}])
    return [{ name, call, expected: refusals[access](code) }]
  })
}
