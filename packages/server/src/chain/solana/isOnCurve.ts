const p = (1n << 255n) - 19n
const d = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

/**
 * Whether 32 bytes are a point of the curve of Ed25519, so that somebody may have the key to them. x² = (y² − 1) / (dy² + 1)
 * has to be a square, which a quotient is where the product is.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  const little = Buffer.from(bytes).reverse()
  little[0] = (little[0] ?? 0) & 0x7f
  const y = BigInt(`0x${little.toString('hex')}`) % p
  const square = (y * y) % p
  const product = (((square - 1n + p) % p) * ((d * square + 1n) % p)) % p
  return product === 0n || power(product, (p - 1n) / 2n) === 1n
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let factor = base
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * factor) % p
    factor = (factor * factor) % p
  }
  return result
}
