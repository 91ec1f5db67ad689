/** The ids that an input names in `aria-describedby`, matching what its frame draws. */
export function describedBy(id: string, has: { hint?: unknown; error?: unknown }): string | undefined {
  const ids = [has.error ? `${id}-error` : '', has.hint ? `${id}-hint` : ''].filter(Boolean)
  return ids.length > 0 ? ids.join(' ') : undefined
}
