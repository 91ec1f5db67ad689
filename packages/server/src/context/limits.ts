import { refuse } from '@countersign/protocol'

/** Refuses a text that is longer than that, by the name of its field. */
export function refuseLong(field: string, text: string, max: number): void {
  if (text.length > max) throw refuse('textTooLong', { field, max })
}

/** Whether a text has more characters than that, with one that takes two units counted as one. */
export function isLonger(text: string, most: number): boolean {
  return text.length > 2 * most || (text.length > most && [...text].length > most)
}
