import { CountersignError } from '@countersign/protocol'

export function notHere(method: string, path: string): CountersignError {
  return new CountersignError('CommandUnavailable', `Unknown endpoint: ${method} ${path}.`, { status: 404 })
}
