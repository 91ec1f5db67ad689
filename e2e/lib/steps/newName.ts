let made = 0

/** A name that no other test uses. */
export function newName(start = 'ada'): string {
  made += 1
  return `${start}${made}x${Date.now().toString(36)}`
}
