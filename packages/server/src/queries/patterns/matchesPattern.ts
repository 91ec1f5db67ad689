import type { CodeRange, Pattern, PatternNode } from './Pattern.ts'

/** A pattern is never changed, so it is compiled once. */
const machinesByPattern = new WeakMap<Pattern, Machine>()

/**
 * Letters times states: more is not looked at, so that no pair of pattern and text holds the server up. A subscriber of
 * a class may ask hundreds of patterns of every change, on the thread that all share.
 */
const mostWork = 2_000_000

/**
 * Searches the text for the pattern, with the same result as PostgreSQL. Follows all paths in parallel, so the work
 * grows with the text, never with the number of paths.
 */
export function matchesPattern(pattern: Pattern, text: string): boolean {
  const { plain } = pattern
  if (plain) {
    if (plain.at === 'start') return text.startsWith(plain.text)
    if (plain.at === 'end') return text.endsWith(plain.text)
    return plain.at === 'whole' ? text === plain.text : text.includes(plain.text)
  }
  const machine = machinesByPattern.get(pattern) ?? compilePattern(pattern.tree)
  machinesByPattern.set(pattern, machine)
  const codes = Array.from(text, (letter) => letter.codePointAt(0) ?? 0)
  if (codes.length * sizeOf(machine) > mostWork) return false
  return search(machine, codes, false, true).includes(1)
}

function sizeOf({ steps, looks }: Machine): number {
  return looks.reduce((sum, look) => sum + sizeOf(look.machine), steps.length)
}

/** Positions where a match can end (`backwards`: begin), with matches beginning anywhere. */
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

/** Transition between states: a letter, nothing, or a lookaround that must match. */
type Step =
  | { kind: 'letter'; ranges: readonly CodeRange[]; to: number }
  | { kind: 'free'; to: number }
  | { kind: 'edge'; edge: 'start' | 'end'; lines: boolean; to: number }
  | { kind: 'look'; look: number; to: number }

type Look = { direction: 'ahead' | 'behind'; negated: boolean; machine: Machine }

/** A machine that reads a text letter by letter and holds all states that it may be in. It never goes back. */
type Machine = { steps: Step[][]; start: number; end: number; looks: Look[] }

/** `backwards`: reads from the end of the text to its start. */
function compilePattern(tree: PatternNode, backwards = false): Machine {
  const steps: Step[][] = []
  const looks: Look[] = []
  const state = () => steps.push([]) - 1
  const join = (from: number, step: Step) => void steps[from]?.push(step)

  /** Adds the node between a state and the returned one. */
  const add = (node: PatternNode, from: number): number => {
    switch (node.kind) {
      case 'character':
        return leave(from, (to) => ({ kind: 'letter', ranges: [[node.code, node.code]], to }))
      case 'set':
        return leave(from, (to) => ({ kind: 'letter', ranges: node.ranges, to }))
      case 'start':
      case 'end':
        return leave(from, (to) => ({ kind: 'edge', edge: node.kind, lines: node.lines, to }))
      case 'sequence':
        return (backwards ? [...node.of].reverse() : node.of).reduce((at, part) => add(part, at), from)
      case 'choice': {
        const to = state()
        for (const part of node.of) join(add(part, from), { kind: 'free', to })
        return to
      }
      case 'repeat':
        return repeat(node, from)
      case 'look': {
        // Lookaheads are evaluated from the end of the text, so each letter is read once.
        const machine = compilePattern(node.of, node.direction === 'ahead')
        const look = looks.push({ direction: node.direction, negated: node.negated, machine }) - 1
        return leave(from, (to) => ({ kind: 'look', look, to }))
      }
    }
  }

  const leave = (from: number, step: (to: number) => Step): number => {
    const to = state()
    join(from, step(to))
    return to
  }

  const repeat = ({ of, least, most }: Extract<PatternNode, { kind: 'repeat' }>, from: number): number => {
    let at = from
    for (let count = 0; count < least; count++) at = add(of, at)
    if (most === Number.POSITIVE_INFINITY) {
      // A separate state, so that the loop cannot be entered from before.
      const loop = leave(at, (to) => ({ kind: 'free', to }))
      join(add(of, loop), { kind: 'free', to: loop })
      return leave(loop, (to) => ({ kind: 'free', to }))
    }
    const end = state()
    for (let count = least; count < most; count++) {
      join(at, { kind: 'free', to: end })
      at = add(
        of,
        leave(at, (to) => ({ kind: 'free', to })),
      )
    }
    join(at, { kind: 'free', to: end })
    return end
  }

  const start = state()
  const end = add(tree, start)
  return { steps, start, end, looks }
}
