import type { Callbacks } from '../core/Callbacks.ts'
import type { Client } from '../core/Client.ts'
import { getDocumentReading } from '../core/documents/getDocumentReading.ts'
import type { CloudFunctionName, CloudFunctionOutput, InputOf } from '../core/functions/CloudFunctionTypes.ts'
import { runFunction } from '../core/functions/runFunction.ts'
import { writeCall } from '../core/functions/writeCall.ts'
import { useClient } from './useClient.ts'
import { type ReadOptions, type UseDocumentReading, useDocumentReading } from './useDocumentReading.ts'

type Given<Name extends CloudFunctionName> = [...InputOf<Name>, callbacks?: Callbacks<CloudFunctionOutput<Name>>]

export type UseFunction<Name extends CloudFunctionName> = UseDocumentReading<CloudFunctionOutput<Name>>

/**
 * What a function of the application answers: for functions that read. Components that ask the same share one reading.
 * It is read again when another user signs in, and after a save of objects that stand in the answer. For functions that
 * do something use `useRunFunction`.
 *
 * @example
 * const stars = useFunction('averageStars', { movie: 'The Matrix' })
 * if (stars.status === 'success') return <p>{stars.data.average}</p>
 */
export function useFunction<Name extends CloudFunctionName>(
  name: Name,
  ...[input, options = {}]: [...InputOf<Name>, options?: ReadOptions]
): UseFunction<Name> {
  const client = useClient()
  const reading = getDocumentReading<CloudFunctionOutput<Name>>(
    client,
    () => ({ function: writeCall(name, input as object | undefined) }),
    (client: Client, callbacks: Callbacks<CloudFunctionOutput<Name>>) =>
      runFunction(client, name, ...([input, callbacks] as unknown as Given<Name>)),
  )
  return useDocumentReading(client, reading, options as ReadOptions)
}
