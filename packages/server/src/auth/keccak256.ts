import { createKeccak } from 'hash-wasm'

/** One instance is enough: a hash is taken from start to end within one call. */
const keccak = await createKeccak(256)

/** Ethereum's hash. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak.init().update(bytes).digest('binary')
}
