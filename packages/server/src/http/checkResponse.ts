import type { Endpoint } from './Endpoint.ts'

/** Fails where an endpoint answers something else than its contract says. For tests and development. */
export function checkResponse({ name, output: schema, streams }: Endpoint, output: object): void {
  if (!schema || streams) return
  // As it goes over the wire: what JSON leaves out is not there.
  const checked = schema.safeParse(JSON.parse(JSON.stringify(output)))
  if (!checked.success) throw new Error(`The response of ${name} breaks its contract: ${checked.error.message}`)
}
