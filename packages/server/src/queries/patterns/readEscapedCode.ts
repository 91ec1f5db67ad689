import { highestCode } from './Pattern.ts'
import { type PatternReader, refusePattern, take } from './PatternReader.ts'

const controls = new Map([
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
  ['e', 27],
  ['a', 7],
])

/** The one letter that an escape stands for, in and outside brackets. */
export function readEscapedCode(reader: PatternReader): number {
  const rest = reader.source.slice(reader.at, reader.at + 12)
  const hex = /^(?:x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\})/.exec(rest)
  if (hex) {
    reader.at += hex[0].length
    const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? hex[4] ?? '', 16)
    if (code === 0 || code > highestCode) refusePattern('an escape names no letter')
    return code
  }
  const control = /^c([A-Za-z])/.exec(rest)
  if (control) {
    reader.at += 2
    return (control[1] ?? '').toUpperCase().charCodeAt(0) - 64
  }
  const letter = take(reader)
  const code = controls.get(letter)
  if (code !== undefined) return code
  if (/[A-Za-z0-9]/.test(letter)) refusePattern(`the escape \\${letter} is not supported`)
  return letter.codePointAt(0) as number
}
