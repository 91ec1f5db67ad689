/** The order of two texts by their code points, as the server and its database have it. JavaScript's own goes by half letters. */
export function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index++) {
    const [left, right] = [one.charCodeAt(index), other.charCodeAt(index)]
    if (left !== right) return rank(left) - rank(right)
  }
  return one.length - other.length
}

/** Halves of letters beyond the first plane come after everything else. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
