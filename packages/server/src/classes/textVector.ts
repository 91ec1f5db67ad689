/** What full-text search compares, for a column in SQL. An index and a query must write it alike to meet. */
export function textVector(column: string, language = 'english'): string {
  return `to_tsvector('${language}'::regconfig, countersign.fold_text(${column}))`
}
