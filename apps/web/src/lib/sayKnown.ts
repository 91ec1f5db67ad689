import { speech } from './speech.ts'

/** A sentence of the server in the language that is spoken, where it is one of `serverSentences`; else as it came. */
export function sayKnown(sentence: string): string {
  return speech.get().words[sentence] ?? sentence
}
