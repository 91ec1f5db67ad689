import type { Place, SolanaNetwork } from './Solana.ts'

/** What an address has of SOL, in lamports. */
export async function getSolanaBalance(
  network: SolanaNetwork,
  address: string,
): Promise<{ lamports: bigint; place: Place }> {
  const { value, place } = await network.request('getBalance', [address, { commitment: 'confirmed' }], readLamports)
  return { lamports: value, place }
}

function readLamports(value: unknown): bigint {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^\d{1,20}$/.test(text)) throw new Error('a balance is no number')
  return BigInt(text)
}
