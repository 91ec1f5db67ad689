import type { Client } from '../../client/Client.ts'
import { requireUser } from '../../client/guards.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { request } from '../../session/request.ts'
import { toDated } from '../../values/decode.ts'
import type { Activity } from '../../values/records.ts'
import type { ListActivityInput } from '../inputs.ts'

export async function listActivity(
  client: Client,
  { before, limit, actions, userAgents }: ListActivityInput = {},
  { signal }: ActionOptions = {},
): Promise<readonly Activity[]> {
  requireUser(client, 'listing activity')
  const asked = {
    before: before?.toISOString(),
    limit,
    ...(actions && { actions: [...actions] }),
    ...(userAgents && { userAgents: [...userAgents] }),
  }
  const { results } = await request(client, 'listActivity', asked, { signal })
  return Object.freeze(results.map(toDated))
}
