/** A pointer to a user, as JSON lists hold it. */
export function pointerIn(userId: string): string {
  return JSON.stringify({ __type: 'Pointer', className: '_User', objectId: userId })
}

/** The condition that an entry of a list is that pointer. */
export function pointsTo(item: string, pointer: string): string {
  return `${item} @> ${pointer}::jsonb`
}
