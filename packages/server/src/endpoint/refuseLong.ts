import { refuse } from '@countersign/protocol'

/** Refuses a text that is longer than that, by the name of its field. */
export function refuseLong(field: string, text: string, max: number): void {
  if (text.length > max) throw refuse('textTooLong', { field, max })
}
