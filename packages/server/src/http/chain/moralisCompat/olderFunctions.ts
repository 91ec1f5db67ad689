import type { Endpoint } from '../../../endpoint/Endpoint.ts'
import { defineBuiltIn } from '../../../functions/defineBuiltIn.ts'
import { accountFunctions } from './account.ts'
import { costs } from './defineCompatFunction.ts'
import { nativeFunctions } from './native.ts'
import { nftFunctions } from './nfts.ts'
import { missingFunctions, otherFunctions } from './others.ts'
import { tokenFunctions } from './tokens.ts'

const working = [...nativeFunctions, ...accountFunctions, ...tokenFunctions, ...nftFunctions, ...otherFunctions]

/** The data API of the older clients: functions by their older names. */
export const olderFunctionEndpoints: Endpoint[] = [
  ...working,
  ...missingFunctions,
  defineBuiltIn('endpointWeights', {
    name: 'web3Api_endpointWeights',
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
