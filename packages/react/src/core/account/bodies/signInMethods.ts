import type { Client } from '../../client/Client.ts'
import { requireUser } from '../../client/guards.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { request } from '../../session/request.ts'
import { toDated } from '../../values/decode.ts'
import type { SignInMethods } from '../../values/records.ts'

export async function listSignInMethods(client: Client, { signal }: ActionOptions = {}): Promise<SignInMethods> {
  requireUser(client, 'listing the sign-in methods')
  return toDated(await request(client, 'listSignInMethods', {}, { signal }))
}
