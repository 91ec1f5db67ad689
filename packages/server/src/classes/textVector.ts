/** A longer text would be refused as a whole, in a query too: one such object would end every search of its class. */
const mostLetters = 100_000

/** What full-text search compares, for a column in SQL. An index and a query must write it alike to meet. */
export function textVector(column: string, language = 'english'): string {
  // Cut twice, since a letter may stand for many when its accents are taken apart.
  const text = `left(countersign.fold_text(left(${column}, ${mostLetters})), ${mostLetters})`
  return `to_tsvector('${language}'::regconfig, ${text})`
}
