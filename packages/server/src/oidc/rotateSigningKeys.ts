import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { getProvider } from './getProvider.ts'
import { listSigningKeys, renewSigningKeys } from './signingKeys.ts'

/** Signs with new keys from now on. The former ones stay published for two days. */
export const rotateSigningKeysEndpoint = defineEndpoint('rotateSigningKeys', {
  async handle({ context }) {
    await renewSigningKeys(context)
    await getProvider(context, true)
    return { keys: (await listSigningKeys(context)).map(({ kid, alg }) => ({ kid: String(kid), alg: String(alg) })) }
  },
})
