import type { NamedAccount } from '../../chain/solana/getSolanaPortfolio.ts'
import type { MintDetails } from '../../chain/solana/Solana.ts'
import { formatUnits } from './formatUnits.ts'

/** Balances as both doors write them: in SOL, and in lamports. */
export const describeLamports = (lamports: bigint) => ({
  solana: formatUnits(lamports, 9),
  lamports: String(lamports),
})

export const describeSolanaNft = ({ account, mint, details }: NamedAccount) => ({
  associatedTokenAddress: account,
  mint,
  name: details?.name ?? null,
  symbol: details?.symbol ?? null,
})

export const describeSolanaToken = (each: NamedAccount) => ({
  ...describeSolanaNft(each),
  amount: formatUnits(each.amount, each.decimals),
  amountRaw: String(each.amount),
  decimals: each.decimals,
})

/** What is said of a mint, under the names that the older API gave it. */
export const describeSolanaMint = (mint: string, details: MintDetails, isMasterEdition: boolean) => ({
  mint,
  standard: details.standard,
  name: details.name,
  symbol: details.symbol,
  metaplex: {
    metadataUri: details.uri,
    masterEdition: isMasterEdition,
    isMutable: details.isMutable ?? null,
    primarySaleHappened: details.primarySaleHappened ?? null,
    sellerFeeBasisPoints: details.sellerFeeBasisPoints ?? null,
    updateAuthority: details.updateAuthority ?? null,
  },
})
