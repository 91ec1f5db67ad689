/**
 * The path to go to after sign-in, when it lies within this application.
 * Anything else could send a freshly signed-in person to a look-alike page (open redirect):
 * `//evil.example` and `/\evil.example` are read by browsers as another host, and so are
 * paths whose control characters the URL parser drops before it looks.
 */
export function safeNext(next: string | null | undefined, fallback = '/'): string {
  if (!next?.startsWith('/')) return fallback
  if (next.startsWith('//') || next.includes('\\')) return fallback
  const plain = decode(next)
  if (plain === undefined) return fallback
  for (const character of plain) if (character.charCodeAt(0) < 0x20) return fallback
  return next
}

/** `undefined` for an invalid encoding. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Carries the place a person was heading for from one screen to the next. */
export function withNext(path: string, next: string | null): string {
  const safe = safeNext(next)
  return safe === '/' ? path : `${path}?next=${encodeURIComponent(safe)}`
}
