const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

let last = 0

/** A ULID: the time in ten characters, then 80 random bits. Ids of one page grow, so that writes keep their order. */
export function createUlid(now = Date.now()): string {
  last = Math.max(now, last + 1)
  const random = globalThis.crypto?.getRandomValues(new Uint8Array(16))
  return Array.from({ length: 26 }, (_, index) => {
    const value = index < 10 ? Math.floor(last / 32 ** (9 - index)) : (random?.[index - 10] ?? Math.random() * 256)
    return digits[Math.floor(value) % 32]
  }).join('')
}
