const space = /[ \t\n\r]*/y
const scalar =
  /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Position of the first JSON error, counted from 1. The messages of `JSON.parse` differ by browser and may name no place. */
export function findJsonFault(text: string): { line: number; column: number } | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch {
    const before = text.slice(0, findFault(text)).split('\n')
    return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
  }
}

/** Without recursion: a text may have any depth. */
function findFault(text: string): number {
  let at = 0
  const skip = (pattern: RegExp) => {
    pattern.lastIndex = at
    const length = pattern.exec(text)?.[0].length ?? 0
    at += length
    return length > 0
  }
  const take = (sign: string) => {
    if (text[at] !== sign) return false
    at += 1
    return true
  }
  const open: ('{' | '[')[] = []
  /** In an object: the name and the colon before a value. */
  const readName = () => {
    skip(space)
    if (text[at] !== '"' || !skip(scalar)) return false
    skip(space)
    return take(':')
  }
  for (;;) {
    skip(space)
    const sign = text[at]
    if (sign === '{' || sign === '[') {
      at += 1
      skip(space)
      if (!take(sign === '{' ? '}' : ']')) {
        open.push(sign)
        if (sign === '{' && !readName()) return at
        continue
      }
    } else if (!skip(scalar)) return at
    // After a value: the ends of what it closes, then a comma or the end of the text.
    for (;;) {
      skip(space)
      const inside = open.at(-1)
      if (inside === undefined) return at
      if (take(inside === '{' ? '}' : ']')) open.pop()
      else if (!take(',')) return at
      else {
        if (inside === '{' && !readName()) return at
        break
      }
    }
  }
}
