import type { Address } from 'viem'

const pattern = /^0x[0-9a-f]{40}$/i

/**
 * An EVM address with its checksum (EIP-55): letters are capitals where the Keccak hash of the text has a high digit.
 * Other texts, such as addresses of Solana, are returned unchanged. Written out, so that wallets need no viem.
 */
export function checksumAddress(text: string): Address {
  if (!pattern.test(text)) return text as Address
  const plain = text.slice(2).toLowerCase()
  const hash = hashWords(plain)
  const digits = Array.from(plain, (digit, at) => {
    const byte = (hash[at >> 3] ?? 0) >>> (((at >> 1) & 3) * 8)
    return ((at & 1 ? byte : byte >>> 4) & 15) > 7 ? digit.toUpperCase() : digit
  })
  return `0x${digits.join('')}`
}

/** Keccak-256 of forty ASCII characters, in 32-bit words. Lanes are pairs of words, the low one first. */
function hashWords(text: string): Int32Array {
  const state = new Int32Array(50)
  for (let at = 0; at < 40; at++) state[at >> 2] = word(state, at >> 2) | (text.charCodeAt(at) << ((at & 3) * 8))
  // Padding: a one after the text, and a one at the end of the 136 bytes of a block.
  state[10] = 1
  state[33] = 1 << 31
  permute(state)
  return state
}

const word = (state: Int32Array, at: number) => state[at] as number

/** Keccak-f[1600]. The names of the steps are those of FIPS 202. Without objects in the loops: lists have thousands. */
function permute(state: Int32Array): void {
  const spare = new Int32Array(10)
  let register = 1
  for (let round = 0; round < 24; round++) {
    theta(state, spare)
    rhoAndPi(state)
    chi(state, spare)
    for (let bit = 0; bit < 7; bit++) {
      const place = (1 << bit) - 1
      if (register & 1) state[place >> 5] = word(state, place >> 5) ^ (1 << (place & 31))
      register = (register << 1) ^ ((register >> 7) * 0x171)
    }
  }
}

function theta(state: Int32Array, parity: Int32Array): void {
  for (let x = 0; x < 10; x++) {
    parity[x] = word(state, x) ^ word(state, x + 10) ^ word(state, x + 20) ^ word(state, x + 30) ^ word(state, x + 40)
  }
  for (let x = 0; x < 10; x += 2) {
    const left = (x + 8) % 10
    const right = (x + 2) % 10
    const low = word(parity, left) ^ rotate(word(parity, right), word(parity, right + 1), 1)
    const high = word(parity, left + 1) ^ rotate(word(parity, right + 1), word(parity, right), 1)
    for (let at = x; at < 50; at += 10) {
      state[at] = word(state, at) ^ low
      state[at + 1] = word(state, at + 1) ^ high
    }
  }
}

function rhoAndPi(state: Int32Array): void {
  let x = 1
  let y = 0
  let low = word(state, 2)
  let high = word(state, 3)
  for (let step = 1; step <= 24; step++) {
    const next = (2 * x + 3 * y) % 5
    x = y
    y = next
    const at = 2 * (x + 5 * y)
    const turns = ((step * (step + 1)) >> 1) & 63
    const first = turns < 32 ? low : high
    const second = turns < 32 ? high : low
    low = word(state, at)
    high = word(state, at + 1)
    state[at] = rotate(first, second, turns & 31)
    state[at + 1] = rotate(second, first, turns & 31)
  }
}

function chi(state: Int32Array, row: Int32Array): void {
  for (let y = 0; y < 50; y += 10) {
    for (let x = 0; x < 10; x++) row[x] = word(state, y + x)
    for (let x = 0; x < 10; x++) state[y + x] = word(row, x) ^ (~word(row, (x + 2) % 10) & word(row, (x + 4) % 10))
  }
}

/** Upper word of a pair after turning it to the left by less than 32 bits. */
function rotate(word: number, below: number, turns: number): number {
  return turns === 0 ? word : (word << turns) | (below >>> (32 - turns))
}
