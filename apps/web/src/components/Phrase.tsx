import type { ValuesIn, WordValue } from '@countersign/react/words'
import { Fragment, isValidElement, type ReactNode } from 'react'
import { speech } from '../lib/speech.ts'

type Props<Text extends string> = { text: Text; values: ValuesIn<Text, WordValue | ReactNode> }

/** `say` with elements among the values: a link in the middle of a sentence. */
export function Phrase<const Text extends string>({ text, values }: Props<Text>) {
  const { words, fill } = speech.get()
  const given = Object.entries<WordValue | ReactNode>(values)
  const flat = Object.fromEntries(
    given.map(([name, value]) => [name, isElement(value) ? `${start}${name}${end}` : value]),
  ) as Record<string, WordValue>
  return fill(words[text] ?? text, flat)
    .split(marked)
    .map((part, place) => (place % 2 === 0 ? part : <Fragment key={part}>{elementOf(given, part)}</Fragment>))
}

// Characters that no text holds.
const start = '\ue000'
const end = '\ue001'
const marked = /\ue000(\w+)\ue001/

function isElement(value: unknown): boolean {
  return isValidElement(value) || value === undefined || value === null || typeof value === 'boolean'
}

function elementOf(given: readonly [string, WordValue | ReactNode][], name: string): ReactNode {
  return given.find(([each]) => each === name)?.[1] as ReactNode
}
