/**
 * Numbers that jump about, so that no page of the database is asked for twice in a row.
 *
 * @param {number} below
 */
export function nextNumber(below) {
  let at = 0
  return () => {
    at = (at + 48_271) % below
    return at
  }
}
