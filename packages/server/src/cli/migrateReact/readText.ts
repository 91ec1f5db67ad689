import type { Node } from './parseSource.ts'

/** The text of a literal between its quotes, whichever they are. */
export function readText(source: string, { start, end }: Node): string {
  return source.slice(start + 1, end - 1)
}
