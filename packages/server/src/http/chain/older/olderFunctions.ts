import { defineBuiltIn } from '../../defineBuiltIn.ts'
import type { Endpoint } from '../../Endpoint.ts'
import { accountFunctions } from './account.ts'
import { costs } from './defineOlder.ts'
import { nativeFunctions } from './native.ts'
import { nftFunctions } from './nfts.ts'
import { missingFunctions, otherFunctions } from './others.ts'
import { tokenFunctions } from './tokens.ts'

const working = [...nativeFunctions, ...accountFunctions, ...tokenFunctions, ...nftFunctions, ...otherFunctions]

/** The data API of the older clients: functions by their older names. */
export const olderFunctions: Endpoint[] = [
  ...working,
  ...missingFunctions,
  defineBuiltIn('endpointWeights', {
    name: 'web3Api_endpointWeights',
    summary: 'What each function counts for in the limit of reads. Nothing has a price.',
    handle: async () => ({
      result: working.map(({ path }) => ({
        endpoint: path.slice('/functions/'.length),
        path,
        rateLimitWeight: String(costs.get(path) ?? 1),
        price: '0',
      })),
    }),
  }),
]
