/** SQL: the language that a user chose. An application's own field, so the column is there only once somebody did. */
export function languageOf(alias: string): string {
  return `to_jsonb(${alias}) ->> 'language'`
}
