import type { ValuesIn } from '@countersign/react/words'
import { speech } from './speech.ts'

/**
 * An English text in the language that is spoken. The text is a literal where it is said, so that a test can see that
 * every language has it; nothing is said while a module loads, or it would stay in the language of that moment.
 */
export function say<const Text extends string>(
  text: Text,
  ...[values]: keyof ValuesIn<Text> extends never ? [] : [ValuesIn<Text>]
): string {
  const { words, fill } = speech.get()
  return fill(words[text] ?? text, values)
}
