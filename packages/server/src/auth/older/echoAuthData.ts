import type { WireFields } from '@countersign/protocol'

/** The ways in as the older clients know them, for the user's own eyes. Signatures are not repeated. */
export function echoAuthData(user: WireFields, isAnonymous: boolean): WireFields {
  const { ethAddress, solAddress } = user
  return {
    // Without the id: a session left open elsewhere must not learn what opens the account for ever.
    ...(isAnonymous && { anonymous: {} }),
    ...(typeof ethAddress === 'string' && { moralisEth: { id: ethAddress } }),
    ...(typeof solAddress === 'string' && { moralisSol: { id: solAddress } }),
  }
}
