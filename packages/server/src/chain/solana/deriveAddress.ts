import { createHash } from 'node:crypto'
import { readBase58, writeBase58 } from '../../context/base58.ts'
import { isOnCurve } from './isOnCurve.ts'

export const metaplexProgram = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'
const program = readBase58(metaplexProgram) ?? Buffer.alloc(32)
const marker = Buffer.from('ProgramDerivedAddress')

/** The address that the program of Metaplex keeps the metadata of a mint at, or its edition: one that nobody has a key to. */
export function deriveAddress(mint: string, of: 'metadata' | 'edition'): string {
  const seeds = [Buffer.from('metadata'), program, readBase58(mint) ?? Buffer.alloc(32)]
  if (of === 'edition') seeds.push(Buffer.from('edition'))
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256')
    for (const part of [...seeds, Buffer.from([bump]), program, marker]) hash.update(part)
    const address = hash.digest()
    if (!isOnCurve(address)) return writeBase58(address)
  }
  throw new Error('no address can be derived')
}
