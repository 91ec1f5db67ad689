import type { LucideIcon } from 'lucide-react'

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()

/**
 * The commands in which every word of the query begins some word, those that match by their label first. Their groups
 * stay together in the order in which they came.
 */
export function rankCommands(commands: readonly Command[], query: string): Command[] {
  const wanted = plain(query).split(/\s+/).filter(Boolean)
  const scored = commands.flatMap((command, index) => {
    const score = wanted.reduce((sum, word) => Math.min(sum, scoreOf(command, word)), 3)
    // The server has matched what it found.
    const isMatched = command.group === 'search' || command.group === 'found'
    return score > 0 || isMatched ? [{ command, index, score }] : []
  })
  const groups = [...new Set(commands.map(({ group }) => group))]
  return groups.flatMap((group) =>
    scored
      .filter(({ command }) => command.group === group)
      .sort((one, other) => other.score - one.score || one.index - other.index)
      .map(({ command }) => command),
  )
}

function scoreOf({ label, words = '' }: Command, wanted: string): number {
  if (plain(label).startsWith(wanted)) return 3
  if (begins(label, wanted)) return 2
  return begins(words, wanted) ? 1 : 0
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

function begins(text: string, wanted: string): boolean {
  if (unspaced.test(wanted)) return plain(text).includes(wanted)
  return plain(text)
    .split(/[\s-]+/)
    .some((word) => word.startsWith(wanted))
}

/** One line of the command palette: a place to go to, or something to do. */
export type Command = {
  id: string
  group: 'recent' | 'found' | 'search' | 'goTo' | 'do'
  label: string
  /** Other words that people may look for. */
  words?: string
  icon: LucideIcon
  run: () => void
  /** Place that is kept among the recent ones. */
  to?: string
}
