import { CountersignError } from '@countersign/protocol'

export function notHere(method: string, path: string): CountersignError {
  return new CountersignError('CommandUnavailable', `There is no ${method} ${path} here.`, { status: 404 })
}
