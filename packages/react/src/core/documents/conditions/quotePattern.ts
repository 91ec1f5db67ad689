/** The text as a pattern that matches it to the letter. */
export function quotePattern(text: string): string {
  return `\\Q${text.replaceAll('\\E', '\\E\\\\E\\Q')}\\E`
}
