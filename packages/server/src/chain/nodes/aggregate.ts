import type { CallResult, ContractCall, Hex } from './Chain.ts'

const selector = '82ad56cb'
const one = word(1)
const offsetOfBytes = word(0x60)

/** The call `aggregate3((address,bool,bytes)[])` of Multicall3, each part allowed to fail. By hand: it is the hot path. */
export function encodeAggregate(calls: readonly ContractCall[]): Hex {
  let offsets = ''
  let bodies = ''
  for (const { to, data } of calls) {
    offsets += word(calls.length * 32 + bodies.length / 2)
    const length = (data.length - 2) / 2
    bodies += `${to.slice(2).toLowerCase().padStart(64, '0')}${one}${offsetOfBytes}${word(length)}${pad(data.slice(2))}`
  }
  return `0x${selector}${word(0x20)}${word(calls.length)}${offsets}${bodies}`
}

/** What it answers, or undefined where that is not an answer to so many calls. */
export function decodeAggregate(answer: string, count: number): CallResult[] | undefined {
  const read = (at: number) => Number.parseInt(answer.slice(2 + at * 2, 2 + at * 2 + 64), 16)
  const start = read(0) + 32
  if (read(start - 32) !== count) return undefined
  const results: CallResult[] = []
  for (let place = 0; place < count; place++) {
    const at = start + read(start + place * 32)
    const bytes = at + read(at + 32)
    const from = 2 + (bytes + 32) * 2
    const data = answer.slice(from, from + read(bytes) * 2)
    if (data.length !== read(bytes) * 2) return undefined
    results.push({ success: read(at) === 1, data: `0x${data}` })
  }
  return results
}

function word(number: number): string {
  return number.toString(16).padStart(64, '0')
}

const pad = (bytes: string) => bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')
