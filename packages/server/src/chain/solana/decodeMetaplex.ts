import { writeBase58 } from '../../context/base58.ts'
import { plainText } from '../reads/plainText.ts'
import type { MintDetails } from './Solana.ts'

const metadataV1 = 4
/** Token standards that are currencies: FungibleAsset and Fungible. */
const fungible = new Set([1, 2])

/** What the account of a mint's metadata holds (Borsh); undefined where it is none, or of another mint. */
export function decodeMetaplex(data: Buffer, mint: string): MintDetails | undefined {
  let at = 0
  const take = (size: number) => {
    if (size < 0 || at + size > data.length) throw new RangeError('cut short')
    at += size
    return data.subarray(at - size, at)
  }
  const byte = () => take(1).readUInt8()
  const key = () => writeBase58(take(32))
  // Texts lie in fields of fixed size, filled up with zeros.
  const text = () => take(take(4).readUInt32LE()).toString('utf8').replaceAll('\0', '').trim()
  const option = <Value>(read: () => Value): Value | undefined => (byte() === 1 ? read() : undefined)
  const creator = () => ({ address: key(), verified: byte() === 1, share: byte() })
  const list = <Value>(read: () => Value): Value[] => {
    const count = take(4).readUInt32LE()
    if (count > 100) throw new RangeError('too many')
    return Array.from({ length: count }, read)
  }

  try {
    if (byte() !== metadataV1) return undefined
    const updateAuthority = key()
    if (key() !== mint) return undefined
    const [name, symbol, uri] = [plainText(text()) ?? '', plainText(text()) ?? '', text()]
    const sellerFeeBasisPoints = take(2).readUInt16LE()
    const creators = option(() => list(creator)) ?? []
    const [primarySaleHappened, isMutable] = [byte() === 1, byte() === 1]
    const known = { standard: 'metaplex', name, symbol, uri, updateAuthority } as const
    const details: MintDetails = { ...known, sellerFeeBasisPoints, creators, primarySaleHappened, isMutable }
    return { ...details, ...readLater() }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }

  /** What came with later versions; accounts from before end here. */
  function readLater(): Partial<MintDetails> {
    try {
      option(byte)
      const standard = option(byte)
      const collection = option(() => ({ verified: byte() === 1, address: key() }))
      return {
        ...(standard !== undefined && { isFungible: fungible.has(standard) }),
        ...(collection && { collection }),
      }
    } catch {
      return {}
    }
  }
}
