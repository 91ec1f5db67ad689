import type { Hex } from '../nodes/Chain.ts'

/** An NFT by its contract and id. The kind says which question finds its URI. */
export type Nft = { token: Hex; tokenId: bigint; kind: 'erc721' | 'erc1155' }
