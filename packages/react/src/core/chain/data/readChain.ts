import type { Client } from '../../client/Client.ts'
import { loadOnce } from '../../platform/loadOnce.ts'
import type { ChainEndpoint, ChainQuestionAnswer } from './ChainData.ts'
import { type ActionOptions, runAction } from '../../client/runAction.ts'

export const loadAsking = /*#__PURE__*/ loadOnce(async () => (await import('./askChain.ts')).asking)

/** Reads chain data from the server. */
export function readChain<Name extends ChainEndpoint>(
  client: Client,
  name: Name,
  input: object,
  { signal }: ActionOptions = {},
): Promise<ChainQuestionAnswer<Name>> {
  return runAction(client, async () => {
    const { askChain } = await loadAsking()
    return (await askChain(client, name, input, signal)) as ChainQuestionAnswer<Name>
  })
}
