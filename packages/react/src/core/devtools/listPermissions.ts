import type { Client } from '../Client.ts'
import { requireProvider } from '../wallet/requireProvider.ts'

/** What the wallet lets this page do. Asked only when somebody wants to see it. */
export async function listPermissions(client: Client): Promise<readonly string[]> {
  const answer = await requireProvider(client).request({ method: 'wallet_getPermissions' })
  if (!Array.isArray(answer)) return []
  return answer.map((permission) => {
    const { parentCapability, caveats } = Object(permission) as { parentCapability?: unknown; caveats?: unknown }
    const values = Array.isArray(caveats) ? caveats.flatMap(({ value }) => value as unknown).map(String) : []
    return `${String(parentCapability)}${values.length > 0 ? `: ${values.join(', ')}` : ''}`
  })
}
