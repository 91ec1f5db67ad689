import type { Client } from '../../client/Client.ts'
import { loadOnce } from '../../platform/loadOnce.ts'
import type { ChainEndpoint } from './ChainData.ts'
import { type ActionOptions, runAction } from '../../client/runAction.ts'

export const loadAsking = /*#__PURE__*/ loadOnce(async () => (await import('./askChain.ts')).asking)

/** Asks the server for what is on a chain. */
export function readChain<Data>(
  client: Client,
  name: ChainEndpoint,
  input: object,
  { signal }: ActionOptions = {},
): Promise<Data> {
  return runAction(client, async () => {
    const { askChain } = await loadAsking()
    return (await askChain(client, name, input, signal)) as Data
  })
}
