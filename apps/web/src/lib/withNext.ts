import { safeNext } from './safeNext.ts'

/** Carries the place a person was heading for from one screen to the next. */
export function withNext(path: string, next: string | null): string {
  const safe = safeNext(next)
  return safe === '/' ? path : `${path}?next=${encodeURIComponent(safe)}`
}
