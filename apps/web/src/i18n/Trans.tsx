import type { MessageValue, MessageValues } from '@countersign/react/i18n'
import { Fragment, isValidElement, type ReactNode } from 'react'
import { english, i18n } from './translate.ts'

type Props<Text extends string> = { text: Text; values: MessageValues<Text, MessageValue | ReactNode> }

/** `t` with elements among the values: a link in the middle of a sentence. */
export function Trans<const Text extends string>({ text, values }: Props<Text>) {
  const { messages, fill } = i18n.get()
  const given = Object.entries<MessageValue | ReactNode>(values)
  const flat = Object.fromEntries(
    given.map(([name, value]) => [name, isElement(value) ? `${start}${name}${end}` : value]),
  ) as Record<string, MessageValue>
  return fill(messages[text] ?? english(text), flat)
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

function elementOf(given: readonly [string, MessageValue | ReactNode][], name: string): ReactNode {
  return given.find(([each]) => each === name)?.[1] as ReactNode
}
