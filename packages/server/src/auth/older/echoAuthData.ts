import type { WireFields } from '@countersign/protocol'

/** The ways in as the older clients know them, for the user's own eyes. Signatures are not repeated. */
export function echoAuthData(user: WireFields): WireFields {
  const { ethAddress, solAddress } = user
  return {
    ...(typeof ethAddress === 'string' && { moralisEth: { id: ethAddress } }),
    ...(typeof solAddress === 'string' && { moralisSol: { id: solAddress } }),
  }
}
