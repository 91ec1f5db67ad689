import { olderFunctions } from '../chain/older/olderFunctions.ts'
import { addressReadEndpoints } from '../chain/rest/addresses.ts'
import { blockEndpoints } from '../chain/rest/blocks.ts'
import { chainListEndpoints } from '../chain/rest/chains.ts'
import { contractEndpoints } from '../chain/rest/contracts.ts'
import { listEndpoints } from '../chain/rest/lists.ts'
import { nftEndpoints } from '../chain/rest/nfts.ts'
import { portfolioEndpoints } from '../chain/rest/portfolio.ts'
import { tokenEndpoints } from '../chain/rest/tokens.ts'
import { valueEndpoints } from '../chain/rest/value.ts'
import type { Endpoint } from '../Endpoint.ts'

export const chainEndpoints: Endpoint[] = [
  ...chainListEndpoints,
  ...blockEndpoints,
  ...addressReadEndpoints,
  ...tokenEndpoints,
  ...nftEndpoints,
  ...listEndpoints,
  ...contractEndpoints,
  ...portfolioEndpoints,
  ...valueEndpoints,
  ...olderFunctions,
]
