import type { CodeRange, PatternNode } from './Pattern.ts'

/** What leads from one state to the next: a letter, nothing, or a look around that must hold. */
export type Step =
  | { kind: 'letter'; ranges: readonly CodeRange[]; to: number }
  | { kind: 'free'; to: number }
  | { kind: 'edge'; edge: 'start' | 'end'; lines: boolean; to: number }
  | { kind: 'look'; look: number; to: number }

export type Look = { direction: 'ahead' | 'behind'; negated: boolean; machine: Machine }
/** A machine that reads a text letter by letter and holds all states that it may be in. It never goes back. */
export type Machine = { steps: Step[][]; start: number; end: number; looks: Look[] }

/** `backwards`: reads from the end of the text to its start. */
export function compilePattern(tree: PatternNode, backwards = false): Machine {
  const steps: Step[][] = []
  const looks: Look[] = []
  const state = () => steps.push([]) - 1
  const join = (from: number, step: Step) => void steps[from]?.push(step)

  /** Adds the node between a state and the one that the answer names. */
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
        // What comes after is looked for from the end of the text on, so that each letter is read once.
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
      // A state of its own: what comes in from before must not be gone round to.
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
