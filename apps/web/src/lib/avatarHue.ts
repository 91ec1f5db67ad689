/** A hue that belongs to a name: the same on every device, without asking anyone. */
export function avatarHue(name: string): number {
  let hash = 0
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 100_003
  return (hash * 47) % 360
}
