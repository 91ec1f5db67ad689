import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import type { FieldValue } from '../User.ts'
import { decode } from '../wire/decode.ts'
import { writeCall } from './writeCall.ts'

/** Asks the server to run a function; the answer as the application sees it. */
export async function sendCall(
  client: Client,
  name: string,
  input: object | undefined,
  signal: AbortSignal | undefined,
): Promise<FieldValue | undefined> {
  const { result } = await request(client, 'runFunction', writeCall(name, input), { ...(signal && { signal }) })
  return result === undefined ? undefined : decode(result)
}
