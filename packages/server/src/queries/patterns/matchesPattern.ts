import { compilePattern, type Machine, type Step } from './compilePattern.ts'
import type { CodeRange, Pattern } from './Pattern.ts'

const machines = new WeakMap<Pattern, Machine>()
/**
 * Letters times states: more is not looked at, so that no pair of pattern and text holds the server up. Whoever follows a
 * class may ask hundreds of patterns of every change, on the thread that all share.
 */
const mostWork = 2_000_000

/**
 * Whether the pattern is found in the text: the twin of what PostgreSQL answers. P13: all ways through the pattern are
 * followed at once, so the work grows with the text and never with the number of ways.
 */
export function matchesPattern(pattern: Pattern, text: string): boolean {
  const { plain } = pattern
  if (plain) {
    if (plain.at === 'start') return text.startsWith(plain.text)
    if (plain.at === 'end') return text.endsWith(plain.text)
    return plain.at === 'whole' ? text === plain.text : text.includes(plain.text)
  }
  const machine = machines.get(pattern) ?? compilePattern(pattern.tree)
  machines.set(pattern, machine)
  const codes = Array.from(text, (letter) => letter.codePointAt(0) ?? 0)
  if (codes.length * sizeOf(machine) > mostWork) return false
  return search(machine, codes, false, true).includes(1)
}

function sizeOf({ steps, looks }: Machine): number {
  return looks.reduce((sum, look) => sum + sizeOf(look.machine), steps.length)
}

/** Where in the text a match can end (`backwards`: begin), with matches beginning anywhere. */
function search(machine: Machine, codes: readonly number[], backwards: boolean, first = false): Uint8Array {
  const found = new Uint8Array(codes.length + 1)
  const looks = machine.looks.map(({ direction, negated, machine: inner }) => {
    const ends = search(inner, codes, direction === 'ahead')
    return negated ? ends.map((end) => 1 - end) : ends
  })
  let current = new Set<number>()
  for (let read = 0; read <= codes.length; read++) {
    const position = backwards ? codes.length - read : read
    // A match may begin at every letter.
    current.add(machine.start)
    for (const state of current) {
      for (const step of machine.steps[state] ?? []) if (isOpen(step, codes, position, looks)) current.add(step.to)
    }
    if (current.has(machine.end)) {
      found[position] = 1
      if (first) return found
    }
    const code = codes[backwards ? position - 1 : position]
    if (code === undefined) break
    const next = new Set<number>()
    for (const state of current) {
      for (const step of machine.steps[state] ?? []) {
        if (step.kind === 'letter' && holds(step.ranges, code)) next.add(step.to)
      }
    }
    current = next
  }
  return found
}

function isOpen(step: Step, codes: readonly number[], position: number, looks: Uint8Array[]): boolean {
  if (step.kind === 'letter') return false
  if (step.kind === 'free') return true
  if (step.kind === 'look') return looks[step.look]?.[position] === 1
  const lineFeed = 10
  if (step.edge === 'start') return position === 0 || (step.lines && codes[position - 1] === lineFeed)
  return position === codes.length || (step.lines && codes[position] === lineFeed)
}

/** Ranges are sorted. */
function holds(ranges: readonly CodeRange[], code: number): boolean {
  let [low, high] = [0, ranges.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const [from, to] = ranges[middle] as CodeRange
    if (code < from) high = middle - 1
    else if (code > to) low = middle + 1
    else return true
  }
  return false
}
