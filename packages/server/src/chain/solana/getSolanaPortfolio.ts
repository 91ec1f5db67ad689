import { listSolanaTokens, type TokenAccount } from './listSolanaTokens.ts'
import { readMints } from './readMints.ts'
import type { MintDetails, Place, SolanaNetwork } from './Solana.ts'

export type NamedAccount = TokenAccount & { details: MintDetails | undefined }

/** What an address holds, told apart: an NFT is the one piece of a mint that has no parts and is no currency. */
export async function getSolanaPortfolio(
  network: SolanaNetwork,
  owner: string,
): Promise<{ tokens: NamedAccount[]; nfts: NamedAccount[]; place: Place }> {
  const { accounts, place } = await listSolanaTokens(network, owner)
  const details = await readMints(network, accounts)
  const named = accounts.map((account) => ({ ...account, details: details.get(account.mint) }))
  return { tokens: named.filter((each) => !isNft(each)), nfts: named.filter(isNft), place }
}

const isNft = ({ amount, decimals, details }: NamedAccount) =>
  amount === 1n && decimals === 0 && details?.isFungible !== true
