/** A closed curve of the kind that guards banknotes and deeds: a wave wound around a circle. */
export function guilloche(radius: number, depth: number, waves: number, turn: number, points = 360): string {
  const parts: string[] = []
  for (let step = 0; step <= points; step++) {
    const angle = (step / points) * Math.PI * 2
    const reach = radius + depth * Math.sin(angle * waves + turn)
    parts.push(`${(reach * Math.cos(angle)).toFixed(1)} ${(reach * Math.sin(angle)).toFixed(1)}`)
  }
  return `M${parts.join('L')}Z`
}
