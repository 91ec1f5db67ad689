const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

let last = 0

/** A ULID: the time in ten characters, then 80 random bits. Ids of one page grow, so that writes keep their order. */
export function createUlid(now = Date.now()): string {
  // A clock that was far ahead for a moment must not give its time to later ids, which the server would refuse.
  last = last > now + 60_000 ? now : Math.max(now, last + 1)
  return write(last)
}

/** A ULID after another one: writes keep their order, also if the clock was set back in between. */
export function createUlidAfter(before: string | undefined): string {
  const made = createUlid()
  if (before === undefined || made > before) return made
  const time = [...before.slice(0, 10)].reduce((sum, digit) => sum * 32 + digits.indexOf(digit), 0)
  return write(time + 1)
}

function write(time: number): string {
  const random = globalThis.crypto?.getRandomValues(new Uint8Array(16))
  return Array.from({ length: 26 }, (_, index) => {
    const value = index < 10 ? Math.floor(time / 32 ** (9 - index)) : (random?.[index - 10] ?? Math.random() * 256)
    return digits[Math.floor(value) % 32]
  }).join('')
}
