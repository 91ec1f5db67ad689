import type { Place, SolanaNetwork } from './Solana.ts'

/** What an address has of SOL, in lamports. */
export async function getSolanaBalance(
  network: SolanaNetwork,
  address: string,
): Promise<{ lamports: bigint; place: Place }> {
  const { result, source } = await network.request('getBalance', [address, { commitment: 'confirmed' }])
  const { context, value } = result as { context: { slot: number }; value: number | string }
  return { lamports: BigInt(value), place: { slot: context.slot, source } }
}
