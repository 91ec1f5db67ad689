import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { runAction } from '../runAction.ts'
import type { CloudFunctionName, CloudFunctionOutput, InputOf } from './CloudFunctionTypes.ts'
import { sendCall } from './sendCall.ts'

/**
 * Runs a function of the application on the server and answers its result. Dates and objects go there and come back as
 * such. What the function throws arrives with its text and code.
 *
 * @example
 * const stars = await runFunction(client, 'averageStars', { movie: 'The Matrix' })
 */
export function runFunction<Name extends CloudFunctionName>(
  client: Client,
  name: Name,
  ...[input, callbacks = {}]: [...InputOf<Name>, callbacks?: Callbacks<CloudFunctionOutput<Name>>]
): Promise<CloudFunctionOutput<Name> | undefined> {
  const given = callbacks as Callbacks<CloudFunctionOutput<Name>>
  return runAction(client, given, async () => {
    return (await sendCall(client, name, input as object | undefined, given.signal)) as CloudFunctionOutput<Name>
  })
}
